import { createStore } from '../../../lib/state/store.ts'

/** A range of a module's bytes that somebody wants to look at, as a finding names it. */
export interface RequestedBytes {
  releaseId: number
  offset: number
  length: number
}

/** What "Inside" shows next, if it is on the screen; it takes the wish from here when it has heard it. */
export const requestedBytes = createStore<RequestedBytes | null>(null)

export function showBytes(wanted: RequestedBytes): void {
  requestedBytes.set(wanted)
}
