import { Button } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconFingerprint,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { alertText } from '../../../../shared/agent-alert-text.ts'
import { agentPaths } from '../../../../shared/agent-paths.ts'
import type { AgentAlert } from '../../../../shared/contracts/desk-agents-common.ts'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { utcWhen } from '../agent-time.ts'
import { useMarkAlertSeen } from '../agents.api.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { NewsLine } from '../../../components/list/news-line.tsx'
import { ListSection } from '../table/table-section.tsx'
import { useFreezeWhileHovered } from '../../../lib/list/use-still-list.ts'
import { inDesk } from '../../../lib/app/address.ts'
import classes from './overview.module.css'

const looks = {
  mismatch: { Icon: IconFingerprint, tone: 'bad' },
  crashed: { Icon: IconAlertOctagonFilled, tone: 'bad' },
  revoked: { Icon: IconBan, tone: 'bad' },
  budget: { Icon: IconAlertTriangle, tone: 'warn' },
} as const

const everythingWell =
  'No agent is crashed, no budget is past its mark, no module is revoked, and every audit row that was checked matches its hash.'

/** With no more than these, what follows on the page stays in sight. */
const firstAlerts = 6

interface Props {
  alerts: readonly AgentAlert[]
  total: number
  /** Whether all that could be wrong has been looked at. */
  known?: boolean
  /** Whose page it is on. */
  agent?: string
}

/** What needs a person, worst first. Nothing moves in it while the pointer or the focus is there. */
export function AlertList({ alerts, total, agent, known = true }: Props) {
  const { shown, news, showNews, hand } = useFreezeWhileHovered(alerts, ({ id }) => String(id))
  const [wholly, setWholly] = useState(false)
  const order = total > 1 ? ', worst first' : ''
  const part = total > alerts.length ? `; the first ${alerts.length} are listed` : ''
  return (
    <ListSection
      title="Needs you"
      note={total === 0 ? 'nothing now' : `${formatCount(total)} now${order}${part}`}
      tools={
        <>
          <div className={classes['news']}>
            <NewsLine place="inline" words={news && 'This list has changed'} onShow={showNews} />
          </div>
          {/* Only the app shows desktop notifications, and they are set up there. */}
          {bridge !== null && agent === undefined && <Link href="/settings/app">Alert settings</Link>}
        </>
      }
    >
      {shown.length === 0 ? (
        <p className={classes['calm']}>
          {known && <IconCircleCheck size={16} stroke={1.75} aria-hidden />}
          {known ? everythingWell : 'Nothing that was read so far needs you; not all could be read.'}
        </p>
      ) : (
        <ul className={classes['alerts']} {...hand}>
          {shown.slice(0, wholly ? shown.length : firstAlerts).map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              here={agent}
              over={!alerts.some(({ id }) => id === alert.id)}
            />
          ))}
          {shown.length > firstAlerts && (
            <li className={classes['more']}>
              <TextButton aria-expanded={wholly} onClick={() => setWholly(!wholly)}>
                {wholly ? 'Show the first ones only' : `Show ${shown.length - firstAlerts} more`}
              </TextButton>
            </li>
          )}
        </ul>
      )}
    </ListSection>
  )
}

function AlertRow({ alert, over, here }: { alert: AgentAlert; over: boolean; here: string | undefined }) {
  const now = useNow()
  const { Icon, tone } = looks[alert.kind]
  const { about, title, text } = alertText(alert)
  return (
    <li>
      <Icon size={16} stroke={1.75} aria-hidden data-ink={tone} />
      <div className={classes['words']}>
        <p className={classes['title']} data-ink={over ? 'calm' : undefined}>
          <b>{about}</b> {title}
        </p>
        <p>{text}</p>
      </div>
      <span className={classes['since']}>
        {over ? (
          'over now'
        ) : (
          <time dateTime={alert.since} title={alert.since}>
            {formatAge(now - Date.parse(alert.since))}, since {utcWhen(alert.since, now)}
          </time>
        )}
      </span>
      <div className={classes['steps']}>
        <Steps alert={alert} here={here} />
      </div>
    </li>
  )
}

/** Where to look next. */
function Steps({ alert, here }: { alert: AgentAlert; here: string | undefined }) {
  const { id, kind, mismatch, revoked, since } = alert
  const { about, title, text } = alertText(alert)
  const agent = alert.agent ?? ''
  const isElsewhere = agent !== here
  return (
    <>
      {mismatch !== null && <Step href={agentPaths.auditRow(mismatch.id)} label="Audit row" />}
      {mismatch !== null && <Seen id={id} />}
      {revoked !== null && <Step href={`/desk/review/${revoked.release.id}?view=all`} label="Release" />}
      {revoked !== null && isElsewhere && <Step href={agentPaths.agent(agent)} label="Agent" />}
      {kind === 'budget' && <Step href={agentPaths.budget(agent)} label="Budget" />}
      {kind === 'crashed' && isElsewhere && <Step href={agentPaths.agent(agent)} label="Timeline" />}
      {kind === 'crashed' && (
        <CopyButton size="sm" label="Copy details" text={`${about} ${title}. ${text} Since ${since}.`} />
      )}
    </>
  )
}

function Step({ href, label }: { href: string; label: string }) {
  return (
    <Button component={Link} href={inDesk(href)} size="sm">
      {label}
    </Button>
  )
}

/** A row that does not match stays so: a person has seen it, and it leaves the list. */
function Seen({ id }: { id: number }) {
  const { mutate, isPending, error } = useMarkAlertSeen()
  const title =
    error === null ? 'It leaves this list; the row stays marked in the audit.' : asApiError(error).message
  return (
    <Button size="sm" disabled={isPending} title={title} onClick={() => mutate(id)}>
      {error === null ? 'Mark as seen' : 'Not marked; try again'}
    </Button>
  )
}
