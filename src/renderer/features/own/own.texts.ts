import { formatBytes, formatCount, formatSize, listWords, plural } from '../../lib/format.ts'

export const texts = {
  title: 'My releases',
  submit: 'Submit a release',

  releases: {
    what: 'your releases',
    loadFailed: "Couldn't load your releases",
    none: 'No releases yet',
    noneHint: 'Submit a release here, or from a terminal as shown in “How to publish”.',
    more: (total: number) => `Show more (${formatCount(total)} total)`,
    status: (status: string, place: number | null, waiting: number) =>
      place === null ? status : `${status}, #${formatCount(place)} of ${formatCount(waiting)} in queue`,
    firstApproved: (status: string) => `${status}, 1 of 2 approvals`,
    submitted: 'submitted',
    submittedBy: (publisher: string) => ` by ${publisher}`,
    reason: 'Review notes',
    size: (size: number) => `${formatBytes(size)}, SHA-256`,
    digest: 'the digest',
  },

  names: {
    title: 'Names and owners',
    list: 'Your names',
    hint: (subject: string, id: number) =>
      `Every owner of a name can publish releases of it. To offer you a name, others enter your sign-in name ${subject} or your ID, id:${id}.`,
    what: 'your names',
    loadFailed: "Couldn't load your names",
    none: 'No names yet',
    noneHint: 'You own each name that you are the first to submit.',
    more: (total: number) => `Show more (${formatCount(total)} total)`,
    onlyYou: 'owned by you',
    with: (others: string) => `owned by you and ${others}`,
    latest: (version: string, status: string, publisher: string) =>
      `Latest submission: ${version}, ${status}, by ${publisher}`,

    offer: 'Offer…',
    offerLabel: (name: string) => `Offer ${name}`,
    offered: (person: string) => `offered to ${person}.`,
    form: {
      to: 'Person',
      toHint: 'Their sign-in name, or their ID such as id:7.',
      kind: 'Offer',
      kinds: { 'co-owner': 'Co-ownership', transfer: 'Transfer' },
      kindHint: {
        'co-owner': 'They own the name in addition to its owners.',
        transfer: 'You stop being an owner when they accept.',
      },
      submit: 'Send offer',
      failed: "Couldn't make the offer",
    },
    made: {
      'co-owner': (from: string, to: string, until: string) =>
        `${from} offered ${to} co-ownership, until ${until}.`,
      transfer: (from: string, to: string, until: string) =>
        `${from} offered to transfer it to ${to}, until ${until}.`,
    },
    withdraw: 'Withdraw',
    withdrawLabel: (name: string, person: string) => `Withdraw the offer of ${name} to ${person}`,
    withdrawn: 'offer withdrawn.',
    withdrawFailed: "Couldn't withdraw the offer",

    leave: 'Leave…',
    leaveLabel: (name: string) => `Leave ${name}`,
    leaving: {
      hint: (name: string) =>
        `You will no longer be able to publish ${name}. Its other owners can offer it to you again.`,
      confirm: 'Leave',
      done: 'you are no longer an owner.',
      failed: "Couldn't leave",
    },

    received: {
      title: 'Offers to you',
      offer: {
        'co-owner': (from: string, name: string) => `${from} offers you co-ownership of ${name}`,
        transfer: (from: string, name: string) => `${from} offers to transfer ${name} to you`,
      },
      hint: (until: string) =>
        `If you accept, you are shown as an owner and can publish releases. The offer expires on ${until}.`,
      accept: 'Accept',
      decline: 'Decline',
      done: { accepted: 'you are an owner now.', declined: 'offer declined.' },
      failed: "Couldn't answer the offer",
    },
  },

  trust: {
    open: 'Trusted publishers…',
    title: (name: string) => `Trusted publishers of ${name}`,
    hint: (name: string) =>
      `CI jobs that you add here publish ${name} in your name, without a stored token. Everyone who can change their ` +
      'workflow can publish. The repository, workflow and commit of a release are public.',
    what: 'the trusted publishers',
    loadFailed: "Couldn't load the trusted publishers",
    none: 'No trusted publishers yet',
    added: (person: string, at: string) => `added by ${person} on ${at}.`,
    remove: 'Remove',
    removeLabel: (jobs: string) => `Remove ${jobs}`,
    removed: 'trusted publisher removed.',
    removeFailed: "Couldn't remove the trusted publisher",

    addLabel: (name: string) => `Add a trusted publisher of ${name}`,
    provider: 'CI service',
    providers: { github: 'GitHub Actions', gitlab: 'GitLab CI/CD', openid: 'Other OpenID issuer' },
    fields: {
      repository: { label: 'Repository', hint: 'OWNER/NAME, such as octo/csv-to-json.' },
      workflow: { label: 'Workflow', hint: 'Its file in .github/workflows, such as release.yml.' },
      project: { label: 'Project', hint: 'Its path with its groups, such as tools/csv-to-json.' },
      branch: { label: 'Branch', hint: 'Only jobs of this branch.' },
      environment: { label: 'Environment', hint: 'Only jobs with this environment.' },
      issuer: { label: 'Issuer', hint: 'The claim iss, such as https://gitlab.example.com.' },
      subject: { label: 'Subject', hint: 'The claim sub.' },
      audience: { label: 'Audience', hint: 'The claim aud, if it is not the address of the registry.' },
    },
    optional: (label: string) => `${label} (optional)`,
    submit: 'Add',
    close: 'Close',
    done: 'trusted publisher added.',
    failed: "Couldn't add the trusted publisher",
  },

  findings: {
    severity: { error: 'error', warning: 'warning', note: 'note' },
    dismissedSeverity: (severity: string) => `${severity}, dismissed`,
    /** Precedes the advice of a check. */
    advice: 'Advice for the reviewer:',
    dismissedBy: (person: string) => `Dismissed by ${person}:`,
    dismissed: (count: number) => `${count} dismissed`,
    rejectedFor: (summary: string) => `Rejected with ${summary}`,
    summary: (findings: number, parts: readonly string[]) =>
      `${plural(findings, 'finding')}: ${listWords(parts)}`,
  },

  thread: {
    what: 'the conversation',
    loadFailed: "Couldn't load the conversation",
    summary: (messages: number) => `Conversation: ${plural(messages, 'message')}`,
    label: 'Answer to the reviewers',
    send: 'Answer',
  },

  publish: {
    title: 'How to publish',
    install: 'Install the client (requires Node 20 or newer):',
    installCommand: 'the install command',
    publish: "In your skill's folder, run this command, then",
    confirm: 'confirm the code',
    confirmHint: 'that it shows:',
    publishCommand: 'the publish command',
    curl: 'Or use only curl, with a token in',
    curlCommand: 'the curl command',
    review: 'A person reviews every release. Its status and review notes appear here.',
  },

  access: {
    title: (hasPasskeys: boolean) => (hasPasskeys ? 'Tokens, sessions and passkeys' : 'Tokens and sessions'),
    new: 'New token…',
    newPasskey: 'Add passkey…',
    passkeyAdded: (label: string) => `Passkey “${label}” added. You can now sign in with it here.`,
    what: 'your tokens',
    loadFailed: "Couldn't load your tokens",
  },

  passkey: {
    form: 'New passkey',
    name: 'Passkey name',
    example: 'laptop',
    create: 'Add passkey',
    failed: "Couldn't add the passkey",
    dismissed: 'No passkey was added: the dialog of the browser was closed or took too long.',
    exists: 'You already have a passkey there. Choose another device or password manager.',
  },

  notifications: {
    title: 'E-mail notifications',
    what: 'your notifications',
    loadFailed: "Couldn't load your notifications",
    saveFailed: "Couldn't save your notifications",
    address: 'E-mail address',
    send: 'Send code',
    sendAgain: 'Send a new code',
    addressHint: 'A code is sent to it, which you enter here.',
    code: 'Code from the e-mail',
    codeHint: (address: string) =>
      `A code was sent to ${address}. Until you enter it, nothing else is sent there.`,
    verify: 'Verify',
    verified: 'verified',
    change: 'Change…',
    remove: 'Remove',
    events: 'Send e-mail about',
    ownReleases:
      'Questions, decisions and revocations are about releases of your names; transfers are about names that you lose.',
  },

  submission: {
    hint: 'Choose a manifest and a module, or drop both files here. A person reviews every release before anyone can download it.',
    submitted: 'was submitted for review.',
    manifest: 'Manifest',
    chooseManifest: 'Choose manifest.json',
    noManifest: 'No manifest selected.',
    module: 'Module',
    chooseModule: 'Choose .wasm module',
    noModule: 'No module selected.',
    reading: (file: string) => `Reading ${file}…`,
    submitCommand: 'submit the release',
    submit: 'Submit for review',
    cancel: 'Cancel',
    next: {
      canceled: 'Upload canceled. Your files are still selected.',
      reading: 'Reading the files…',
      both: 'Choose a manifest and a module.',
      manifest: 'Choose a manifest.',
      fixManifest: 'Fix the manifest first.',
      module: 'Choose a module.',
      otherModule: 'Choose another module.',
    },
    progress: 'Uploading the release',
    checking: (total: number) => `${formatSize(total)} uploaded, checking…`,
    sent: (sent: number, total: number, percent: number) =>
      `${formatSize(sent)} of ${formatSize(total)}, ${percent}%`,

    problems: 'Problems',
    manifestProblems: (count: number) => `The manifest has ${plural(count, 'problem')}`,
    fixFile: 'Fix the file and choose it again.',
    moduleProblem: "This module can't be submitted",
    facts: {
      name: 'Name',
      version: 'Version',
      description: 'Description',
      category: 'Category',
      license: 'License',
      examples: 'Examples',
      exampleCount: (count: number) => plural(count, 'example'),
      size: 'Size',
      digest: 'SHA-256',
      copyDigest: 'the digest',
    },
    dropped: (count: number, extension: string) =>
      `You dropped ${count} ${extension} files. Drop only one of them.`,
    wrongFile: (name: string) => `${name} is neither a .json file nor a .wasm file.`,
    manifestTooLarge: (size: number, limit: number) =>
      `is ${formatBytes(size)}; the limit is ${formatBytes(limit)}`,
    manifestUnreadable: 'could not be read; choose it again',
    moduleTooLarge: (size: number, limit: number) =>
      `The file is ${formatBytes(size)}; the limit is ${formatBytes(limit)}.`,
    moduleTooSmall: (size: number, minimum: number) =>
      `The file is ${formatBytes(size)}; a module is at least ${formatBytes(minimum)}.`,
    moduleUnreadable: 'The file could not be read. Choose it again.',
    notAModule: 'The file is not a WebAssembly module. Choose the compiled .wasm file.',

    refused: {
      other: 'Submission failed',
      NAME_TAKEN: 'Name already taken',
      VERSION_EXISTS: 'Version already exists',
      QUOTA_EXCEEDED: 'Daily limit reached',
      TOO_MANY_REQUESTS: 'Too many submissions in progress',
      INVALID_MANIFEST: 'Invalid manifest',
      MANIFEST_TOO_LARGE: 'Manifest too large',
      INVALID_PACKAGE: 'Invalid module',
      PACKAGE_TOO_LARGE: 'Module too large',
    },
    copyDetails: 'Copy details',
    /** The name of the field is between the two parts. */
    changeField: ['Change', 'in the manifest and choose it again.'],
    filesKept: 'Your files are still selected.',
    retryAfter: 'Try again after',
  },
} as const
