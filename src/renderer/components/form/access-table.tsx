import { Button, VisuallyHidden } from '@mantine/core'
import { IconBan, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import { formatAge, formatDate, formatFullDate } from '../../lib/time/time.ts'
import { useFocus } from '../../lib/keys/use-focus.ts'
import { useNow } from '../../lib/time/use-now.ts'
import classes from './access-table.module.css'
import { Failure } from '../feedback/failure.tsx'
import { When } from '../list/when.tsx'

const day = 86_400_000

interface Props {
  entries: readonly AccessEntry[]
  /** The `jti` of the token that was made just now. */
  fresh?: string | null
  error: unknown
  onEnd: (entry: AccessEntry) => void
}

/** Tokens and sessions, what they may and until when; each is ended in two steps in its own row. */
export function AccessTable({ entries, fresh = null, error, onEnd }: Props) {
  const now = useNow()
  const [asking, setAsking] = useState<string | null>(null)
  if (entries.length === 0) return <p className={classes['note']}>No tokens and no sessions.</p>
  return (
    <>
      <div className={classes['scroll']}>
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">May</th>
              <th scope="col">Ends</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <VisuallyHidden>End it</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => {
              const key = `${entry.kind} ${entry.id}`
              const over = entry.endedAt !== null || Date.parse(entry.expiresAt) <= now
              return (
                <tr key={key} data-over={over || undefined}>
                  <td>
                    <b>{nameOf(entry)}</b>
                    {entry.id === fresh && <span className={classes['new']}>new</span>}
                    {entry.current && <span className={classes['here']}>this browser</span>}
                  </td>
                  <td>{entry.kind === 'session' ? 'session' : (entry.scope ?? 'everything')}</td>
                  <td>
                    <Ends entry={entry} now={now} />
                  </td>
                  <td>{entry.lastUsedAt === null ? 'never' : <When at={entry.lastUsedAt} ago />}</td>
                  <td className={classes['end']}>
                    {!over &&
                      (asking === key ? (
                        <EndConfirmation
                          entry={entry}
                          onConfirm={() => {
                            setAsking(null)
                            onEnd(entry)
                          }}
                          onCancel={() => setAsking(null)}
                        />
                      ) : (
                        <Button
                          size="xs"
                          color="red"
                          aria-label={`${verbOf(entry)} ${nameOf(entry)}`}
                          onClick={() => setAsking(key)}
                        >
                          {verbOf(entry)}…
                        </Button>
                      ))}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      {error !== null && <Failure error={error} what="It could not be ended" />}
      <p className={classes['note']}>
        Revoking ends a token at once: the next request that carries it is refused.
      </p>
    </>
  )
}

interface ConfirmationProps {
  entry: AccessEntry
  onConfirm: () => void
  onCancel: () => void
}

function EndConfirmation({ entry, onConfirm, onCancel }: ConfirmationProps) {
  const focus = useFocus<HTMLButtonElement>()
  return (
    <span className={classes['confirm']}>
      {entry.current && <span>It signs you out here.</span>}
      <Button size="xs" variant="filled" color="red" ref={focus} onClick={onConfirm}>
        {verbOf(entry)} now
      </Button>
      <Button size="xs" onClick={onCancel}>
        Keep
      </Button>
    </span>
  )
}

const verbOf = ({ kind }: AccessEntry): string => (kind === 'token' ? 'Revoke' : 'End')

function nameOf({ kind, label }: AccessEntry): string {
  return label === '' ? (kind === 'token' ? 'token without a name' : 'desk session') : label
}

function Ends({ entry, now }: { entry: AccessEntry; now: number }) {
  if (entry.endedAt !== null) {
    return (
      <span className={classes['ends']} title={entry.endedAt}>
        <IconBan size={14} stroke={1.75} aria-hidden /> {entry.kind === 'token' ? 'revoked' : 'ended'}{' '}
        {formatDate(entry.endedAt, now)}
      </span>
    )
  }
  const left = Date.parse(entry.expiresAt) - now
  const date = formatFullDate(entry.expiresAt)
  if (left <= 0) {
    return (
      <span className={classes['ends']} title={entry.expiresAt}>
        expired {date}
      </span>
    )
  }
  if (entry.kind === 'session') {
    return <span title={entry.expiresAt}>after {formatAge(left)} without use</span>
  }
  const soon = left < 14 * day
  return (
    <span className={classes['ends']} data-soon={soon || undefined} title={entry.expiresAt}>
      {soon && <IconClock size={14} stroke={1.75} aria-hidden />}
      {date}, in {formatAge(left)}
    </span>
  )
}
