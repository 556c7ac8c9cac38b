import type { DeskPresence, DeskWriting } from '../../../shared/contracts/desk-decisions.ts'
import { deskServiceRoutes } from '../../../shared/contracts/desk-services.ts'
import { createStore } from '../state/store.ts'
import { call } from './client.ts'
import { createPacedCalls } from './paced-calls.ts'

/** The id of this page in the event stream; a new one after each reload. */
export const deskName = crypto.randomUUID()

/** The releases that are open at other desks; empty while the event stream is closed. */
export const openElsewhere = createStore<DeskPresence['open']>([])

/** The posts that other desks have open in their editors, including other desks of the same person. */
export const writtenElsewhere = createStore<DeskWriting['posts']>([])

/** The names of people who have a release open. The server lists each person once, and not the signed-in one. */
export function namesAt(open: DeskPresence['open'], release: number): string[] {
  return open.filter((one) => one.release === release).map(({ name }) => name)
}

/** What was last reported as open here. */
const openHere = { release: null as number | null, writing: { post: null as number | null, idleMs: 0 } }

// A failed report is ignored: nothing depends on it, and it is repeated when the stream reconnects.
const report = createPacedCalls(
  (what: keyof typeof openHere) =>
    (what === 'release'
      ? call(deskServiceRoutes.showPresence, { body: { desk: deskName, release: openHere.release } })
      : call(deskServiceRoutes.showWriting, { body: { desk: deskName, ...openHere.writing } })
    ).catch(() => undefined),
  () => 0,
)

/** Tells the other desks which release is open here. */
export function reportRelease(release: number | null): void {
  openHere.release = release
  report('release')
}

/** Tells the other desks which post is being edited here, and how long ago it was last edited. */
export function reportWriting(post: number | null, idleMs: number): void {
  openHere.writing = { post, idleMs }
  report('writing')
}
