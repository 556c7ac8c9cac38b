import { Button, VisuallyHidden } from '@mantine/core'
import { IconBan, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import type { AccessEntry } from '../../../shared/contracts/desk-people.ts'
import { formatAge, formatDate, formatFullDate } from '../../lib/time/time.ts'
import { useNow } from '../../lib/time/use-now.ts'
import classes from './access-table.module.css'
import { ConfirmButtons } from './confirm-buttons.tsx'
import { Failure } from '../feedback/failure.tsx'
import { When } from '../list/when.tsx'

const day = 86_400_000

interface Props {
  entries: readonly AccessEntry[]
  /** The `jti` of the token that was just created. */
  fresh?: string | null
  error: unknown
  onEnd: (entry: AccessEntry) => void
}

/** Tokens, sessions and passkeys with scope and expiry. Revoking one asks for confirmation in its row. */
export function AccessTable({ entries, fresh = null, error, onEnd }: Props) {
  const now = useNow()
  const [confirming, setConfirming] = useState<string | null>(null)
  if (entries.length === 0)
    return (
      <p className={classes['note']} data-text="hint">
        No tokens or sessions.
      </p>
    )
  return (
    <>
      <div className={classes['scroll']}>
        <table className={classes['table']}>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Scope</th>
              <th scope="col">Expires</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => {
              const key = `${entry.kind} ${entry.id}`
              const over =
                entry.endedAt !== null || (entry.expiresAt !== null && Date.parse(entry.expiresAt) <= now)
              return (
                <tr key={key} data-over={over || undefined}>
                  <td>
                    <b>{nameOf(entry)}</b>
                    {entry.id === fresh && <span className={classes['new']}>new</span>}
                    {entry.current && <span className={classes['here']}>this browser</span>}
                  </td>
                  <td>{scopeOf(entry)}</td>
                  <td>
                    <Expiry entry={entry} now={now} />
                  </td>
                  <td>{entry.lastUsedAt === null ? 'never' : <When at={entry.lastUsedAt} ago />}</td>
                  <td className={classes['end']}>
                    {!over &&
                      (confirming === key ? (
                        <span className={classes['confirm']}>
                          {entry.current && <span>This signs you out.</span>}
                          <ConfirmButtons
                            size="xs"
                            confirm={`${verbOf(entry)} now`}
                            onConfirm={() => {
                              setConfirming(null)
                              onEnd(entry)
                            }}
                            onCancel={() => setConfirming(null)}
                          />
                        </span>
                      ) : (
                        <Button
                          size="xs"
                          color="red"
                          aria-label={`${verbOf(entry)} ${nameOf(entry)}`}
                          onClick={() => setConfirming(key)}
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
      {error !== null && <Failure error={error} what="Couldn't end this access" />}
      <p className={classes['note']} data-text="hint">
        Revoking a token or ending a session takes effect immediately.
      </p>
    </>
  )
}

function scopeOf({ kind, remote, scope }: AccessEntry): string {
  if (kind === 'token') return scope ?? 'full access'
  return remote ? 'remote session' : kind
}

const words = {
  token: { end: 'Revoke', ended: 'revoked', unnamed: 'unnamed token' },
  session: { end: 'End', ended: 'ended', unnamed: 'desk session' },
  passkey: { end: 'Remove', ended: 'removed', unnamed: 'passkey' },
} as const

const verbOf = ({ kind }: AccessEntry): string => words[kind].end

const nameOf = ({ kind, label }: AccessEntry): string => (label === '' ? words[kind].unnamed : label)

function Expiry({ entry, now }: { entry: AccessEntry; now: number }) {
  if (entry.endedAt !== null) {
    return (
      <span className={classes['ends']} title={entry.endedAt}>
        <IconBan size={14} stroke={1.75} aria-hidden /> {words[entry.kind].ended}{' '}
        {formatDate(entry.endedAt, now)}
      </span>
    )
  }
  if (entry.expiresAt === null) return 'never'
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
    return <span title={entry.expiresAt}>in {formatAge(left)} if not used</span>
  }
  const soon = left < 14 * day
  return (
    <span className={classes['ends']} data-ink={soon ? 'warn' : undefined} title={entry.expiresAt}>
      {soon && <IconClock size={14} stroke={1.75} aria-hidden />}
      {date}, in {formatAge(left)}
    </span>
  )
}
