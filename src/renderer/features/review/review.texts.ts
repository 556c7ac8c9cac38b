import { minTransferReason } from '../../../shared/contracts/owners.ts'
import { texts as threadTexts } from '../../components/thread/thread.texts.ts'
import { formatBytes, formatCount, formatMiB, listWords, plural } from '../../lib/format.ts'

/** The texts of the review screens. Labels of commands begin in lower case: the palette capitalizes them. */
export const texts = {
  pageTitle: 'Review',

  queue: {
    label: 'Queue',
    what: 'the queue',
    noun: 'release',
    views: { label: 'Filter by status', pending: 'Pending', decided: 'Decided', all: 'All' },
    searchPlaceholder: 'Name, publisher or digest',
    newSubmissions: (count: number) => plural(count, 'new submission'),
    newDecisions: (count: number) => plural(count, 'new decision'),
    waitingColumn: 'waiting',
    dateColumn: 'date',
    rows: 'Releases',
    recent: 'Decided today and yesterday',
    byPerson: (person: string) => `by ${person}`,
    /** A badge and its full text. */
    firstApproved: (person: string): [short: string, full: string] => [
      '1 of 2',
      `1 of 2 approvals, by ${person}`,
    ],
    selfApproved: ', self-approved',
    sort: {
      oldest: 'Oldest first',
      longestWaiting: 'Longest waiting first',
      newest: 'Newest first',
      latestDecision: 'Latest decision first',
      name: 'Name',
      button: (sort: string) => `Sort: ${sort}`,
      command: (sort: string) => `sort: ${sort}`,
    },
    status: {
      any: 'Any status',
      button: (status: string | null) => `Status: ${status ?? 'any'}`,
      command: (status: string | null) => `status: ${status ?? 'any'}`,
      option: (status: string, count: number) => `${status}, ${formatCount(count)}`,
    },
    thread: {
      any: 'Any conversation',
      filters: {
        'changes-requested': 'Changes requested',
        asked: 'Waiting for the publisher',
        answered: 'Answered',
      },
      button: (state: string) => `Conversation: ${state}`,
      command: (state: string) => `conversation: ${state}`,
    },
    showView: (view: string) => `show ${view} releases`,
    checks: {
      newCapabilities: ['new caps', 'new capabilities'],
      error: 'error',
      warning: 'warning',
      first: 'first',
      clean: 'clean',
      notChecked: 'not checked',
      changesRequested: ['changes', 'changes requested'],
      asked: ['asked', 'waiting for the publisher'],
      answered: ['answered', 'the publisher answered'],
    },
    empty: {
      noMatch: (kind: string, q: string) =>
        q === '' ? `No ${kind}releases` : `No ${kind}releases match “${q}”`,
      clearSearch: 'Clear search',
      anyStatus: (decided: number | null) =>
        decided === null ? 'Any status' : `Any status, ${formatCount(decided)}`,
      searchAll: 'Search all releases',
      noPending: 'No pending releases',
      decidedBy: (people: readonly (readonly [name: string, count: number])[]) =>
        `Decided today and yesterday: ${listWords(people.map(([name, count]) => `${formatCount(count)} by ${name}`))}.`,
      decidedReleases: (count: number) => plural(count, 'decided release'),
      noDecisions: 'No decisions yet',
      noSubmissions: 'No submissions yet',
    },
  },

  release: {
    loading: 'the release',
    region: (name: string, version: string) => `Release ${name} ${version}`,
    label: 'Release',
    sectionTabs: 'Release sections',
    jumpHint: ['jump with', 'to'],
    jumpTo: (section: string) => `jump to ${section}`,
    alsoOpen: (names: readonly string[]) =>
      `${listWords(names)} also ${names.length === 1 ? 'has' : 'have'} this open`,
    noneSelected: 'No release selected',
    notFound: 'Release not found',
    refreshFailed: "Couldn't refresh this release",
    loadFailed: "Couldn't load this release",
    lookUp: {
      failed: "Couldn't look up the release",
      notFound: (name: string, version: string) => `Release ${name} ${version} not found`,
      toQueue: 'Go to the queue',
    },
    firstSubmission: {
      title: 'No submissions yet',
      text: "Publish a skill from a terminal with this registry's client:",
      installCommand: 'the install command',
      publishCommand: 'the publish command',
      more: 'More ways to publish…',
    },
    head: {
      provenance: (source: string) => `by a job of ${source}`,
      copyDigest: 'copy the digest',
      copyDigestButton: 'the digest (C)',
      digestCopied: 'digest copied.',
      copyBlocked: 'The browser blocked copying. Select the digest in the header and copy it.',
      noDecisions: 'no earlier decisions',
      decisions: (parts: readonly string[], since: string) => `${parts.join(', ')} since ${since}`,
      earlierDecisions: "Earlier decisions on this publisher's releases",
      pending: (age: string, place: number | null) =>
        place === null
          ? `Pending, ${age}`
          : `Pending, ${age}, ${place === 1 ? 'next' : `#${place}`} in queue`,
      decided: (status: string, when: string, person: string, selfApproved: boolean) =>
        `${status} ${when} by ${person}${selfApproved ? ' (self-approved)' : ''}`,
    },
    packageProblem: {
      missing: {
        title: 'Package missing',
        text: "No file with this digest is in the data folder. Restore it from a backup. Until then, it can't be inspected or downloaded.",
      },
      changed: {
        title: "Package doesn't match its digest",
        text: 'The stored file no longer has the digest above, so nobody can download it. Restore the original file from a backup.',
      },
      unavailable: {
        title: 'Package temporarily unavailable',
        text: "The package folder is not responding. The release's manifest can still be read.",
      },
    },
  },

  owners: {
    title: 'Owners',
    ownedBy: (owners: readonly string[]) =>
      owners.length === 0 ? 'owned by nobody at present' : `owned by ${listWords(owners)}`,
    loadFailed: "Couldn't load the owners",
    removed: '(removed)',
    since: 'since',
    addedBy: (person: string) => `(added by ${person})`,
    offer: {
      'co-owner': (from: string, to: string, until: string) =>
        `${from} offered ${to} co-ownership, until ${until}.`,
      transfer: (from: string, to: string, until: string) =>
        `${from} offered ${to} a transfer, until ${until}.`,
    },
    transfer: 'Transfer…',
    transferLabel: (name: string) => `Transfer ${name}`,
    transferred: 'transferred.',
    form: {
      to: 'New owner',
      toHint: 'Their sign-in name, or their ID such as id:7.',
      reason: 'Reason',
      reasonHint: `Reviewers see it here, and former owners in e-mail. At least ${minTransferReason} characters.`,
      effect:
        'The person becomes the only owner at once. Releases keep their publisher, and open offers end.',
      submit: 'Transfer',
      failed: "Couldn't transfer the name",
    },
  },

  capabilities: {
    title: 'Capabilities',
    unknown: 'unknown',
    notRecorded:
      'This release was submitted before imports were recorded. Open the module to see what it imports.',
    imports: (count: number) => plural(count, 'import'),
    noImports: 'The module imports nothing: it can only compute.',
    column: 'Capability',
    imported: 'Imported',
    called: 'Called',
    yes: 'yes',
    new: 'new',
    newCount: (count: number) => plural(count, 'new capability', 'new capabilities'),
    functions: (first: string, more: number) => `${first} and ${more} more`,
    notCalled: 'not called',
    calls: (count: number) => plural(count, 'call'),
    notImported: 'Not imported:',
    memory: 'Memory:',
    more: 'Tables, names, sections, features',
    less: 'Less',
    tables: 'Tables',
    names: 'Names',
    customSections: 'Custom sections',
    targetFeatures: 'Target features',
  },

  newCapabilities: {
    verbs: {
      stdin: 'read standard input',
      stdout: 'write standard output',
      read: 'read files',
      write: 'write files',
      arguments: 'read its arguments',
      environment: 'read the environment',
      clock: 'read the clock',
      wait: 'wait for time or input',
      random: 'get random numbers',
      sockets: 'use sockets it is given',
      exit: 'exit',
      streams: 'manage open streams',
      unknown: 'call unknown functions',
    },
    sentence: (verbs: readonly string[]) => `It can now ${listWords(verbs)}.`,
    newSince: (version: string | undefined) => (version === undefined ? '' : `New since ${version}.`),
    show: 'Show capabilities',
    confirm: "I've reviewed this, and it fits the skill's description.",
    confirmCommand: 'confirm the new capabilities',
    unconfirmCommand: 'unconfirm the new capabilities',
    confirmFirst: 'Confirm the new capabilities first.',
    error: 'The new capabilities',
  },

  changes: {
    title: 'Changes',
    comparedWith: 'compared with',
    firstRelease: 'first release',
    nothing: 'nothing (all new)',
    submitted: (date: string) => `submitted ${date}`,
    fullDiff: 'Full diff',
    compactDiff: 'Compact diff',
    fullDiffCommand: 'show the full diff',
    base: 'the version to compare with',
    loadBaseFailed: "Couldn't load the version to compare with",
    unchanged: 'unchanged',
    removed: 'removed',
    new: 'new',
    memory: 'memory',
    readme: 'readme',
    examples: 'examples',
    show: 'Show',
    hide: 'Hide',
    showLabel: (label: string) => `Show the ${label}`,
    hideLabel: (label: string) => `Hide the ${label}`,
    lines: 'lines',
    diffOf: (what: string) => `Differences in the ${what}`,
    example: (number: number, kind: string) => `Example ${number}, ${kind}`,
    sameSide: (side: string, text: string) =>
      `${side}: ${text === '' ? 'empty' : `unchanged, ${plural(text.split('\n').length, 'line')}`}`,
    notRecorded: (version: string | undefined) =>
      `The imports, exports and sections of ${version} are unknown: they were not recorded when it was submitted.`,
    identical: (version: string | undefined, size: number) =>
      `The module is identical to the one in ${version} (${plural(size, 'byte')}).`,
    imports: 'Imports',
    exports: 'Exports',
    none: 'none',
    showMore: (count: number) => `Show ${formatCount(count)} more`,
    unlistedExports: (count: number) =>
      `${plural(count, 'more export', 'more exports')} not listed: only the first 200 are stored.`,
    sizes: 'Section size (bytes)',
    change: 'Change',
    otherSections: (count: number) => plural(count, 'other'),
    total: 'Total',
    unknown: 'unknown',
  },

  module: {
    title: 'Module',
    note: (functions: number, sections: number, size: number) =>
      `${plural(functions, 'function')}, ${plural(sections, 'section')}, ${formatBytes(size)}`,
    openCommand: 'open the module',
    open: 'Open module',
    closed:
      'Browse functions, strings, sections and bytes. The module is downloaded to this browser and parsed in a worker. Opening it does not run it.',
    missing: "The package is missing, so the module can't be opened.",
    what: 'the module',
    openFailed: "Couldn't open the module",
    downloading: 'Downloading the module',
    downloadingRelease: (name: string, version: string) => `Downloading ${name} ${version}`,
    progress: (received: number, size: number) => `${formatCount(received)} of ${formatBytes(size)}`,
    mismatch: "The downloaded module doesn't match the digest",
    mismatchDigest: 'The downloaded file has the digest',
    notOpened: 'It was not opened.',
    tryAgain: 'Try again',
    invalid: 'Not a valid module',
    onlyBytes: (problem: string) => `${problem} Only its bytes can be shown.`,
    summary: {
      noStart: 'No start function.',
      start: (index: number | null) =>
        index === null
          ? 'A start function runs before the entry point.'
          : `Start function ${index} runs before the entry point.`,
      pages: (pages: number, size: string, fixed: boolean) =>
        fixed
          ? `${plural(pages, 'page')} (${size}), fixed`
          : `from ${plural(pages, 'page')} (${size}), no maximum`,
      pageRange: (min: number, max: number, from: string | undefined, to: string) =>
        `${formatCount(min)} to ${plural(max, 'page')} (${from} to ${to})`,
      unknown: 'unknown (not recorded when this release was submitted)',
      builtUnknown: 'Build tools unknown.',
      builtNotRecorded: 'No build tools recorded in the module.',
      built: (tools: readonly string[], languages: readonly string[]) =>
        `Built${tools.length === 0 ? '' : ` with ${listWords(tools)}`}${languages.length === 0 ? '' : ` from ${listWords(languages)}`}.`,
      none: 'none',
      noneListed: 'none listed',
      names: (named: number, functions: number, bytes: number) =>
        `${formatCount(named)} of ${plural(functions, 'function')} named, ${plural(bytes, 'byte')} of names and debug data`,
      table: (type: string, min: number, max: number | null) => {
        if (max === null) return `${type}, from ${plural(min, 'entry', 'entries')}`
        if (max === min) return `${type}, ${plural(min, 'entry', 'entries')}`
        return `${type}, ${formatCount(min)} to ${plural(max, 'entry', 'entries')}`
      },
    },
    download: {
      command: 'download the module for inspection',
      button: 'Download for inspection',
      saveCommand: 'save the module…',
      save: 'Save module…',
      saved: (path: string) => `saved as ${path}.`,
      notSaved: (reason: string) => `was not saved. ${reason}`,
      matches: 'digest matches',
      mismatch: (digest: string, size: number) => `digest mismatch: received ${digest}, ${formatBytes(size)}`,
    },
  },

  testRuns: {
    title: 'Test runs',
    limits: (seconds: number, memory: string, output: string) =>
      `sandbox: no network, ${seconds} s, ${memory} memory, ${output} output`,
    run: 'Run examples',
    runAgain: 'Run again',
    cancel: 'Cancel',
    runCommand: 'run the examples',
    runAgainCommand: 'run the examples again',
    failed: "Couldn't run the module",
    wrongDigest: "The downloaded module doesn't match the digest.",
    unavailable: 'The original package is not available, so there is nothing to run.',
    columns: {
      number: 'Number',
      example: 'Example',
      result: 'Result',
      exit: 'Exit',
      time: 'Time',
      memory: 'Memory',
      calls: 'Calls',
    },
    customTable: 'Custom run',
    custom: 'custom',
    customInput: 'Standard input for a custom run',
    customInputPlaceholder: 'Try your own standard input…',
    arguments: 'Arguments',
    argumentsHint: 'Arguments, separated by spaces',
    runCustom: 'Run',
    summary: (examples: number, passed: number) => `${plural(examples, 'example')} ran, ${passed} passed.`,
    passed: (passed: number, examples: number) => `${passed} of ${examples}`,
    notRun: 'not run yet',
    queued: 'queued',
    downloading: (received: number, size: number) =>
      `downloading the module, ${formatCount(received)} of ${formatBytes(size)}`,
    running: (seconds: string, calls: number, memory: number) =>
      `running for ${seconds} s, ${plural(calls, 'call')}, ${formatMiB(memory)}`,
    none: 'none',
    noInput: 'no input',
    details: (number: string) =>
      number === 'custom' ? 'Details of the custom run' : `Details of example ${number}`,
    noCalls: 'No host functions were called.',
    function: 'Function',
    calls: 'Calls',
    errors: 'Errors returned',
    paths: 'Files it tried to open (the sandbox has none)',
    stdout: 'Standard output',
    stderr: 'Standard error',
    timedOut: 'Stopped at the time limit. Calls, memory and output are as last reported.',
    realClock: 'The clock and random numbers were real.',
    outputs: 'Expected and actual output',
    expected: '− expected',
    actual: '+ actual',
    moreLines: (lines: number) => plural(lines, 'more line', 'more lines'),
    moreOutput: (bytes: number) => `and ${formatBytes(bytes)} more of the actual output`,
    sameCharacters: (characters: number) => `… ${plural(characters, 'character')} unchanged …`,
    moreBytes: (bytes: number) => `and ${formatBytes(bytes)} more`,
    saveOutput: 'Save full output…',
  },

  findings: {
    title: 'Findings',
    none: 'none',
    notChecked: 'not checked yet',
    notCheckedYet: 'Not checked yet.',
    note: (open: number, dismissed: number) =>
      `${open === 0 ? 'none open' : `${open} open`}${dismissed === 0 ? '' : `, ${dismissed} dismissed`}`,
    severity: { error: 'error', warning: 'warning', note: 'note' },
    dismissedSeverity: (severity: string) => `${severity}, dismissed`,
    item: (severity: string, title: string) => `${severity}: ${title}`,
    fromRuns: 'From the test runs in this browser,',
    next: 'next finding',
    dismissCommand: 'dismiss the finding…',
    dismiss: 'Dismiss…',
    quote: 'Quote in notes',
    quoted: {
      approved: 'is quoted in your approval notes.',
      rejected: 'is quoted in your rejection notes.',
      revoked: 'is quoted in your revocation notes.',
    },
    dismissedBy: (person: string, version: string | null) =>
      version === null ? `Dismissed by ${person}:` : `Dismissed in ${version} by ${person}:`,
    unchanged: 'Unchanged since.',
    reopen: 'Reopen',
    form: {
      label: (title: string) => `Dismiss: ${title}`,
      reason: 'Reason',
      hint: 'Applies to all versions of this skill in which the finding is unchanged.',
      tooShort: (characters: number) => `Write at least ${characters} characters.`,
      tooLong: (characters: number) => `Shorten the reason to ${characters} characters.`,
      submit: 'Dismiss',
      cancel: 'Cancel',
    },
    checked: (count: number, version: string, isEmpty: boolean) =>
      `${isEmpty ? 'No findings. ' : ''}${plural(count, 'check')} (version ${version}) examined the manifest, texts and module`,
    checkedAt: (clock: string) => `at ${clock}`,
    checkedOn: (date: string, clock: string) => `on ${date} at ${clock}`,
  },

  documents: {
    title: 'Documents',
    hint: 'as shown to the public',
    showSource: 'Show source',
    showRendered: 'Show rendered',
    readme: 'Readme',
    readmeWhat: 'the readme',
    manifest: (schema: number) => `Manifest (schema ${schema})`,
    examples: (count: number) => plural(count, 'example'),
    input: 'input',
    output: 'output',
    empty: 'empty',
  },

  history: {
    title: 'History',
    events: (count: number) => plural(count, 'event'),
    by: 'by',
    selfApproved: '(self-approved)',
    kinds: {
      submitted: 'submitted',
      'first-approved': 'approved (1 of 2)',
      'approval-withdrawn': 'approval withdrawn',
      'deprecation.withdrawn': 'deprecation withdrawn',
    },
    dismissals: { judged: 'dismissed', withdrawn: 'reopened' },
    deprecation: 'Deprecation',
    auditLog: 'Audit log',
    otherVersions: 'Other versions',
    versions: (count: number) => plural(count, 'version'),
    firstRelease: 'This is the first release.',
  },

  conversation: {
    title: threadTexts.title,
    open: 'Ask…',
    command: (publisher: string) => `ask ${publisher}…`,
    label: (publisher: string) => `Question for ${publisher}`,
    send: 'Ask',
    removeLabel: 'Remove label',
    removeFailed: "Couldn't remove the label",
    function: threadTexts.function,
  },

  lostDecisions: {
    region: 'Decisions that were not carried out',
    title: (name: string, version: string, isPendingAgain: boolean) =>
      `Your decision on ${name} ${version} was not carried out${isPendingAgain ? '; the release is pending again' : ''}`,
    open: 'Open',
    dismiss: 'Dismiss',
    openCommand: (name: string, version: string) => `open ${name} ${version} (decision not carried out)`,
    dismissCommand: (name: string, version: string) =>
      `dismiss the notice about the decision on ${name} ${version}`,
    dismissFailed: (reason: string) => `Couldn't dismiss the notice. ${reason}`,
    reason: 'Your notes:',
    decision: {
      approved: (clock: string) => `approval at ${clock}`,
      rejected: (clock: string) => `rejection at ${clock}`,
    },
    cause: {
      stopped: (decision: string) =>
        `Skilldock stopped unexpectedly during the undo window of your ${decision}.`,
      overtaken: (decision: string) =>
        `Another reviewer decided during the undo window of your ${decision}. The release shows who.`,
      barred: (decision: string) =>
        `You were no longer allowed to decide on this release when the undo window of your ${decision} ended.`,
      grown: (decision: string) =>
        `When the undo window of your ${decision} ended, the release had new capabilities that you hadn't confirmed.`,
    },
  },

  templates: {
    pageTitle: 'Templates',
    title: 'Review note templates',
    hint: ['Offered to everyone who makes a decision. Press', 'to', 'to select one of the first nine.'],
    legend: 'Templates',
    edit: 'Edit templates…',
    editCommand: 'edit templates…',
    none: 'No templates yet.',
    count: (count: number) => plural(count, 'template'),
    add: 'Add template',
    addCommand: (group: string) => `add a template: ${group}`,
    full: (limit: number) => `You've reached the limit of ${limit} templates.`,
    noneInGroup: 'No templates.',
    label: 'Label',
    labelOf: (number: number) => `Label of template ${number}`,
    text: 'Template text',
    textOf: (number: number) => `Text of template ${number}`,
    name: (label: string, number: number) => (label === '' ? `template ${number}` : `“${label}”`),
    up: 'Move up (Alt ↑)',
    down: 'Move down (Alt ↓)',
    remove: 'Remove',
    moveUp: (name: string) => `Move ${name} up`,
    moveDown: (name: string) => `Move ${name} down`,
    removeOne: (name: string) => `Remove ${name}`,
    labelMissing: 'Enter a label.',
    textMissing: 'Enter the template text.',
    what: 'the templates',
    loadFailed: "Couldn't load the templates",
    saveFailed: "Couldn't save the templates",
    changedTitle: 'Another reviewer saved the templates while you were editing',
    changedText: 'Saving replaces the whole list, including their changes.',
    noChanges: 'No unsaved changes.',
    unsaved: 'Unsaved changes.',
    back: 'Back without saving',
    backCommand: 'back to the decision without saving',
    discard: 'Discard changes',
    discardCommand: 'discard the changes',
    save: 'Save',
    saveCommand: 'save the templates',
    saved: 'Templates saved. They are now offered to every reviewer.',
  },

  evidence: {
    none: 'no evidence recorded',
    desk: 'evidence recorded in the desk',
    noRuns: 'evidence recorded in the desk; no test runs',
    observed: (person: string, checks: string, passed: number, runs: number) =>
      `observed by ${person} with checks version ${checks}: ${passed} of ${runs} passed`,
    confirmed: (sentence: string) => `New capabilities confirmed: “${sentence}” `,
    noOpenFindings: 'No open findings.',
    openFindings: (checks: readonly string[]) => `Open findings: ${listWords(checks)}.`,
    findings: (check: string, count: number) => (count === 1 ? check : `${check} (${count})`),
    output: 'Output',
    noExitCode: 'none',
    results: {
      passed: 'passed',
      exited: 'failed',
      trapped: 'trapped',
      'time-limit': 'timed out',
      'memory-limit': 'out of memory',
      'output-limit': 'output over limit',
      'not-run': 'not run',
    },
  },

  decision: {
    verbs: { approved: 'Approve', rejected: 'Reject', revoked: 'Revoke' },
    open: { approved: 'Approve…', rejected: 'Reject…', revoked: 'Revoke…' },
    undo: 'Undo',
    command: (verb: string, name: string, version: string) => `${verb} ${name} ${version}…`,
    undoCommand: (decision: string) => `undo ${decision}`,
    publicReason: 'Review notes (public)',
    publishReason: 'Publish these notes in the advisory',
    reasonTo: (publisher: string) => `Review notes for ${publisher}`,
    typeName: 'Type the skill name to confirm',
    typeNameFirst: (name: string) => `Type ${name} to revoke it.`,
    reasonTooShort: (characters: number) => `Write at least ${characters} characters.`,
    reasonTooLong: (characters: number) => `Shorten the notes to ${formatCount(characters)} characters.`,
    selfApproval:
      'You submitted this release yourself. If you approve it, it is publicly marked as self-approved.',
    selfApprovalOff:
      'You submitted this release yourself, and self-approval is turned off. Another reviewer must approve it.',
    oneOfTwo: (by: string) => `1 of 2 approvals, by ${by}`,
    needsAnother: 'Another reviewer must make the second approval.',
    withdraw: 'Withdraw approval',
    withdrawnToast: 'has no approval again.',
    notWithdrawn: (reason: string) => `keeps your approval. ${reason}`,
    firstToast: 'has 1 of 2 approvals. It stays pending until another reviewer approves it.',
    packageLost: {
      missing: "The package is missing, so this release can't be approved.",
      changed: "The package doesn't match its digest, so this release can't be approved.",
    },
    heldIn: (subject: string, seconds: number) =>
      seconds === 0 ? `${subject} now` : `${subject} in ${seconds} s`,
    canUndo: 'You can undo it until then.',
    heldByOther: 'You can decide only if that decision is undone.',
    nextRelease: 'Next release',
    you: 'You',
    anotherReviewer: 'Another reviewer',
    momentAgo: 'a moment ago',
    ago: (age: string) => `${age} ago`,
    decided: (person: string, decision: string, when: string) => `${person} ${decision} this ${when}`,
    revokedToast: 'was revoked. It can no longer be downloaded.',
    undoneToast: 'is pending again. Your notes are kept.',
    notUndoneToast: (reason: string) => `could not be returned to the queue. ${reason}`,
    openRelease: 'Open',
    effect: {
      approvingFirst:
        'Approving records the first of 2 approvals. The release stays pending until another reviewer approves it.',
      publicLater: 'Your review notes become public under your name with the second approval.',
      approving: (latest: string) =>
        `Approving publishes this release as the latest ${latest}, with your review notes and any test runs.`,
      approvingOlder: (latest: string, name: string) =>
        `Approving publishes this release with your review notes and any test runs. ${latest} stays the latest ${name}.`,
      approved:
        "Public. Revoking removes it from the catalog and stops downloads immediately, and can't be undone.",
      rejected: (version: string) =>
        `Not public. The version number ${version} can't be reused: the publisher must submit a new version.`,
      revoked: "No longer public. It can't be approved again.",
      becomesLatest: (release: string) =>
        `${release} becomes the latest release, and anyone can download it.`,
      staysOlder: (release: string, latest: string) =>
        `Anyone can download ${release}. ${latest} stays the latest.`,
      publicReason:
        'Your review notes become public under your name. No test runs are published, because you ran no examples.',
      publicReasonAndRuns: (count: number, reviewer: string, checks: string) =>
        `Your review notes become public under your name, with ${plural(count, 'test run')} “observed by ${reviewer} with checks version ${checks}”.`,
      nothingPublic: 'Nothing becomes public.',
      staysLatest: (version: string) => `${version} stays the latest.`,
      publisherSees: (publisher: string) => `${publisher} sees these notes.`,
      notReusable: (version: string) => `The version number ${version} can't be reused.`,
      leavesCatalog: (name: string) => `${name} leaves the catalog: it has no other approved release.`,
      downloadsStop: (version: string) => `Downloads of ${version} stop immediately.`,
      becomesLatestVersion: (version: string) => `${version} becomes the latest.`,
      privateReason: (publisher: string) =>
        `${publisher} sees these notes. They are not made public: the advisory only has the name, version and digest.`,
      publishedReason: (publisher: string) =>
        `${publisher} sees these notes, and the public advisory of the revocation contains them.`,
      noDownloads: (date: string) => `No downloads since it was approved${date}.`,
      downloads: (count: number, date: string) =>
        `${plural(count, 'download')} since it was approved${date}.`,
      onDate: (date: string) => ` on ${date}`,
    },
  },
} as const
