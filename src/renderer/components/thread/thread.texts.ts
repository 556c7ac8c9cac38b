import { formatCount } from '../../lib/format.ts'

export const texts = {
  title: 'Conversation',
  asked: 'asked',
  requestedChanges: 'requested changes',
  answered: 'answered',
  about: 'about',
  function: (index: number, name: string | null) =>
    name === null ? `function ${index}` : `function ${index} (${name})`,
  changesRequested: 'Changes requested',
  form: {
    about: 'About',
    aboutNothing: 'Remove the reference',
    requestChanges: 'Request changes',
    kept: 'Your text is kept.',
    empty: 'Write a message.',
    tooLong: (limit: number) => `Shorten the message to ${formatCount(limit)} characters.`,
    closed: "The release has been decided, so this message can't be sent.",
    discard: 'Discard draft',
  },
} as const
