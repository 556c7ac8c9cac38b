import type { DeskPresence, DeskWriting } from '../../../shared/contracts/desk-decisions.ts'
import { createStore } from '../state/store.ts'

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
