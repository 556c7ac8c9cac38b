import { settingDeclarations } from '../../shared/settings.ts'
import type { SettingKey } from '../../shared/settings.ts'
import type { Styled } from '../../shared/colors.ts'
import { countOf } from '../../shared/text.ts'
import { inBytes } from '../backup/progress.ts'
import type { AllCounts } from '../backup/stored-files.ts'
import type { Finding } from '../doctor/examine-folder.ts'
import type { MirrorRun } from '../mirror/fill-mirror.ts'
import { exitCodes } from './exit-codes.ts'
import type { ExitCode } from './exit-codes.ts'

const contents = ({ releases, packages, people }: AllCounts): string =>
  `${countOf(releases, 'release')}, ${countOf(packages, 'package')} and ${countOf(people, 'person', 'people')}`

const serveProject = (folder: string): string =>
  `  SKILLDOCK_WORKSPACE=${folder} skilldock serve    shows them in the dashboard`

/** Such as `12 approved`. */
export const inStatuses = (counts: Iterable<readonly [status: string, count: number]>): string[] =>
  [...counts].map(([status, count]) => `${count} ${status}`)

const stateStyles = { ok: 'green', warning: 'yellow', broken: 'red' } as const

const withArticle = (role: string): string => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`

export interface Demo {
  folder: string
  releases: number
  skills: number
  /** The number of releases in each status. */
  statuses: Readonly<Record<string, number>>
  posts: number
  projects: number
  people: readonly { subject: string; name: string; role: string }[]
  administrator: string
}

/** Every user-visible text of the command line, except the help of each command, which is in declarations.ts. */
export const texts = {
  /** `skilldock --help`, and the headings of `skilldock COMMAND --help`. */
  help: {
    overview: (commands: string, settings: string, statuses: string) =>
      `Skilldock: a registry of free WASI command modules with manual review.

Usage: skilldock COMMAND [options]        from source: npm run -s skilldock -- COMMAND [options]
       skilldock --version

Commands
${commands}

Environment variables (the settings can also be set in settings.json):
${settings}

Exit codes
${statuses}`,
    command: 'Show this page; "skilldock help COMMAND" shows the help of one command',
    dataFolder: 'the data folder (default on Linux: ~/.local/share/skilldock)',
    mailPassword: 'password at the SMTP server',
    colors: 'as in Node: 1 always uses colors, 0 never; any NO_COLOR turns them off',
    workers: 'processes of serve for public reads, or auto (default: 1)',
    readyFile: 'file to write once the registry and the local services accept requests',
    storage: 's3://BUCKET/PREFIX for packages and images; see "skilldock storage --help"',
    durability: 'local, or replicated: acknowledge what is in the bucket (default: local)',
    litestream: 'the program that replicates the database (default: litestream)',
    exitCodes: {
      [exitCodes.done]: 'success',
      [exitCodes.failed]: 'refused or failed; the message says why',
      [exitCodes.usage]: 'invalid command line or setting',
      [exitCodes.noServer]: 'no server is running, but the command needs one',
      [exitCodes.inUse]: 'a port or the data folder is in use by another program',
    } satisfies Record<ExitCode, string>,
    usage: (forms: readonly string[]) => `Usage: ${forms.join('\n       ')}`,
    options: (rows: string) => `Options\n${rows}`,
    json: 'print one JSON document, even for errors',
    showHelp: 'show the help of the command',
    showVersion: 'show the version of skilldock',
    summary: 'a registry of free WASI command modules with manual review',
  },

  /** Errors of any command line. */
  usage: {
    requiresNode: (version: string) =>
      `Skilldock requires Node 24; this is ${version}. ` +
      'Install that version, or let npm provide it: npm ci, then npm start or npm run -s skilldock -- COMMAND',
    unknownCommand: (name: string, commands: readonly string[]) =>
      `Unknown command "${name}". Commands: ${commands.join(', ')}.`,
    seeHelp: (command: string | null) => `See: skilldock ${command === null ? '' : `${command} `}--help`,
    isSetting: (option: string, key: SettingKey) => {
      const { variable } = settingDeclarations[key]
      const inFile = `"${key}" in settings.json`
      return `--${option} is a setting, not an option. Set ${variable === null ? inFile : `${variable}, or ${inFile}`}.`
    },
    unexpectedArgument: (argument: string) => `Unexpected argument "${argument}".`,
    invalidValue: (option: string, problem: string) => `${option} ${problem}.`,
    invalidRole: (role: string) => `Invalid role "${role}". Use admin, reviewer, editor or developer.`,
    unknownShell: (shell: string, known: readonly string[]) =>
      `Unknown shell "${shell}". Use ${known.join(', ')}.`,
    noFile: (file: string) =>
      `The file ${file} does not exist. Pass the path of a backup, as printed by: skilldock backup`,
    standardOutput: 'Standard output',
    noDatabase: (reason: string) =>
      `The database cannot be used: ${reason}. To see what is wrong, run: skilldock doctor`,
    interrupted: (signal: string) => `Interrupted by ${signal}; incomplete files were removed.`,
  },

  serve: {
    invalidWorkers: (from: string, value: string, max: number) =>
      `Invalid ${from}: ${JSON.stringify(value)}. Use a number from 1 to ${max}, or auto.`,
    noWorkersReplicated: (from: string) =>
      `With SKILLDOCK_DURABILITY=replicated, one process answers all requests: leave out ${from}.`,
    noWorkersFollowing: (from: string) =>
      `With --follow, one process answers all requests: leave out ${from}.`,
    invalidWriter: (value: string) =>
      `Invalid --follow: ${JSON.stringify(value)}. Use the address of the server that writes, such as http://10.0.0.2:4280.`,
    noWorkersInApp: (from: string) =>
      `The command of the desktop app has no ${from}. Install Skilldock with npm, or run it from source.`,
    started: (registry: string, local: string, dataFolder: string, more: readonly string[]) => [
      `Registry        ${registry}`,
      `Local services  ${local}`,
      `Data folder     ${dataFolder}`,
      ...more,
      'Press Ctrl+C to stop.',
    ],
    following: (registry: string, writer: string, dataFolder: string) => [
      `Registry        ${registry}`,
      `Follows         ${writer}`,
      `Data folder     ${dataFolder}`,
      'Press Ctrl+C to stop.',
    ],
    /** For `systemctl status`. */
    readerStatus: (registry: string) => `Registry: ${registry}`,
    status: (registry: string, local: string) => `Registry: ${registry}, local services: ${local}`,
    stopping: 'stopping',
  },

  start: {
    invalidPatience: '--patience must be a whole number of seconds from 1 to 9999.',
    link: (url: string) => [
      `Desk            ${url}`,
      '                The link works once, within five minutes. For a new one: skilldock desk',
    ],
    severalAdministrators:
      'Desk            There are several administrators. For a link: skilldock desk --subject NAME',
    closed: 'The window was closed; the services keep running.',
    opening: (why: string) => `There is no desk window: ${why}. Opening the desk in your browser.`,
    manually: (isLinkPrinted: boolean, why: string) =>
      `There is no desk window: ${why}. Open the desk in a browser${isLinkPrinted ? ' with the link above' : ''}.`,
    downloading: (megabytes: number) => `Downloading Electron for the desk window: ${megabytes} MB`,
    /** Why there is no window; follows `opening` or `manually`. */
    noWindow: {
      failed: (reason: string) => `the Electron window failed (${reason})`,
      exitStatus: (code: number | null) => `exit status ${code}`,
      off: 'SKILLDOCK_NO_ELECTRON is set',
      noDisplay: 'no display is available',
      wrongFolder: 'ELECTRON_OVERRIDE_DIST_PATH does not contain Electron',
      notInstalled: 'Electron is not installed',
      notDownloaded: (reason: string) => `Electron could not be downloaded (${reason})`,
    },
    /** Why Electron could not be downloaded. */
    download: {
      noExecutable: 'its executable is missing',
      noData: (seconds: number) => `no data for ${seconds} s`,
      canceled: 'canceled',
      status: (status: string) => `the download server answered ${status}`,
      checksum: 'the checksum does not match',
      diskFull: 'the disk is full',
      notWritable: 'its folder is not writable',
      unreachable: 'the download server is unreachable',
      noNetwork: 'no network',
      unknown: 'unknown error',
    },
  },

  token: {
    noSubject: 'Missing option: --subject NAME',
    invalidLife: (ttl: string | undefined) =>
      `--ttl "${ttl}" is not a valid lifetime. Use a time such as 90s, 15m or 30d, at most 3650d.`,
    invalidScope: (scope: string) => `Invalid scope "${scope}". Use publish or admin.`,
  },

  people: {
    unknownAction: (action: string | undefined, actions: string) =>
      `Unknown action "${action}". Use ${actions}.`,
    missingArgument: (form: string) => `Missing argument. Usage: skilldock people ${form}`,
    missingRole: 'Missing role: admin, reviewer, editor or developer.',
    added: (subject: string, role: string) =>
      `${subject} is ${withArticle(role)}. Create a token: skilldock token --subject ${subject}`,
    changed: (subject: string, role: string) => `${subject} is now ${withArticle(role)}.`,
    removed: (subject: string) => `Removed ${subject} and revoked all their tokens.`,
    revoked: (id: string) => `Revoked token ${id}.`,
    list: {
      none: 'No people yet. Add an administrator: skilldock people add NAME --role admin',
      columns: ['SUBJECT', 'NAME', 'ROLE', 'STATUS', 'ID'],
      noName: 'none',
      active: 'active',
      removed: (time: string) => `removed ${time}`,
    },
    tokens: {
      none: (subject: string) => `${subject} has no tokens. Create one: skilldock token --subject ${subject}`,
      columns: ['ID', 'LABEL', 'SCOPE', 'STATUS', 'LAST USED'],
      fullAccess: 'full access',
      revoked: (time: string) => `revoked ${time}`,
      expired: (time: string) => `expired ${time}`,
      valid: (time: string) => `valid until ${time}`,
      neverUsed: 'never',
    },
  },

  desk: {
    noServer: (folder: string) =>
      `No server is running on the data folder ${folder}. Start one: skilldock serve`,
    noRemoteDesk:
      'The desk is not served over the network. Turn it on in the settings, or with SKILLDOCK_DESK_REMOTE=on.',
    noAdministrator:
      'There is no administrator yet. Create the first one on this computer, with the link of: skilldock desk',
    chooseAdministrator: (subjects: readonly string[], remote: boolean) =>
      [
        'There are several administrators. Choose one:',
        ...subjects.map((subject) => `  skilldock desk --subject ${subject}${remote ? ' --remote' : ''}`),
      ].join('\n'),
  },

  demo: {
    noFolder: '--agents needs a folder.',
    liveWithoutAgents: '--live needs --agents DIR.',
    created: ({ folder, releases, skills, statuses, posts, projects, people, administrator }: Demo) =>
      `Created in ${folder}: ${releases} releases of ${skills} skills (${inStatuses(Object.entries(statuses)).toSorted().join(', ')}),
${posts} blog posts and ${projects} showcase projects.

People
${people.map(({ subject, name, role }) => `  ${subject.padEnd(8)}${name}, ${role}`).join('\n')}

Next
  skilldock serve                            starts the registry
  skilldock desk --subject ${administrator}             signs ${administrator} in to the desk, in a second terminal
  skilldock token --subject ${administrator}            prints a token for the HTTP API
From source, run each as: npm run -s skilldock -- COMMAND, with the same SKILLDOCK_DATA.`,
    agents: {
      otherProject: (folder: string) =>
        `${folder} already contains an agent project (data/nexus.db) that skilldock demo did not create. Choose another folder.`,
      demoProject: (folder: string) =>
        `${folder} already contains a demo agent project (data/nexus.db). Add --live to continue it, or choose another folder.`,
      notCreated: (folder: string, reason: string) =>
        `Could not create an agent project in ${folder}: ${reason}. Choose another folder.`,
      started: ({
        folder,
        agents,
        supervisors,
        isNew,
      }: {
        folder: string
        agents: number
        supervisors: number
        isNew: boolean
      }) =>
        `${isNew ? 'Created' : 'Continuing with the'} ${agents} agents and ${supervisors} supervisors in ${folder}.`,
      next: (folder: string) => `
Next
  skilldock demo --agents ${folder} --live    keeps them working
${serveProject(folder)}`,
      live: (folder: string) => `Press Ctrl+C to stop them.

In another terminal
${serveProject(folder)}`,
    },
  },

  backup: {
    done: (file: string, counts: AllCounts, size: number) =>
      `${file}: ${contents(counts)} in ${inBytes(size)}. Keep it secret: it contains the signing key.`,
  },

  restore: {
    done: (counts: AllCounts, createdAt: string, folder: string) =>
      `Restored ${contents(counts)}, as of ${createdAt}, into ${folder}. Start the server: skilldock serve`,
    failed: (reason: string) => `${reason}\nNothing was restored.`,
    fromBucket: (url: string, folder: string) =>
      `Restored the database, the keys and the settings of ${url} into ${folder}. To let this machine write, empty the ` +
      'folder and run "skilldock promote".',
  },
  promote: {
    noBucket: 'Set SKILLDOCK_STORAGE to the bucket of the registry.',
    done: (url: string, epoch: number, folder: string) =>
      `This machine writes the registry in ${url} now (epoch ${epoch}); its data folder is ${folder}. Start the server: ` +
      'skilldock serve',
  },

  mirror: {
    inUse: (folder: string) =>
      `Another skilldock mirror fills ${folder}. Stop it first, or let it do the work.`,
    invalidTime: (value: string) =>
      `Invalid --every: ${JSON.stringify(value)}. Use a time such as 90s, 15m or 1h, at most 7d.`,
    invalidTimeout: (value: string) =>
      `Invalid --timeout: ${JSON.stringify(value)}. Use a number of seconds from 0.1 to 3600.`,
    done: (at: string, { added, revoked, problems, isPartial }: MirrorRun) =>
      [
        `${at}  ${added.length} copied, ${revoked.length} revoked${isPartial ? '; more with the next run' : ''}`,
        ...revoked.map((release) => `  revoked  ${release}`),
        ...problems.map((problem) => `  refused  ${problem}`),
      ].join('\n'),
    failed: (at: string, reason: string) => `${at}  Failed: ${reason}`,
    interrupted: 'Interrupted. The next run continues.',
  },

  rebuild: {
    lost: (what: string) => `lost    ${what}`,
    done: (states: readonly string[], folder: string, aside: string) =>
      `Rebuilt ${states.length === 0 ? 'no releases' : `these releases: ${states.join(', ')}`}.
What was replaced is in ${aside}.

Next
  skilldock people role NAME admin    makes a person an administrator again
  skilldock serve                     starts the registry on ${folder}`,
  },

  storage: {
    missingTarget: 'Missing place: s3://BUCKET/PREFIX, or local.',
    moved: (count: number, url: string | null, folder: string) =>
      `${count} ${count === 1 ? 'file is' : 'files are'} in ${url ?? folder} now. The former copies were not removed.
${url === null ? 'Start the server without SKILLDOCK_STORAGE.' : `Start the server with SKILLDOCK_STORAGE=${url}.`}`,
  },

  doctor: {
    report: (folder: string, findings: readonly Finding[], style: Styled) => {
      const lines = findings.map(({ check, state, sentence, next }) => {
        const text = next === null ? sentence : `${sentence} ${next}`
        return `${style(stateStyles[state], state.padEnd(7))}  ${check.padEnd(15)}  ${text}`
      })
      const count = (state: Finding['state'], noun: string): string[] => {
        const found = findings.filter((finding) => finding.state === state).length
        return found === 0 ? [] : [countOf(found, noun)]
      }
      const counts = [...count('broken', 'problem'), ...count('warning', 'warning')]
      const summary = counts.length === 0 ? 'No problems found.' : `${counts.join(' and ')} found.`
      return [folder, ...lines, summary].join('\n')
    },
  },

  verify: {
    repairBackup:
      "A backup can't be repaired, and one with errors can't be restored. To repair the data folder, run: skilldock verify --repair",
    error: (problem: string, style: Styled) => `${style('red', 'error')}   ${problem}`,
    unused: (name: string) => `unused  ${name}`,
    backup: (file: string) => `backup  ${file}`,
    fixed: (problem: string) => `fixed   ${problem}`,
    summary: (counts: AllCounts, states: readonly string[], unused: number) =>
      [
        `Releases  ${counts.releases}${states.length === 0 ? '' : ` (${states.join(', ')})`}`,
        `Packages  ${counts.packages}, ${inBytes(counts.packageBytes)}`,
        ...(counts.pictures === 0
          ? []
          : [`Images    ${counts.pictures}, ${inBytes(counts.pictureBytes)} including resized copies`]),
        `People    ${counts.people}`,
        ...(unused === 0
          ? []
          : [`Unused    ${countOf(unused, 'file')}, removed when the server next starts`]),
      ].join('\n'),
    noProblems: 'No problems found.',
    problems: (count: number) => `${countOf(count, 'problem')} found.`,
    repair: (repairable: number, problems: number) => {
      const which = problems === 1 ? 'It' : repairable === problems ? 'All of them' : `${repairable} of them`
      return `${which} can be repaired. Stop the server and run: skilldock verify --repair`
    },
    restore:
      "What can't be repaired must be restored from a backup, into an empty folder: skilldock restore FILE",
  },
} as const
