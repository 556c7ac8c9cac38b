import {
  IconAlertOctagonFilled,
  IconAlertTriangle,
  IconCheck,
  IconExternalLink,
  IconHelpCircle,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerStop,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { agentPaths } from '../../../../shared/agent-paths.ts'
import type { AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import { formatCount } from '../../../lib/format.ts'
import { formatAge } from '../../../lib/time/time.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { utcWhen } from '../agent-time.ts'
import { inDesk, webAddress } from '../../../lib/app/address.ts'
import { formatCents } from '../cost/money.ts'
import classes from './signs.module.css'

export function Quiet({ children }: { children: ReactNode }) {
  return <span data-ink="calm">{children}</span>
}

const icons = { bad: IconAlertOctagonFilled, warn: IconAlertTriangle, ok: IconCheck, calm: IconHelpCircle }

interface SignProps {
  tone: keyof typeof icons
  text: ReactNode
  /** Another one than the tone has. */
  icon?: Icon
  title?: string | null | undefined
  /** What the icon says, where the words do not say it. */
  label?: string
}

/** First the words, then the shape, then the colour. */
export function Sign({ tone, text, icon: SignIcon = icons[tone], title, label }: SignProps) {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <span className={classes['sign']} data-ink={tone} title={title ?? undefined}>
      <SignIcon size={14} stroke={1.75} {...named} />
      <span>{text}</span>
    </span>
  )
}

const states = {
  crashed: { icon: IconAlertOctagonFilled, tone: 'bad', word: 'Crashed' },
  paused: { icon: IconPlayerPauseFilled, tone: 'warn', word: 'Paused' },
  stopped: { icon: IconPlayerStop, tone: 'calm', word: 'Stopped' },
  running: { icon: IconPlayerPlayFilled, tone: 'ok', word: 'Running' },
  unknown: { icon: IconHelpCircle, tone: 'calm', word: 'unknown' },
} as const

interface StateProps {
  state: AgentState
  /** The word of the database, told where the state is not known. */
  status?: string | null
  text?: ReactNode
}

export function AgentStateSign({ state, status = null, text }: StateProps) {
  const { word, ...look } = states[state]
  const said = state === 'unknown' && status !== null && status !== '' ? `unknown: ${status}` : word
  return <Sign {...look} title={status} text={text ?? said} />
}

/** A point in time, the exact one on a closer look; `unknown` where there is none. */
function Time({ at, words }: { at: string | null; words: (at: string, now: number) => string }) {
  const now = useNow()
  if (at === null) return <>unknown</>
  return (
    <time dateTime={at} title={at}>
      {words(at, now)}
    </time>
  )
}

/** A time of an agent project, in UTC. */
export function Utc({ at }: { at: string | null }) {
  return <Time at={at} words={utcWhen} />
}

/** How long ago something was. */
export function Age({ at }: { at: string | null }) {
  return <Time at={at} words={(then, now) => formatAge(now - Date.parse(then))} />
}

/** Leads to an agent. In a row that Enter opens it is no stop of its own: `tabIndex` -1. */
export function AgentLink({ name, tabIndex }: { name: string; tabIndex?: -1 }) {
  return (
    <Link
      href={inDesk(agentPaths.agent(name))}
      className={classes['agent']}
      title={name}
      tabIndex={tabIndex}
    >
      {name}
    </Link>
  )
}

/** An address that leads outside; text that is no web address stays text. */
export function WebLink({ url }: { url: string | null }) {
  if (url === null) return <Quiet>unknown</Quiet>
  const href = webAddress(url)
  if (href === null) return <code title={url}>{url}</code>
  return (
    <a href={href} target="_blank" rel="noreferrer noopener" className={classes['sign']} title={href}>
      <span>{url}</span>
      <IconExternalLink size={14} stroke={1.75} role="img" aria-label="opens outside" />
    </a>
  )
}

/** What happened; a crash or a failure in red. */
export function EventName({ event }: { event: string | null }) {
  const isBad = /crash|fail/i.test(event ?? '')
  return <span data-ink={isBad ? 'bad' : undefined}>{event ?? 'unknown'}</span>
}

// Cells of tables that show one field of a row.

type Cell<Key extends string, Value> = (row: Record<Key, Value>) => ReactNode
type Of<Value> = <Key extends string>(key: Key) => Cell<Key, Value>

export const utcCell: Of<string | null> = (key) => (row) => <Utc at={row[key]} />
export const countCell: Of<number | null> = (key) => (row) =>
  row[key] === null ? null : formatCount(row[key])
export const centsCell: Of<number | null> = (key) => (row) => formatCents(row[key])
export const agentCell: Of<string | null> = (key) => (row) => row[key] && <AgentLink name={row[key]} />
