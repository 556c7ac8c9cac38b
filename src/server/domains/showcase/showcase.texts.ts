/** The sentences of errors about projects. */
export const texts = {
  noProject: (id: number) => `There is no project with the id ${id}.`,
  editedElsewhere:
    'Someone else saved this project while you were editing it. Compare the two versions before you save.',
  slugTaken: (slug: string) => `The slug ${slug} is already used by another page. Choose a different one.`,
  alreadyDecided: (action: string) => `This project is already ${action}.`,
  noReason: 'Enter review notes to reject the project.',
  emptyReason: 'must not be empty',
  notRejected: (title: string, status: string) =>
    `The project “${title}” is ${status}. Only rejected projects can be deleted.`,
  notApproved: (title: string) => `The project “${title}” is not approved. Approve it first.`,
  otherGroup: 'Featured projects always come before the others. Feature or unfeature this project first.',
} as const
