import type { HeldDecision } from '../../../shared/contracts/desk-decisions.ts'
import { plural, upperFirst } from '../format.ts'
import { createStore } from '../state/store.ts'

/** A held decision, with the end of its undo window by this computer's clock. */
export interface Held extends HeldDecision {
  /** Milliseconds since 1970. */
  until: number
}

export type WithHeld<T extends { held: HeldDecision | null }> = Omit<T, 'held'> & { held: Held | null }

/** Converts the remaining time of a read into a time by this computer's clock. */
export function withUntil<T extends { held: HeldDecision | null }>(read: T, now: number): WithHeld<T> {
  const { held } = read
  return { ...read, held: held === null ? null : { ...held, until: now + held.remainingMs } }
}

/** A decision of the signed-in person that can still be undone, or whose outcome is not known yet. */
export interface OwnHeld {
  releaseId: number
  name: string
  version: string
  publisher: string
  action: Held['action']
  undoMs: number
  until: number
  /** When this page learned of it. Data read earlier does not include it. */
  since: number
}

/** In the order in which they take effect. */
export const ownHeld = createStore<readonly OwnHeld[]>([])

/** Undoes a decision; set by the hook that sends decisions to the server. */
export const undoHeld = createStore<(releaseId: number) => void>(() => {})

/** Two reads of one decision differ by some milliseconds, which must not move its countdown. */
const sameMs = 1500

/** Adds or updates a decision; returns the same list if nothing has changed. */
export function withOwn(list: readonly OwnHeld[], one: OwnHeld): readonly OwnHeld[] {
  const known = list.find(({ releaseId }) => releaseId === one.releaseId)
  const isSame =
    known !== undefined && known.action === one.action && Math.abs(known.until - one.until) < sameMs
  if (isSame) return list
  return [...withoutOwn(list, one.releaseId), one].toSorted((a, b) => a.until - b.until)
}

export function withoutOwn(list: readonly OwnHeld[], releaseId: number): readonly OwnHeld[] {
  return list.some((one) => one.releaseId === releaseId)
    ? list.filter((one) => one.releaseId !== releaseId)
    : list
}

/** The latest decision, which is undone first. */
export function latestOwn(list: readonly OwnHeld[]): OwnHeld | null {
  return list.at(-1) ?? null
}

/** At most the undo window: `now` may be slightly older than the decision. */
export function secondsLeft({ undoMs, until }: Pick<Held, 'undoMs' | 'until'>, now: number): number {
  return Math.max(0, Math.ceil(Math.min(undoMs, until - now) / 1000))
}

/** When a decision with this undo window (milliseconds) takes effect. */
export function undoWindowSentence(undoMs: number): string {
  if (undoMs === 0) return "The decision takes effect immediately and can't be undone."
  const seconds = plural(undoMs / 1000, 'second')
  return `The decision takes effect in ${seconds}, even if you close the desk. Until then you can undo it.`
}

const done = { approved: 'approved', rejected: 'rejected' } as const
const third = { approved: 'approves', rejected: 'rejects' } as const
const doing = { approved: 'approving', rejected: 'rejecting' } as const
const nouns = { approved: 'approval', rejected: 'rejection' } as const

/** `will be rejected in 7 s. Marta Okafor can't read your notes yet.` */
export function heldSentence({ action, publisher }: OwnHeld, seconds: number): string {
  if (seconds === 0) return `is being ${done[action]}.`
  const until =
    action === 'approved' ? "It can't be downloaded yet." : `${publisher} can't read your notes yet.`
  return `will be ${done[action]} in ${seconds} s. ${until}`
}

/** `was rejected. Marta Okafor can read your notes.` */
export function carriedOutSentence({ action, publisher }: Pick<OwnHeld, 'action' | 'publisher'>): string {
  const now = action === 'approved' ? 'Anyone can download it now.' : `${publisher} can read your notes.`
  return `was ${done[action]}. ${now}`
}

/** `2 more can be undone` */
export function othersWait(count: number): string {
  if (count === 0) return ''
  return `${count} more can be undone`
}

/** `rejecting in 7 s` for one's own, `Ilse rejects in 7 s` for another person's. */
export function heldLabel(held: Held, who: { me: number; short: boolean }, seconds: number): string {
  if (held.byId === who.me)
    return seconds === 0 ? doing[held.action] : `${doing[held.action]} in ${seconds} s`
  const name = who.short ? (held.by.split(' ')[0] ?? held.by) : held.by
  return seconds === 0 ? `${name} ${third[held.action]}` : `${name} ${third[held.action]} in ${seconds} s`
}

/** `Your rejection takes effect`, `Ilse Verbeek's rejection takes effect` */
export function heldSubject({ by, byId, action }: Held, me: number): string {
  return `${byId === me ? 'Your' : `${by}'s`} ${nouns[action]} takes effect`
}

/** For screen readers: `The rejection of csv-to-json 2.1.0 takes effect in 25 seconds. Press Z to undo.` */
export function heldAnnouncement(one: OwnHeld, seconds: number): string {
  const title = heldTitle(one)
  const subject = upperFirst(title)
  if (seconds === 0) return `${subject} takes effect now.`
  return `${subject} takes effect in ${plural(seconds, 'second')}. Press Z to undo.`
}

/** `the rejection of csv-to-json 2.1.0` */
export function heldTitle({ action, name, version }: OwnHeld): string {
  return `the ${nouns[action]} of ${name} ${version}`
}
