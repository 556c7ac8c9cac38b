import { agentPaths } from './agent-paths.ts'
import type { AgentAlert } from './contracts/desk-agents-common.ts'

/** What an alert is about: its agent, and the one of these parts that its kind has. */
export type AlertContent = Pick<AgentAlert, 'agent'> &
  Partial<Pick<AgentAlert, 'mismatch' | 'crash' | 'revoked' | 'budget'>>

type Of<Part extends keyof AgentAlert> = NonNullable<AgentAlert[Part]>

export const dollars = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

const rowNumber = (id: number): string => id.toLocaleString('en-US')

const day = (instant: string): string =>
  new Date(instant).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The text of an alert: what happened, then the details. `about` is the subject of the sentence in `title`. */
export function alertText({
  agent,
  mismatch = null,
  crash = null,
  revoked = null,
  budget = null,
}: AlertContent) {
  if (mismatch !== null) return { ...mismatchText(mismatch, agent), href: agentPaths.auditRow(mismatch.id) }
  const about = agent ?? ''
  const href = agentPaths.agent(about)
  if (crash !== null) return { about, title: 'crashed and is down', text: crashText(crash), href }
  if (revoked !== null) return { about, title: 'runs a revoked module', text: revokedText(revoked), href }
  return { about, ...budgetText(budget), href: agentPaths.budget(about) }
}

function mismatchText({ id, event, rows, aroundMatch }: Of<'mismatch'>, agent: string | null) {
  const text = `${event ?? 'Unnamed event'} by ${agent ?? 'an unknown agent'}.`
  const around = aroundMatch ? ' The rows around it match.' : ' A row next to it does not match either.'
  return rows > 1
    ? {
        about: `${rowNumber(rows)} audit rows`,
        title: 'do not match their hashes',
        text: `The newest is row ${rowNumber(id)}.`,
      }
    : {
        about: `Audit row ${rowNumber(id)}`,
        title: 'does not match its hash',
        text: aroundMatch === null ? text : `${text}${around}`,
      }
}

function revokedText({ release: { name, version, decidedAt, reason } }: Of<'revoked'>): string {
  const when = decidedAt === null ? '' : ` on ${day(decidedAt)}`
  // A quotation at the end of a sentence: a period follows unless it ends with punctuation.
  const end = reason !== null && /[.!?…]$/.test(reason) ? '' : '.'
  const why = reason === null ? '' : `: “${reason}”`
  return `${name} ${version} was revoked${when}${why}${end} The agent's module has the same digest.`
}

function crashText(crash: Of<'crash'>): string {
  const { lastWords, supervisor, restarts, maxRestarts, windowSeconds } = crash
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

function budgetText(budget: AgentAlert['budget']) {
  if (budget === null) return { title: 'needs attention', text: '' }
  const { spentCents, budgetCents, alertAt, period, action, state } = budget
  const what = spentCents >= budgetCents ? 'is over its' : 'has reached the alert threshold of its'
  const kind = adjectives[period.toLowerCase()] ?? period
  const isPaused = action === 'pause' && state === 'paused'
  const consequence = isPaused
    ? 'The agent is paused.'
    : (endings[action] ?? `Action: ${action}; the agent is ${state}.`)
  return {
    title: `${what} ${kind} budget: ${dollars(spentCents)} of ${dollars(budgetCents)}`,
    text: `Alert threshold: ${alertAt}%. ${consequence}`,
  }
}
