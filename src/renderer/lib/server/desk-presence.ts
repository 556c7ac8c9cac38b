import type { DeskPresence, DeskWriting } from '../../../shared/contracts/desk-decisions.ts'
import { createStore } from '../state/store.ts'

/** The name that this page gives itself when it opens the stream of changes; another one after a reload. */
export const deskName = crypto.randomUUID()

/** Which releases are open at other desks; nothing while the stream is not open, for then it is not known. */
export const openElsewhere = createStore<DeskPresence['open']>([])

/** Which posts other desks have in their editors, the own person's too. */
export const writtenElsewhere = createStore<DeskWriting['posts']>([])

/** The names of those who have a release open. The server leaves out one's own desks, and names each person once. */
export function namesAt(open: DeskPresence['open'], release: number): string[] {
  return open.filter((one) => one.release === release).map(({ name }) => name)
}
