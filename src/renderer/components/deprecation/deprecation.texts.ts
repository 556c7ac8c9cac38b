import { minDeprecationReason, maxDeprecationReason } from '../../../shared/contracts/release-states.ts'
/** Every text about the deprecation of a release. */
export const texts = {
  chip: 'Deprecated',
  successor: (successor: string) => `Use ${successor} instead.`,
  deprecate: 'Deprecate…',
  deprecateLabel: (release: string) => `Deprecate ${release}`,
  change: 'Change…',
  changeLabel: (release: string) => `Change the deprecation of ${release}`,
  withdraw: 'Withdraw',
  withdrawLabel: (release: string) => `Withdraw the deprecation of ${release}`,
  deprecated: 'is deprecated.',
  withdrawn: 'is no longer deprecated.',
  notWithdrawn: (problem: string) => `couldn't be changed: ${problem}`,
  form: {
    reason: 'Reason',
    reasonHint: `Everyone sees it, wherever the release is shown. ${minDeprecationReason} to ${maxDeprecationReason} characters.`,
    successor: 'Successor (optional)',
    successorHint: 'What to use instead: the name of an approved skill, or NAME@VERSION.',
    effect: 'The release stays in the catalog and can be downloaded. You can withdraw this at any time.',
    submit: 'Deprecate',
    failed: "Couldn't deprecate the release",
  },
} as const
