import { createStore } from '../../../lib/state/store.ts'

/** A place in a release's module: a range of bytes, such as the place of a finding, or a function by its index. */
export type RequestedPlace = { releaseId: number } & ({ offset: number; length: number } | { index: number })

/** The place that the module viewer shows next. The viewer resets it to null. */
export const requestedPlace = createStore<RequestedPlace | null>(null)

export function showInModule(place: RequestedPlace): void {
  requestedPlace.set(place)
}
