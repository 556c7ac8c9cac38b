/** The sentences of `skilldock mirror`. */
export const texts = {
  ownReleases:
    'This data folder has releases of its own, which a mirror would mix with those of another registry. Use an empty folder: SKILLDOCK_DATA=FOLDER skilldock mirror URL',
  damaged:
    'What this mirror knows about the log of the other registry is damaged. Restore a backup, or fill an empty folder.',
  otherLogKey: (host: string, key: string) =>
    `${host} signs its log with the key ${key}. That is not the expected one, so nothing was copied. Ask its administrator which key is right, and pass it with --log-key.`,
  noAttestationKey: (host: string) =>
    `${host} has no key for attestations, so its approvals can't be verified and nothing was copied. Update Skilldock there.`,
  otherAttestationKey: (host: string, kid: string) =>
    `${host} signs approvals with the key ${kid}, for which the pinned key does not vouch, so nothing was copied. If its administrator confirms that key, pass it with --attestation-key.`,
  notExpectedKey: (host: string, kid: string, expected: string) =>
    `${host} signs approvals with the key ${kid}, not ${expected}, so nothing was copied. Ask its administrator which key is right, and leave out --attestation-key once its key is pinned.`,
  revokedBefore: 'it was revoked here, and a revoked version can never be approved again',
  otherDigest: 'its SHA-256 is not that of the log',
  notModule: (problem: string) => `its package is not a valid module: ${problem}`,
  invalid: (problem: string) => `its metadata is not valid: ${problem}`,
  notAdded: (problem: string) => `it contradicts what is stored already: ${problem}`,
  revokedThere: (host: string) => `Revoked at ${host}.`,
  problem: (release: string, reason: string) => `${release}: ${reason}`,
  problems: (shown: readonly string[], more: number) =>
    `Some releases could not be copied. ${shown.join(' ')}${more === 0 ? '' : ` And ${more} more.`}`,
} as const
