import { agentPaths } from './agent-paths.ts'
import type { AgentAlert } from './contracts/desk-agents-common.ts'

/** The text of an alert: what happened, then the details. `about` is the subject of the sentence in `title`. */
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
      title: 'crashed and is down',
      text: crashText(alert.crash),
      href: agentPaths.agent(agent),
    }
  }
  if (alert.revoked !== null) {
    const { name, version, decidedAt, reason } = alert.revoked.release
    const when = decidedAt === null ? '' : ` on ${day(decidedAt)}`
    const why = reason === null ? '.' : `: ${quoted(reason)}`
    return {
      about: agent,
      title: 'runs a revoked module',
      text: `${name} ${version} was revoked${when}${why} The agent's module has the same digest.`,
      href: agentPaths.agent(agent),
    }
  }
  return budgetText(agent, alert.budget)
}

/** A quotation at the end of a sentence; a period follows unless it ends with punctuation. */
const quoted = (text: string): string => `“${text}”${/[.!?…]$/.test(text) ? '' : '.'}`

function mismatchText(mismatch: NonNullable<AgentAlert['mismatch']>, agent: string | null): AlertText {
  const { id, event, rows, aroundMatch } = mismatch
  const href = agentPaths.auditRow(id)
  if (rows > 1) {
    return {
      about: `${rowNumber(rows)} audit rows`,
      title: 'do not match their hashes',
      text: `The newest is row ${rowNumber(id)}.`,
      href,
    }
  }
  const source = `${event ?? 'Unnamed event'} by ${agent ?? 'an unknown agent'}.`
  const around =
    aroundMatch === null
      ? ''
      : aroundMatch
        ? ' The rows around it match.'
        : ' A row next to it does not match either.'
  return {
    about: `Audit row ${rowNumber(id)}`,
    title: 'does not match its hash',
    text: `${source}${around}`,
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
  const isSilent = lastWords === null || lastWords === ''
  const message = isSilent ? 'No last message was recorded.' : `Last message: ${lastWords}`
  if (supervisor === null) return `It has no supervisor, so it won't be restarted. ${message}`
  if (restarts === null || windowSeconds === null) return `Its supervisor is ${supervisor}. ${message}`
  const times = `Restarted ${restarts} ${restarts === 1 ? 'time' : 'times'} within ${windowSeconds} s`
  const limit =
    maxRestarts === null
      ? ` by supervisor ${supervisor}`
      : restarts >= maxRestarts
        ? `, the limit of supervisor ${supervisor}`
        : ` (supervisor ${supervisor} allows ${maxRestarts})`
  return `${times}${limit}. ${message}`
}

const adjectives: Record<string, string> = { day: 'daily', week: 'weekly', month: 'monthly' }
const endings: Record<string, string> = {
  alert: 'This budget only sends alerts.',
  throttle: 'This budget throttles calls.',
}

function budgetText(agent: string, budget: AgentAlert['budget']): AlertText {
  const href = agentPaths.budget(agent)
  if (budget === null) return { about: agent, title: 'needs attention', text: '', href }
  const { spentCents, budgetCents, alertAt, period, action, state } = budget
  const kind = adjectives[period.toLowerCase()] ?? period
  const amounts = `${dollars(spentCents)} of ${dollars(budgetCents)}`
  const title =
    spentCents >= budgetCents
      ? `is over its ${kind} budget: ${amounts}`
      : `has reached the alert threshold of its ${kind} budget: ${amounts}`
  const isPaused = action === 'pause' && state === 'paused'
  const consequence = isPaused
    ? 'The agent is paused.'
    : (endings[action] ?? `Action: ${action}; the agent is ${state}.`)
  return { about: agent, title, text: `Alert threshold: ${alertAt}%. ${consequence}`, href }
}
