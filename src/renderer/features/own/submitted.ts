/** What the page for submitting leaves to the list of the own releases, with the step in the history. */
export interface SubmittedState {
  /** The release that has just been submitted. */
  submitted: number
}

export function readSubmitted(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('submitted' in state)) return null
  return typeof state.submitted === 'number' ? state.submitted : null
}
