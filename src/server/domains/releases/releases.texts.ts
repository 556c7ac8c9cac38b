import { countOf } from '../../../shared/text.ts'

/** The sentences of errors about releases and decisions. */
export const texts = {
  noRelease: (id: number) => `There is no release with the id ${id}.`,
  noReleaseNamed: (name: string, version: string) => `There is no release ${name} ${version}.`,

  catalog: {
    /** For programs. */
    notApproved: (what: string) =>
      `There is no approved release ${what}. Search with /api/marketplace/skills?q=NAME.`,
    /** For people, on a page. */
    noPage: (what: string) => `There is no approved release ${what}.`,
    noPublisher: 'This publisher does not exist or has no approved skills.',
    changed: 'The list changed while it was being read. Try again in 1 s.',
    damagedPackage: (name: string, version: string) =>
      `The module of ${name} ${version} is damaged on the server and can't be downloaded. ` +
      "Contact the registry's administrator.",
  },

  mirror: {
    readOnly: (origin: string) =>
      `This registry is a read-only mirror of ${origin}. Publish, review and change content there.`,
  },

  oci: {
    noSkill: (name: string) =>
      `There is no approved release of ${name}. Search with /api/marketplace/skills?q=NAME.`,
    unknown: (name: string, reference: string) =>
      `No approved release of ${name} has ${reference}. List its tags with /v2/${name}/tags/list.`,
    invalidName: 'This is not the name of a repository. Use the name of a skill, such as csv-to-json.',
    invalidDigest: 'This is not a digest. Use sha256: and 64 lowercase hexadecimal digits.',
  },

  submission: {
    dailyLimit: (limit: number, wait: string) =>
      `You've reached the limit of ${countOf(limit, 'submission')} in 24 hours. You can submit again in ${wait}.`,
    nameTaken: (name: string) => `The name ${name} belongs to another publisher. Choose a different name.`,
    versionExists: (name: string, version: string) =>
      `${name} ${version} has already been submitted, and a version number can't be reused. ` +
      'Bump the version and submit again.',
    tooSmall: (bytes: number, minimum: number) =>
      `The file has only ${countOf(bytes, 'byte')}; a WebAssembly module has at least ${minimum}. Upload the built .wasm file.`,
    size: (bytes: number) => `has ${countOf(bytes, 'byte')}`,
    invalidModule: (problems: string) => `The module is invalid: ${problems}`,
  },

  owners: {
    notOwner: (name: string) =>
      `You don't own the name ${name}. List your names with “skill owner list”, or ask one of its owners for an offer.`,
    noName: (name: string) => `No release of ${name} was ever submitted.`,
    noPerson: (to: string) =>
      `There is no person with access called ${to}. Ask them for their sign-in name or id.`,
    severalPeople: (to: string) =>
      `Several people sign in as ${to}, each with another provider. Use the id of the person, such as id:7.`,
    ambiguous: 'is the sign-in name of several people',
    alreadyOwner: (person: string, name: string) => `${person} already owns ${name}. Nothing was changed.`,
    alreadyOffered: (person: string, name: string) =>
      `${person} already has an open offer for ${name}. Withdraw it first to make another one.`,
    tooMany: (name: string, limit: number) =>
      `${name} has ${countOf(limit, 'owner')}, which is the limit. One of them has to leave first.`,
    dailyOffers: (limit: number) =>
      `You've reached the limit of ${countOf(limit, 'offer')} in 24 hours. Try again later.`,
    noOffer: (id: number) => `There is no offer with the id ${id} that you may answer.`,
    offerEnded: (name: string, outcome: string) =>
      `This offer of ${name} can't be answered: it was ${outcome}. Ask an owner for a new one.`,
    last: (name: string) =>
      `Nobody else with access owns ${name}. Transfer it to another person instead, or add an owner before you leave.`,
  },

  publishers: {
    privateIssuer:
      'must be a public address starting with https://; an administrator can allow others by adding the issuer as an identity provider',
    repeated: (id: number) => `is already trusted, as number ${id}`,
    tooMany: (name: string, limit: number) =>
      `${name} has ${countOf(limit, 'trusted publisher')}, which is the limit. Remove one first.`,
    unknown: (name: string, id: number) => `${name} has no trusted publisher with the number ${id}.`,
    notAToken: 'This is not an identity token. Send the JWT that the CI service gives to the job.',
    otherAudience: (url: string) =>
      `This identity token is for another audience. Request it with the audience ${url}.`,
    exchanged: 'This identity token has already been exchanged. Request a new one.',
    noIssuer: (name: string, issuer: string) =>
      `${name} trusts no publisher of ${issuer.slice(0, 200)}. One of its owners can add it in the desk, under Names and owners.`,
    /** What the job is, but not what would be trusted. */
    otherJob: (name: string, differences: readonly (readonly [claim: string, found: string | null])[]) =>
      `No trusted publisher of ${name} matches this job: ${differences
        .map(([claim, found]) => `${claim} is ${found === null ? 'missing' : `“${found.slice(0, 200)}”`}`)
        .join(', ')}. Its owners see what is trusted in the desk, under Names and owners.`,
    dailyLimit: (name: string, limit: number) =>
      `${name} has reached the limit of ${countOf(limit, 'token')} for trusted publishers in 24 hours. Try again later.`,
    otherName: (name: string) => `This token can only publish ${name}.`,
    ended: (name: string) => `This publisher is no longer trusted to publish ${name}.`,
  },

  findings: {
    none: 'This release has no such finding; it may have been checked again in the meantime. Reload the release.',
    dismissed: (by: string, version: string, reason: string) =>
      `${by} has already dismissed this finding, for ${version}: “${reason}”`,
    noDismissal: (id: number) => `There is no active dismissal with the id ${id}.`,
  },

  /** The summary of an advisory. */
  advisory: (name: string, version: string) => `${name} ${version} was revoked.`,

  deprecations: {
    notApproved: ({ name, version, status }: Named) =>
      `${name} ${version} is ${status}. Only an approved release can be deprecated.`,
    none: ({ name, version }: Named) => `${name} ${version} is not deprecated.`,
    successor: (successor: string, problem: string) => `The successor ${successor} ${problem}.`,
    sameRelease: 'is the release itself',
    daily: (limit: number) =>
      `You've reached the limit of ${countOf(limit, 'deprecation')} in 24 hours. Try again later.`,
    successorNotApproved: 'is not an approved release',
  },

  decisions: {
    /** The desk shows the same sentence next to its button. */
    selfReview:
      'You submitted this release, and publishers may not approve their own releases here. Ask another reviewer.',
    notDecidable: (release: Named, decider: string | null, needed: string, action: string) =>
      `${release.name} ${release.version} is ${release.status}${decider === null ? '' : ` (by ${decider})`}. ` +
      `Only ${needed === 'approved' ? 'an approved' : 'a pending'} release can be ${action}.`,
    newCapabilities: (release: Omit<Named, 'status'>, since: string, capabilities: string) =>
      `${release.name} ${release.version} has new capabilities since ${since}: it ${capabilities}. ` +
      'Confirm the new capabilities, then approve.',

    unknownFunctions: (names: readonly string[]) => `calls unknown functions (${names.join(', ')})`,

    /** A decision within its undo window, and what the reader can do about it. */
    held: (who: string, held: Record<'action' | 'name' | 'version', string>, seconds: number) =>
      `${who} ${held.action} ${held.name} ${held.version}; this takes effect in ${seconds} s.`,
    you: 'You',
    undoFirst: 'Undo that decision first.',
    onlyOther: (by: string) => `Only ${by} can undo it.`,
    nothingToUndo: ({ name, version }: Named) => `There is no decision on ${name} ${version} to undo.`,
    tookEffect: ({ name, version, status }: Named, decider: string) =>
      `${name} ${version} is already ${status} (by ${decider}). This decision can no longer be undone.`,
    noLost: (id: number) => `You have no lost decision with the id ${id}.`,
  },

  approvals: {
    sameReviewer: ({ name, version }: Named) =>
      `You have already approved ${name} ${version}. Another reviewer must make the second approval.`,
    none: ({ name, version }: Named) =>
      `${name} ${version} has no first approval to withdraw. Reload the release.`,
    others: (by: string) => `Only ${by} can withdraw this approval. You can approve or reject the release.`,
  },

  thread: {
    ownRelease: 'You submitted this release. Only another reviewer can ask its publisher.',
    nothingAsked: ({ name, version }: Named) =>
      `No reviewer has asked about ${name} ${version} yet, so there is nothing to answer.`,
    closed: ({ name, version, status }: Named) =>
      `${name} ${version} is ${status}, so its conversation is closed.`,
    full: ({ name, version }: Named, kind: string, limit: number) =>
      `The conversation about ${name} ${version} has reached its limit of ${countOf(limit, kind)}.`,
    tooMany: (limit: number, seconds: number) =>
      `You've reached the limit of ${countOf(limit, 'message')} per hour. Try again in ${Math.ceil(seconds / 60)} min.`,
  },

  evidence: {
    mismatch: (problems: string) =>
      `The test run doesn't match this release: ${problems}. Run the examples again, or decide without them.`,
    otherModule: (sha256: string) => `must be the digest of the release, ${sha256}`,
    noExample: (count: number) =>
      `must be below ${count}; the manifest has ${count === 1 ? 'one example' : `${count} examples`}`,
    repeated: (example: number) => `must not repeat example ${example}`,
  },
} as const

interface Named {
  name: string
  version: string
  status: string
}
