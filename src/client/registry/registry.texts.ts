const closed = 'the connection was closed'
const untrusted = 'its certificate is not from a trusted authority'
const moreTime = 'Try again, or set a longer SKILL_TIMEOUT (in seconds).'
const interrupted = 'Interrupted before the registry answered.'
const notUploaded = (release: string, hasBegun: boolean): string =>
  `${release} was ${hasBegun ? 'only partly' : 'not'} uploaded`

/** Every text about the registry: its address, requests and responses, downloads, submissions and releases. */
export const texts = {
  address: {
    invalid: (text: string) => ({
      sentence: `"${text}" is not a valid registry address.`,
      next: 'Use a full URL, such as https://skills.example.com.',
    }),
    credentials: {
      sentence: 'A registry address must not contain a user name or password.',
      next: 'Sign in with: skill login',
    },
    query: (text: string) => ({
      sentence: `"${text}" is not a valid registry address.`,
      next: 'Remove the ? or # and everything after it.',
    }),
    plainHttp: (host: string) => ({
      sentence: `Plain HTTP is not secure, and ${host} is not this computer.`,
      next: `Use https://${host}.`,
    }),
  },

  unreachable: {
    failed: (host: string, reason: string, next: string) => ({
      sentence: `No valid response from ${host}: ${reason}.`,
      next,
    }),
    next: 'Check the address and your network, then try again.',
    idle: { reason: 'the request timed out', next: moreTime },
    tooSlow: { reason: 'it is too slow', next: moreTime },
    notHttp: 'the response is not HTTP',
    closed,
    untrusted,
    trustCertificate: 'If you trust the certificate, set NODE_EXTRA_CA_CERTS to its file.',
    /** By the code of Node's error. */
    reasons: {
      ECONNREFUSED: 'the connection was refused',
      ENOTFOUND: 'the host name does not exist',
      EAI_AGAIN: 'the host name could not be resolved',
      ECONNRESET: closed,
      EPIPE: closed,
      ETIMEDOUT: 'the connection timed out',
      EHOSTUNREACH: 'the host is unreachable',
      ENETUNREACH: 'the network is unreachable',
      EPROTO: 'it does not use HTTPS',
      CERT_HAS_EXPIRED: 'its certificate has expired',
      CERT_NOT_YET_VALID: 'its certificate is not valid yet',
      DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
      SELF_SIGNED_CERT_IN_CHAIN: untrusted,
      UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
      UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
      ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
    } as Readonly<Record<string, string>>,
  },

  response: {
    /** Follows a sentence about what a Skilldock registry does not send. */
    notRegistry: 'Check that this is the address of a Skilldock registry. The response was discarded.',
    tooLong: (host: string, bytes: number) => `${host} answered with more than ${bytes} bytes.`,
    unreadable: (host: string) => `${host} sent a response that is not in the format of a registry.`,
    otherRelease: (host: string, sent: string, status: string, requested: string) =>
      `${host} sent ${sent} (${status}) instead of an approved ${requested}.`,
    otherSubmission: (host: string, release: string) => `${host} confirmed a different release: ${release}.`,
    redirect: (host: string, target: string | undefined) => ({
      sentence: `${host} redirects to ${target ?? 'another address'}, but redirects are not followed.`,
      next: 'If you trust that address, pass it with --registry or SKILL_REGISTRY.',
    }),
    failed: (host: string, status: number, next: string | null) => ({
      sentence: `${host} answered with status ${status} and no readable error message.`,
      next: next ?? 'Check that this is the address of a Skilldock registry.',
    }),
    tryAgain: (when: string) => `Try again ${when}.`,
    tryInMinutes: 'Try again in a few minutes.',
    tryInMoment: "Try again in a moment. If the problem persists, contact the registry's administrator.",
    notSignedIn: (host: string, next: string) => ({ sentence: `You are not signed in to ${host}.`, next }),
  },

  release: {
    invalidName: (text: string) => ({
      sentence: `"${text}" is not a valid skill name.`,
      next: 'Use NAME or NAME@VERSION, such as csv-to-json@1.0.0.',
    }),
    notFound: (release: string, host: string) => ({
      sentence: `There is no approved release of ${release} at ${host}.`,
      next: 'Search for it with: skill search',
    }),
    deprecated: (reason: string, successor: string | null) =>
      `Deprecated: ${reason}${successor === null ? '' : ` Use ${successor} instead.`}`,
    inQueue: (status: string, position: string, pending: string) =>
      `${status}, #${position} of ${pending} in queue`,
    submittedBy: (at: string, publisher: string) => `${at} by ${publisher}`,
    firstApproved: (status: string) => `${status}, 1 of 2 approvals`,
    reason: 'Review notes',
    changesRequested: (status: string) => `${status}, changes requested`,
    notOwn: (release: string | null, host: string) => ({
      sentence:
        release === null
          ? `You have no releases at ${host} yet.`
          : `You have no release ${release} at ${host}.`,
      next: release === null ? 'Create a skill with: skill init' : 'To list your releases, run: skill mine',
    }),
  },

  thread: {
    title: 'Conversation',
    question: (by: string, at: string) => `${by} asked on ${at}`,
    changes: (by: string, at: string) => `${by} requested changes on ${at}`,
    answer: (by: string, at: string) => `${by} answered on ${at}`,
    finding: (check: string, title: string) => `about ${check}: ${title}`,
    function: (index: number, name: string | null) =>
      name === null ? `about function ${index}` : `about function ${index} (${name})`,
  },

  attestation: {
    missing: (release: string, host: string) => ({
      sentence: `${host} has no signed approval of ${release}, but the key for it is pinned.`,
      next: "Install nothing from it until the registry's administrator has explained this.",
    }),
    otherKey: (release: string, host: string) => ({
      sentence: `The approval of ${release} is signed with a key of ${host} that the pinned key does not vouch for.`,
      next: 'If the registry\'s administrator confirms the new key, remove the former one from "keys" in the lock file.',
    }),
    notSigned: (release: string) => ({
      sentence: `The signature of the approval of ${release} is wrong.`,
      next: "Contact the registry's administrator.",
    }),
    otherRelease: (release: string) => ({
      sentence: `The signed approval is not about the module of ${release}.`,
      next: "Contact the registry's administrator.",
    }),
  },

  download: {
    notReviewed: (release: string, reason: string) => ({
      sentence: `The download of ${release} is not the reviewed module: ${reason}.`,
      next: "It was discarded. Contact the registry's administrator.",
    }),
    tooLong: (size: number) => `it is longer than ${size} bytes`,
    otherSize: (length: number, size: number) => `it has ${length} bytes, not ${size}`,
    otherDigest: (digest: string, sha256: string) => `its SHA-256 is ${digest}, not ${sha256}`,
  },

  submission: {
    incomplete: (problem: string, release: string, hasBegun: boolean, next: string | null) => ({
      sentence: `${problem} ${notUploaded(release, hasBegun)}.`,
      next: next ?? 'Publish it again.',
    }),
    notSeen: (problem: string, release: string, isAnswered: boolean) => ({
      sentence: `${problem} ${release} was uploaded, but ${
        isAnswered ? 'is not among your releases yet' : 'it is not known whether it arrived'
      }.`,
      next: `Check with: skill status ${release}. If it is not there, publish it again.`,
    }),
    interrupted: (release: string, hasBegun: boolean) => ({
      sentence: `${interrupted} ${notUploaded(release, hasBegun)}, so it was not submitted.`,
      next: 'To submit it, publish it again.',
    }),
    interruptedAfter: (release: string) => ({
      sentence: `${interrupted} ${release} was uploaded, but it is not known whether it was accepted.`,
      next: `To check, run: skill status ${release}`,
    }),
  },
} as const
