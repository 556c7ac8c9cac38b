import { createStore } from '../../../lib/state/store.ts'

/** A range of a module's bytes to show, for example the place of a finding. */
export interface RequestedBytes {
  releaseId: number
  offset: number
  length: number
}

/** The range that the module viewer shows next. The viewer resets it to null. */
export const requestedBytes = createStore<RequestedBytes | null>(null)

export function showBytes(range: RequestedBytes): void {
  requestedBytes.set(range)
}
