import { Button } from '@mantine/core'
import {
  IconAlertOctagonFilled,
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconFingerprint,
  IconHelpCircle,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { alertText } from '../../../../shared/agent-alert-text.ts'
import type { AgentAlert } from '../../../../shared/contracts/desk-agents-common.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { CopyButton } from '../../../components/form/copy-button.tsx'
import { asApiError } from '../../../lib/server/api-error.ts'
import { bridge } from '../../../lib/app/bridge.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { utcWhen } from '../agent-time.ts'
import { useAcknowledgeAlert } from '../agents.api.ts'
import { TextButton } from '../../../components/form/text-button.tsx'
import { When } from '../../../components/list/when.tsx'
import { NewsLine } from '../../../components/list/news-line.tsx'
import { Section } from '../../../components/section.tsx'
import { idOf } from '../../../lib/list/paged-list.ts'
import { useFreezeWhileHovered } from '../../../lib/list/use-paged-list.ts'
import { inDesk } from '../../../lib/app/page-address.ts'
import { texts } from '../agents.texts.ts'
import classes from './overview.module.css'

const looks = {
  mismatch: { Icon: IconFingerprint, tone: 'bad' },
  crashed: { Icon: IconAlertOctagonFilled, tone: 'bad' },
  revoked: { Icon: IconBan, tone: 'bad' },
  budget: { Icon: IconAlertTriangle, tone: 'warn' },
} as const

/** Few enough to keep the rest of the page in view. */
const firstAlerts = 6

interface Props {
  alerts: readonly AgentAlert[]
  total: number
  /** Whether all data that alerts come from could be read. */
  isComplete?: boolean
  /** The agent whose page shows the list. */
  agent?: string
}

/** The alerts, most severe first. Rows stay in place while the pointer or the focus is on the list. */
export function AlertList({ alerts, total, agent, isComplete = true }: Props) {
  const { shown, news, showNews, freezeProps } = useFreezeWhileHovered(alerts, idOf)
  const [expanded, setExpanded] = useState(false)
  const partly = total > alerts.length ? texts.alerts.partly(alerts.length) : ''
  return (
    <Section
      title={texts.alerts.title}
      beside={total === 0 ? texts.alerts.noAlerts : `${texts.alerts.count(total)}${partly}`}
      note={
        <>
          <div className={classes['news']}>
            <NewsLine place="inline" text={news && texts.alerts.changed} onShow={showNews} />
          </div>
          {/* Only the app shows desktop notifications, so only the app has settings for them. */}
          {bridge !== null && agent === undefined && (
            <Link href="/settings/app">{texts.alerts.settings}</Link>
          )}
        </>
      }
    >
      {shown.length === 0 ? (
        <Notice
          tone="note"
          icon={isComplete ? IconCircleCheck : IconHelpCircle}
          title={isComplete ? texts.alerts.allWell : texts.alerts.incomplete}
        />
      ) : (
        <ul className={classes['alerts']} {...freezeProps}>
          {shown.slice(0, expanded ? shown.length : firstAlerts).map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              here={agent}
              resolved={!alerts.some(({ id }) => id === alert.id)}
            />
          ))}
          {shown.length > firstAlerts && (
            <li className={classes['more']}>
              <TextButton aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
                {expanded ? texts.alerts.showFewer : texts.alerts.showMore(shown.length - firstAlerts)}
              </TextButton>
            </li>
          )}
        </ul>
      )}
    </Section>
  )
}

interface RowProps {
  alert: AgentAlert
  resolved: boolean
  here: string | undefined
}

/** What happened, since when, and what can be done: links to what it is about, acknowledging or copying it. */
function AlertRow({ alert, resolved, here }: RowProps) {
  const { id, kind, agent, revoked, since } = alert
  const { Icon, tone } = looks[kind]
  const { about, title, text, href } = alertText(alert)
  const { steps, release, copy, details } = texts.alerts
  const isHere = (kind === 'crashed' || kind === 'revoked') && agent === here
  const links = [
    ...(revoked === null ? [] : [[`/desk/review/${revoked.release.id}?view=all`, release] as const]),
    ...(isHere ? [] : [[href, steps[kind]] as const]),
  ]
  return (
    <li>
      <Icon size={16} stroke={1.75} aria-hidden data-ink={tone} />
      <div className={classes['text']}>
        <p className={classes['title']} data-ink={resolved ? 'calm' : undefined}>
          <b>{about}</b> {title}
        </p>
        <p>{text}</p>
      </div>
      <span className={classes['since']}>
        {resolved ? (
          texts.alerts.resolved
        ) : (
          <When
            at={since}
            format={(at, now) => texts.alerts.since(formatAge(now - Date.parse(at)), utcWhen(at, now))}
          />
        )}
      </span>
      <div className={classes['steps']}>
        {links.map(([address, label]) => (
          <Button key={address} component={Link} href={inDesk(address)} size="sm">
            {label}
          </Button>
        ))}
        {kind === 'mismatch' && <Acknowledge id={id} />}
        {kind === 'crashed' && (
          <CopyButton size="sm" label={copy} text={details(`${about} ${title}. ${text}`, since)} />
        )}
      </div>
    </li>
  )
}

/** A mismatch rarely goes away by itself, so acknowledging it removes the alert. */
function Acknowledge({ id }: { id: number }) {
  const { mutate, isPending, error } = useAcknowledgeAlert()
  const title = error === null ? texts.alerts.acknowledgeHint : asApiError(error).message
  return (
    <Button size="sm" disabled={isPending} title={title} onClick={() => mutate(id)}>
      {error === null ? texts.alerts.acknowledge : texts.alerts.acknowledgeFailed}
    </Button>
  )
}
