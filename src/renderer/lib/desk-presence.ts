import type { DeskPresence } from '../../shared/contracts/desk-decisions.ts'
import { createStore } from './store.ts'

/** The name that this page gives itself when it opens the stream of changes; another one after a reload. */
export const deskName = crypto.randomUUID()

/** Which releases are open at other desks; nothing while the stream is not open, for then it is not known. */
export const openElsewhere = createStore<DeskPresence['open']>([])

/** The names of the others who have a release open, each once. */
export function namesAt(open: DeskPresence['open'], release: number, me: number): string[] {
  return [
    ...new Map(
      open
        .filter((one) => one.release === release && one.personId !== me)
        .map(({ personId, name }) => [personId, name]),
    ).values(),
  ]
}
