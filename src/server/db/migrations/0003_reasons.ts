/** What notes can be begun with until somebody edits the list: action, label, sentence. */
export const firstReasons: readonly (readonly ['approved' | 'rejected' | 'revoked', string, string])[] = [
  ['approved', 'Does what it says', 'It does what its manifest says, and its examples give their outputs.'],
  ['approved', 'Asks for no more than it needs', 'It asks for no more than its task needs.'],
  [
    'approved',
    'Only what the version says has changed',
    'Since the last approved version only that has changed which this version says.',
  ],
  [
    'rejected',
    'Manifest and module disagree',
    'Manifest and module disagree: what the manifest says is not what the module does.',
  ],
  ['rejected', 'An example does not give its output', 'An example does not give its output.'],
  [
    'rejected',
    'Asks for more than it needs',
    'Asks for more than it needs: the imports go further than the description.',
  ],
  ['rejected', 'Name too close to another skill', 'The name is too close to that of another skill.'],
  ['rejected', 'Readme does not say how to use it', 'The readme does not say how to use it.'],
  ['rejected', 'Licence is no SPDX expression', 'The licence is no SPDX expression.'],
  ['revoked', 'Does what it does not say', 'It does something that its manifest does not say.'],
  ['revoked', 'Gives wrong results', 'It gives wrong results for input that its manifest allows.'],
  ['revoked', 'Another version replaces it', 'Another version replaces this one; use that.'],
  ['revoked', 'The publisher asked for it', 'The publisher has asked for it to be revoked.'],
  ['revoked', 'May not be passed on', 'Its licence does not allow it to be passed on.'],
]
