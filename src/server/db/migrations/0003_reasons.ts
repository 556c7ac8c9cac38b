/** The initial templates for review notes: action, label, sentence. */
export const initialReasons: readonly (readonly ['approved' | 'rejected' | 'revoked', string, string])[] = [
  [
    'approved',
    'Behaves as documented',
    'It behaves as its manifest says, and its examples produce the expected output.',
  ],
  ['approved', 'Imports only what it needs', 'It imports only what its task needs.'],
  [
    'approved',
    'Only the announced changes',
    'Compared with the last approved version, it contains only the announced changes.',
  ],
  ['rejected', 'Manifest and module differ', 'The module does not do what the manifest says.'],
  ['rejected', 'An example fails', 'An example does not produce the expected output.'],
  [
    'rejected',
    'Imports more than it needs',
    'The module imports more than it needs for what the description says.',
  ],
  ['rejected', 'Name too similar to another skill', 'The name is too similar to that of another skill.'],
  ['rejected', 'Readme lacks usage instructions', 'The readme does not explain how to use the skill.'],
  ['rejected', 'License is not an SPDX expression', 'The license is not a valid SPDX expression.'],
  ['revoked', 'Undocumented behavior', 'It does something that its manifest does not mention.'],
  ['revoked', 'Produces wrong results', 'It produces wrong results for input that its manifest allows.'],
  ['revoked', 'Replaced by another version', 'Another version replaces this one. Use that version.'],
  ['revoked', 'Requested by the publisher', 'The publisher requested that it be revoked.'],
  ['revoked', 'May not be redistributed', 'Its license does not allow redistribution.'],
]
