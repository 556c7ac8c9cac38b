/** History state that the submission page passes to the list of releases. */
export interface SubmittedState {
  /** Id of the release that was just submitted. */
  submitted: number
}

export function readSubmitted(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('submitted' in state)) return null
  return typeof state.submitted === 'number' ? state.submitted : null
}
