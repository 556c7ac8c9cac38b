import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { agentPaths } from '../../../../shared/agent-paths.ts'
import type { AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import { Facts } from '../../../components/facts.tsx'
import { Badge, Status } from '../../../components/feedback/status.tsx'
import { When } from '../../../components/list/when.tsx'
import { formatCount, upperFirst } from '../../../lib/format.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { utcWhen } from '../agent-time.ts'
import { inDesk, webAddress } from '../../../lib/app/page-address.ts'
import { formatCents } from '../cost/money.ts'
import { texts } from '../agents.texts.ts'
import classes from './values.module.css'

export function Quiet({ children }: { children: ReactNode }) {
  return <span data-ink="calm">{children}</span>
}

interface StateProps {
  state: AgentState
  /** As stored in the database; shown if the state is unknown. */
  status?: string | null
  text?: ReactNode
}

export function AgentStateBadge({ state, status = null, text }: StateProps) {
  const isOther = state === 'unknown' && status !== null && status !== ''
  return (
    <Status kind={state} title={status}>
      {text ?? (isOther ? texts.values.unknownStatus(status) : upperFirst(state))}
    </Status>
  )
}

/** Labels and values; null is unknown. */
export function KnownFacts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <Facts
      facts={Object.entries(facts).map(([label, value]) => ({ label, value: value ?? texts.unknown }))}
    />
  )
}

/** A time of an agent project, in UTC; null is unknown. */
export function Utc({ at }: { at: string | null }) {
  return at === null ? texts.unknown : <When at={at} format={utcWhen} />
}

/** How long ago something was. */
export function Age({ at }: { at: string | null }) {
  return at === null ? (
    texts.unknown
  ) : (
    <When at={at} format={(then, now) => formatAge(now - Date.parse(then))} />
  )
}

/** A link to an agent. In a row that Enter opens, `tabIndex` -1 leaves it out of the tab order. */
export function AgentLink({ name, tabIndex }: { name: string; tabIndex?: -1 }) {
  return (
    <Link href={inDesk(agentPaths.agent(name))} className={classes['agent']} title={name} tabIndex={tabIndex}>
      {name}
    </Link>
  )
}

/** A link to an external site; text that is not a web address stays text. */
export function WebLink({ url }: { url: string | null }) {
  if (url === null) return <Quiet>{texts.unknown}</Quiet>
  const href = webAddress(url)
  if (href === null) return <code title={url}>{url}</code>
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer noopener"
      title={href}
      aria-label={`${url}, ${texts.values.newWindow}`}
    >
      <Badge icon={IconExternalLink} text={url} />
    </a>
  )
}

/** Crashes and failures are bad, budget and pause events are warnings. */
function eventTone(event: string): 'bad' | 'warn' | undefined {
  if (/crash|fail|panic/i.test(event)) return 'bad'
  return /pause|budget/i.test(event) ? 'warn' : undefined
}

// Table cells that show one field of a row.

type Cell<Key extends string, Value> = (row: Record<Key, Value>) => ReactNode
type Of<Value> = <Key extends string>(key: Key) => Cell<Key, Value>

export const utcCell: Of<string | null> = (key) => (row) => <Utc at={row[key]} />
export const countCell: Of<number | null> = (key) => (row) =>
  row[key] === null ? null : formatCount(row[key])
export const centsCell: Of<number | null> = (key) => (row) => formatCents(row[key])
export const agentCell: Of<string | null> = (key) => (row) => row[key] && <AgentLink name={row[key]} />
export const eventCell = ({ event }: Record<'event', string | null>) =>
  event && (
    <span data-ink={eventTone(event)} title={event}>
      {event}
    </span>
  )
