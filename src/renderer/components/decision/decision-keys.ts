/** The key of each decision, in the reviews, the showcase and the media library. */
export const decisionKeys = {
  approve: 'a',
  reject: 'r',
  /** Revokes a release, takes down or deletes a project, and deletes images. */
  remove: 'x',
  undo: 'z',
  /** Asks the publisher a question. */
  ask: 'q',
  /** Confirms the new capabilities of a release, which an approval requires. */
  confirmCapabilities: 't',
} as const
