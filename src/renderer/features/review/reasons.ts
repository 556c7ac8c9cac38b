/** What a rejection often begins with; ticking one puts its sentence into the notes. */
export const rejectionReasons: readonly { label: string; sentence: string }[] = [
  {
    label: 'Manifest and module disagree',
    sentence: 'Manifest and module disagree: what the manifest says is not what the module does.',
  },
  {
    label: 'An example does not give its output',
    sentence: 'An example does not give its output.',
  },
  {
    label: 'Asks for more than it needs',
    sentence: 'Asks for more than it needs: the imports go further than the description.',
  },
  {
    label: 'Name too close to another skill',
    sentence: 'The name is too close to that of another skill.',
  },
  {
    label: 'Readme does not say how to use it',
    sentence: 'The readme does not say how to use it.',
  },
  {
    label: 'Licence is no SPDX expression',
    sentence: 'The licence is no SPDX expression.',
  },
]

/** Puts a sentence at the end of the notes, or takes it out again where it stands unedited. */
export function toggleSentence(notes: string, sentence: string): string {
  if (!notes.includes(sentence)) return notes.trim() === '' ? sentence : `${notes.trimEnd()}\n\n${sentence}`
  return notes
    .replace(sentence, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
