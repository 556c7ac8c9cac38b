import { agentPaths } from './agent-paths.ts'
import type { AgentAlert } from './contracts/desk-agents-common.ts'

/** What an alert says: what has happened, then what is known of it. `about` stands at the start of `title`, in bold. */
export interface AlertText {
  about: string
  title: string
  text: string
  href: string
}

export const dollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

const rowNumber = (id: number): string => id.toLocaleString('en-US')

const day = (instant: string): string =>
  new Date(instant).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function alertText(alert: AgentAlert): AlertText {
  const agent = alert.agent ?? ''
  if (alert.mismatch !== null) return mismatchText(alert.mismatch, alert.agent)
  if (alert.crash !== null) {
    return {
      about: agent,
      title: 'crashed and stays down',
      text: crashText(alert.crash),
      href: agentPaths.agent(agent),
    }
  }
  if (alert.revoked !== null) {
    const { name, version, decidedAt, reason } = alert.revoked.release
    const when = decidedAt === null ? '' : ` on ${day(decidedAt)}`
    return {
      about: agent,
      title: 'runs a revoked module',
      text: `${name} ${version} was revoked${when}${reason === null ? '.' : `: ${quoted(reason)}`} Same digest.`,
      href: agentPaths.agent(agent),
    }
  }
  return budgetText(agent, alert.budget)
}

/** A quotation that ends its sentence: with its own full stop, or with one after it. */
const quoted = (words: string): string => `“${words}”${/[.!?…]$/.test(words) ? '' : '.'}`

function mismatchText(mismatch: NonNullable<AgentAlert['mismatch']>, agent: string | null): AlertText {
  const { id, event, rows, aroundMatch } = mismatch
  const href = agentPaths.auditRow(id)
  if (rows > 1) {
    return {
      about: `${rowNumber(rows)} audit rows`,
      title: 'do not match their hashes',
      text: `The newest of them is row ${rowNumber(id)}.`,
      href,
    }
  }
  const who = `${event ?? 'An event without a name'} by ${agent ?? 'an unknown agent'}.`
  const around =
    aroundMatch === null
      ? ''
      : aroundMatch
        ? ' The rows around it match.'
        : ' A row next to it does not match either.'
  return {
    about: `Audit row ${rowNumber(id)}`,
    title: 'does not match its hash',
    text: `${who}${around}`,
    href,
  }
}

function crashText({
  lastWords,
  supervisor,
  restarts,
  maxRestarts,
  windowSeconds,
}: NonNullable<AgentAlert['crash']>): string {
  const words = lastWords === null || lastWords === '' ? 'It left no last words.' : `Last words: ${lastWords}`
  if (supervisor === null) return `No supervisor starts it again. ${words}`
  if (restarts === null || windowSeconds === null) return `Its supervisor is ${supervisor}. ${words}`
  const times = `Restarted ${restarts} ${restarts === 1 ? 'time' : 'times'} within ${windowSeconds} s`
  const limit =
    maxRestarts === null
      ? ` by supervisor ${supervisor}`
      : restarts >= maxRestarts
        ? `, which is all that supervisor ${supervisor} allows`
        : ` of ${maxRestarts} that supervisor ${supervisor} allows`
  return `${times}${limit}. ${words}`
}

const adjectives: Record<string, string> = { day: 'daily', week: 'weekly', month: 'monthly' }
const endings: Record<string, string> = {
  alert: 'This budget only alerts.',
  throttle: 'Its calls are slowed down.',
}

function budgetText(agent: string, budget: AgentAlert['budget']): AlertText {
  const href = agentPaths.budget(agent)
  if (budget === null) return { about: agent, title: 'needs a look', text: '', href }
  const { spentCents, budgetCents, alertAt, period, action, state } = budget
  const kind = adjectives[period.toLowerCase()] ?? period
  const amounts = `${dollars(spentCents)} of ${dollars(budgetCents)}`
  const title =
    spentCents >= budgetCents
      ? `is over its ${kind} budget: ${amounts}`
      : `is past the mark of its ${kind} budget: ${amounts}`
  const isPaused = action === 'pause' && state === 'paused'
  const then = isPaused
    ? 'The agent is paused.'
    : (endings[action] ?? `Action is ${action}; the agent is ${state}.`)
  return { about: agent, title, text: `The mark is at ${alertAt} %. ${then}`, href }
}
