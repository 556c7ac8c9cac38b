import { createStore } from '../../../lib/state/store.ts'

/** A range of a module's bytes that somebody wants to look at, as a finding names it. */
export interface WantedBytes {
  releaseId: number
  offset: number
  length: number
}

/** What "Inside" shows next, if it is on the screen; it takes the wish from here when it has heard it. */
export const wantedBytes = createStore<WantedBytes | null>(null)

export function showBytes(wanted: WantedBytes): void {
  wantedBytes.set(wanted)
}
