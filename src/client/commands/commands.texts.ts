import { countOf, formatInteger } from '../../shared/text.ts'
import { lockFileName } from '../installed/lock-file.ts'
import type { LockedSkill } from '../installed/lock-file.ts'

const restore = 'Restore the locked module with: skill install'
const bumpVersion = 'Fix the problem, bump the version and publish again.'
type Identity = Pick<LockedSkill, 'size' | 'sha256'>
const moduleText = ({ size, sha256 }: Identity): string =>
  `${countOf(size, 'byte')} with the SHA-256 ${sha256}`
const more = (offset: number): string => `For more: --offset ${offset}`

/** Every text that the commands print themselves, by command. */
export const texts = {
  audit: {
    notCombined: {
      sentence: '--strict and --log cannot be combined.',
      next: 'Run skill audit twice, once with each.',
    },
    /** By what is wrong. */
    releases: {
      approved: (release: string) => `${release} is approved.`,
      unknown: (release: string, host: string) => `${release} is not known to ${host}. Do not run it.`,
      otherModule: (release: string, host: string) =>
        `${release} at ${host} is a different module than the locked one. Do not run it.`,
      revoked: (release: string, _host: string, advisory: string) =>
        `${release} was revoked (${advisory}). Do not run it.`,
    },
    newer: (version: string) => `The latest release is ${version}.`,
    summary: (count: number, bad: number, deprecated: number, outdated: number) =>
      `${countOf(count, 'skill')} checked: ${bad} must not be run, ${deprecated} deprecated, ${outdated} outdated.`,
    reading: (read: number, total: number) =>
      `Reading the log: ${formatInteger(read)} of ${countOf(total, 'entry', 'entries')}`,
    verified: (host: string, size: number, added: number) =>
      `The log of ${host} is unchanged up to the last audit and has ${countOf(size, 'entry', 'entries')}, ${formatInteger(added)} of them new.`,
    verifiedFirst: (host: string, size: number) =>
      `The log of ${host} has ${countOf(size, 'entry', 'entries')}, which match its signed checkpoint.`,
    first: (keyHash: string) =>
      `Its key ${keyHash} and its checkpoint are remembered. Compare the key with another source, such as a colleague.`,
    approval: (
      release: string,
      decision: { action: 'approved' | 'revoked'; index: number; at: string } | null,
    ) =>
      decision === null
        ? `${release} has no approval in the log for the locked module. Do not run it.`
        : decision.action === 'approved'
          ? `${release} was approved on ${decision.at.slice(0, 10)} (entry ${decision.index}).`
          : `${release} was revoked on ${decision.at.slice(0, 10)} (entry ${decision.index}). Do not run it.`,
    revoked: (release: string, at: string) => `Revoked on ${at.slice(0, 10)}: ${release}`,
    more: (count: number) => `Revoked before that: ${countOf(count, 'more release')}`,
    otherRegistries: (count: number) =>
      `Not audited: ${countOf(count, 'locked skill')} from other registries. Pass their address with --registry.`,
  },

  check: {
    digest: (sha256: string) => `SHA-256 ${sha256}`,
    rejected: 'The registry would reject this release. Fix the problems and check again.',
    exampleFailed:
      'An example did not pass: each must produce the expected output and exit with 0. Fix the module or the manifest and check again.',
    ready: 'Ready to publish. Submit it for review with: skill publish',
    warning: 'The registry would accept this release, but --strict treats warnings as errors.',
    error: 'The registry would accept this release, but reviewers would see an error.',
  },

  completion: {
    unknownShell: (shell: string, known: readonly string[]) => ({
      sentence: `Unknown shell "${shell}".`,
      next: `Use ${known.join(', ')}.`,
    }),
  },

  info: {
    facts: {
      publisher: 'publisher',
      owners: 'owners',
      license: 'license',
      category: 'category',
      submitted: 'submitted',
      size: 'size',
      sha256: 'sha256',
      input: 'input',
      output: 'output',
      review: 'review',
      source: 'source',
    },
    decided: (action: string, reviewer: string, isSelfApproved: boolean, date: string) =>
      `${action} by ${reviewer}${isSelfApproved ? ' (self-approved)' : ''} on ${date}`,
    and: ' and ',
    /** Each may follow `decided`. */
    noEvidence: '; no evidence recorded',
    notRun: '; examples were not run',
    passed: (passed: number, count: number) => `; ${passed} of ${count} examples passed`,
    install: (release: string) => `Install it with: skill install ${release}`,
  },

  init: {
    created: (name: string, folder: string, language: string, needs: string) =>
      `Created the skill ${name} in the folder ${folder}. ${language} needs ${needs}.`,
    readme: (folder: string) => `See ${folder}/README.md for all steps up to publishing.`,
    askName: 'Name of the skill:',
    askLanguage: (languages: string) => `Language (${languages}):`,
    invalidName: (name: string, problems: string) => ({
      sentence: `"${name}" is not a valid skill name: it ${problems}.`,
      next: 'Examples: slugify, csv-to-json, sha256.',
    }),
    unknownLanguage: (language: string, languages: string) => ({
      sentence: `Unknown language "${language}".`,
      next: `Use ${languages}.`,
    }),
    missing: (argument: 'name' | 'language', languages: string) => ({
      sentence: `The ${argument} of the skill is missing.`,
      next: `Usage: skill init NAME --language LANGUAGE (${languages})`,
    }),
  },

  install: {
    states: { installed: 'installed', restored: 'restored', unchanged: 'is up to date' },
    done: (name: string, version: string, state: string) => `${name} ${version} ${state}`,
    empty: `${lockFileName} lists no skills. Add one with: skill install NAME`,
    run: (name: string) => `Run it with: skill run ${name}`,
    withdrawn: (release: string, host: string, name: string) => ({
      sentence: `${lockFileName} lists ${release}, which is not available at ${host}.`,
      next: `It may have been revoked, so do not run it. To see the latest release, run: skill info ${name}`,
    }),
    digestMismatch: (release: string, locked: Identity, now: Identity) => ({
      sentence: `${release} in the registry does not match the lock file: it has ${moduleText(now)}, not ${moduleText(locked)}. A release must never change.`,
      next: "It was not installed. Contact the registry's administrator.",
    }),
    drift: (reason: string) => ({
      sentence: `${lockFileName} is frozen, but ${reason}.`,
      next: 'Run skill install without --frozen, review the changes, and commit the lock file.',
    }),
    /** Why the lock file would change. */
    drifts: {
      module: (name: string) => `skills/${name} does not match it`,
      manifest: (name: string, release: string) => `skills/${name}/manifest.json does not match ${release}`,
      notListed: (name: string) => `it does not list ${name}`,
      version: (name: string, locked: string, requested: string) =>
        `it lists ${name} ${locked}, not ${requested}`,
    },
  },

  verify: {
    verdicts: {
      verified: (release: string) => `${release} is the module that was approved.`,
      missing: (release: string) => `The module of ${release} is missing. Restore it with: skill install`,
      changed: (release: string) =>
        `The module of ${release} differs from the lock file. Restore it with: skill install`,
      notAttested: (release: string) => `The registry of ${release} signs no approvals.`,
      revoked: (release: string) =>
        `${release} was revoked, so its approval is not valid. Do not run it. For details, run: skill audit`,
    },
  },

  list: { columns: ['NAME', 'VERSION', 'MODULE', 'REGISTRY'] },

  login: {
    askToken: (host: string) => `Token for ${host} (input is hidden): `,
    signedIn: (host: string, person: string) => `Signed in to ${host} as ${person}.`,
    token: (rights: string, date: string) => `The token ${rights} and expires on ${date}.`,
    /** By the scope of the token. */
    rights: { publish: 'can publish', admin: 'has all of your permissions' },
    formerToken: (person: string) =>
      `The previously saved token of ${person} may still be valid. You can revoke it in the desk, under My releases.`,
    variable: 'SKILL_TOKEN is set and takes precedence. Unset it to use this token.',
    notCombined: (options: readonly string[]) => ({
      sentence: `--${options.join(' and --')} cannot be combined.`,
      next: 'Use at most one of them.',
    }),
  },

  logout: {
    notSignedIn: (host: string) => `You were not signed in to ${host}.`,
    signedOut: (host: string, person: string) => `Signed out of ${host}. You were signed in as ${person}.`,
    revoked: 'The token was revoked.',
    notValid: 'The token was no longer valid.',
    /** Followed by `until`, and by `revoke` where that helps. */
    stillValid: 'The token itself is still valid',
    until: (date: string | null) => (date === null ? '.' : ` until ${date}.`),
    revoke: ' Revoke it in the desk, under My releases.',
    variable: 'SKILL_TOKEN is set and is still used. Unset it as well.',
  },

  mine: {
    columns: ['NAME', 'VERSION', 'STATUS', 'SUBMITTED', 'REVIEW NOTES'],
    none: 'You have no releases in this registry yet. Create a skill with: skill init',
    pastEnd: (offset: number, total: number) =>
      `--offset ${offset} is past the end: you have ${countOf(total, 'release')}.`,
    more,
  },

  outdated: {
    columns: ['NAME', 'INSTALLED', 'LATEST'],
    none: '(no approved release)',
    upToDate: (count: number) => `${countOf(count, 'skill')} checked: all are the latest release.`,
    update: 'Update them with: skill update',
  },

  owner: {
    noAction: (actions: readonly string[]) => ({
      sentence: 'What to do is missing or unknown.',
      next: `Use one of ${actions.join(', ')}. See: skill owner --help`,
    }),
    wrongArguments: (action: string) => ({
      sentence: `These are not the arguments of skill owner ${action}.`,
      next: 'See: skill owner --help',
    }),
    owners: (name: string, owners: string) => `Owners of ${name}: ${owners}`,
    nobody: 'nobody at present',
    none: "You don't own any names yet. You will own each name that you are the first to submit.",
    columns: ['NAME', 'OWNERS', 'LATEST SUBMISSION'],
    latest: (version: string, status: string, publisher: string) => `${version} ${status}, by ${publisher}`,
    more,
    open: 'Open offers of your names',
    received: 'Offers to you',
    offer: (id: number, kind: string, name: string, [from, to]: readonly [string, string], until: string) =>
      `${id}  ${name}: ${from} offers ${kind === 'transfer' ? `to transfer it to ${to}` : `${to} co-ownership`}, until ${until}`,
    offered: (kind: string, name: string, to: string, until: string) =>
      kind === 'transfer'
        ? `Offered to transfer ${name} to ${to} until ${until}. You own it until they accept.`
        : `Offered ${to} co-ownership of ${name} until ${until}.`,
    toAccept: (name: string) => `They accept in the desk, or with: skill owner accept ${name}`,
    noOffer: (name: string) => ({
      sentence: `There is no open offer of ${name} to you.`,
      next: 'See your offers with: skill owner list',
    }),
    done: {
      accepted: (name: string) => `You now own ${name}.`,
      declined: (name: string) => `Declined the offer of ${name}.`,
      withdrawn: (id: string) => `Withdrew offer ${id}.`,
      left: (name: string) => `You no longer own ${name}.`,
    },
  },

  publish: {
    uploading: 'Uploading',
    uploaded: 'Uploaded. Waiting for the registry.',
    checking: (problem: string) => `${problem} Checking whether the release arrived.`,
    submitted: (name: string, version: string, status: string | null) =>
      `Submitted ${name} ${version}${status === null ? '' : `: ${status}`}.`,
    moreFindings: (count: string) => `More findings from the registry's checks: ${count}`,
    inReview: (name: string) =>
      `A person reviews every release. To see the status, run: skill status ${name}`,
    alreadySubmitted: (name: string, version: string, status: string) =>
      `${name} ${version} was already submitted with this module: ${status}.`,
    notUploaded: (advice: string, release: string) =>
      `Nothing was uploaded. ${advice} For details, run: skill status ${release}`,
    bumpVersion,
    changeManifest: 'To change the manifest, bump the version.',
    interrupted: { sentence: 'Interrupted before anything was uploaded.' },
    rejected: (file: 'manifest' | 'module', reason: string) => ({
      sentence: `Not submitted: the registry would reject the ${file}: ${reason}.`,
      next: 'Fix the problems, then run: skill check',
    }),
    otherModule: (name: string, version: string, sha256: string) => ({
      sentence: `${name} ${version} was already submitted with a different module (this one has the SHA-256 ${sha256}).`,
      next: 'A version never changes. Bump the version in the manifest and publish again.',
    }),
  },

  remove: {
    done: (name: string, version: string) => `${name} ${version} removed`,
    changed: (name: string) => ({
      sentence: `skills/${name}/skill.wasm differs from ${lockFileName}, so nothing was removed.`,
      next: 'Move or delete the file if you do not need it, then remove the skill again.',
    }),
  },

  reply: {
    sent: (release: string) => `Your answer about ${release} was sent to the reviewers.`,
    status: (release: string) => `To see the conversation, run: skill status ${release}`,
    invalid: (problem: string) => ({ sentence: `The answer can't be sent: it ${problem}.` }),
  },

  run: {
    mebibytes: (option: string, max: number) => ({
      sentence: `--${option} must be a whole number of MiB from 1 to ${max}.`,
    }),
    invalidName: (name: string) => ({
      sentence: `"${name}" is not a valid skill name.`,
      next: 'A name is lowercase words separated by hyphens, such as csv-to-json. To run a file, use: skill run --wasm FILE',
    }),
    noName: {
      sentence: 'The name of the skill is missing.',
      next: 'Usage: skill run NAME, or: skill run --wasm FILE',
    },
    notInstalled: (name: string, lockFile: string | null) => ({
      sentence:
        lockFile === null
          ? `No skills are installed: no ${lockFileName} in this folder or its parents.`
          : `${name} is not installed: ${lockFile} does not list it.`,
      next: `Install it with: skill install ${name}`,
    }),
    missing: (name: string) => ({ sentence: `The module of ${name} is missing.`, next: restore }),
    changed: (name: string) => ({
      sentence: `The module of ${name} does not match the SHA-256 in ${lockFileName}.`,
      next: restore,
    }),
  },

  search: {
    columns: ['NAME', 'VERSION', 'PUBLISHER', 'DESCRIPTION'],
    none: (q: string, offset: number) =>
      `No approved skills${q === '' ? '' : ` match "${q}"`}${offset === 0 ? '' : ` after the first ${offset}`}.`,
    more,
  },

  status: {
    facts: (submitted: string, sha256: string) => `submitted ${submitted}, SHA-256 ${sha256}`,
    firstApproval: (by: string, at: string) =>
      `first approved by ${by} on ${at}; a second approval is needed`,
    findings: (count: string, isRejected: boolean) =>
      `${isRejected ? 'Findings when it was rejected' : 'Findings'}: ${count}`,
    reply: (release: string) => `To answer the question, run: skill reply ${release} "YOUR ANSWER"`,
    pending: (release: string, status: string) => `${release} is ${status}.`,
    retrying: (problem: string) => `${problem} Retrying.`,
    install: (release: string) => `Anyone can install it with: skill install ${release}`,
    bumpVersion,
    inReview: (release: string) =>
      `A person reviews every release. To wait for the decision, run: skill status ${release} --wait`,
    timeUp: 'Still pending when the time was up. Run the same command again to keep waiting.',
    onlyWithWait: {
      sentence: '--timeout requires --wait.',
      next: 'Example: skill status NAME --wait --timeout 2h',
    },
  },

  /** By the state of the skill. */
  update: {
    updated: (name: string, from: string, to: string) => `${name} ${from} updated to ${to}`,
    unchanged: (name: string, version: string) => `${name} ${version} is the latest release`,
    unavailable: (name: string, version: string) =>
      `${name} ${version} was not updated: the registry has no approved release of it. Do not run it.`,
  },

  whoami: {
    person: (who: string, subject: string, role: string, host: string) =>
      `Signed in to ${host} as ${who} (${subject}), ${role}.`,
  },
} as const
