/** Problems with the saved checkpoint of the transparency log; sentences without their full stops. */
export const texts = {
  missing: 'log-checkpoint: it is missing, so removed entries of the transparency log cannot be detected',
  notSigned: 'log-checkpoint: it has no valid signature of log-key.json',
  shorter: (size: number, saved: number) =>
    `transparency log: it has ${size} entries, but had ${saved} when its checkpoint was saved`,
  rewritten: (saved: number) =>
    `transparency log: the first ${saved} entries have changed since its checkpoint was saved`,
} as const
