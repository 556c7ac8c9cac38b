import type { ServiceAction } from '../../../shared/contracts/desk-settings.ts'
import { plural } from '../../lib/format.ts'

const names = { registry: 'Registry', dashboard: 'Local services' } as const
const loadFailed = "Couldn't load the services"

/** Every user-visible text of the Services page, and the summary of the services in the frame. */
export const texts = {
  names,

  page: {
    title: 'Services',
    inTray: 'They keep running in the tray when this window is closed. Quit stops them.',
    oneProcess: 'Both run in one process.',
    updated: (time: string) => `updated ${time}`,
    late: ', out of date',
    diagnostics: 'Diagnostics bundle…',
    stopAll: 'Stop services',
    loadFailed,
    loading: 'the services',
  },

  /** The one-line summary in the frame. */
  summary: {
    unknown: 'Service status unknown',
    allRunning: 'Both services running',
    database: 'Database unavailable',
    storage: 'Storage unavailable',
    disk: 'Disk almost full',
    helperProcesses: "Uploads can't be checked",
    log: 'Transparency log changed',
    portInUse: (name: string) => `${name}: port in use`,
    state: (name: string, state: string) => `${name} ${state}`,
  },

  card: {
    actions: { start: 'Start', stop: 'Stop', restart: 'Restart' },
    actionOf: (action: string, name: string) => `${action} ${name}`,
    portInUse: (port: number) => `Port ${port} in use`,
    running: (uptime: string | null) => (uptime === null ? 'Running' : `Running for ${uptime}`),
    retryIn: (seconds: number) => (seconds === 0 ? 'retrying…' : `retrying in ${seconds} s`),
  },

  /** Toasts after an action. */
  done: {
    registry: {
      start: 'Registry started.',
      stop: 'Registry stopped. Publishing and downloading are unavailable until you start it.',
      restart: 'Registry restarted.',
    } satisfies Record<ServiceAction, string>,
    localServices: 'Local services restarted.',
  },

  portInUse: {
    hint: 'Publishing and downloading are unavailable until you quit the other program or use another port. If you change the port, publishers need the new address.',
    label: 'New registry port',
    invalid: 'Enter a number from 1 to 65535.',
    use: 'Use this port',
    retry: (port: number) => `Retry port ${port}`,
    done: (port: string) => `The registry now listens on port ${port}.`,
  },

  facts: {
    address: 'Address',
    openInBrowser: 'Open in browser',
    addressToCopy: 'the address',
    unknown: 'unknown',
    publicAddress: 'Public address',
    reachable: 'reachable',
    unreachable: (reason: string) => `unreachable (${reason})`,
    status: (status: number, fromProxy: boolean) => `${status}${fromProxy ? ' from the proxy' : ''}`,
    checked: (result: string, time: string) => `${result}, checked ${time}`,
    database: 'Database',
    problem: 'Problem',
    logChanged: (problem: string) =>
      `${problem}. Run skilldock verify to see what was changed, and restore a backup from before.`,
    replica: 'Copy in the bucket',
    replicated: (confirmed: string, snapshot: string) =>
      `complete until ${confirmed}, last snapshot ${snapshot}`,
    notYet: 'not yet',
    packages: 'Packages',
    available: 'OK',
    largeWal: (size: string) => `with a write-ahead log of ${size}; run skilldock doctor`,
    unavailable: 'unavailable; requests that need it return 503',
    storage: 'Storage',
    inReleases: (count: number) => `in ${plural(count, 'release')}`,
    free: (size: string) => `, ${size} free`,
    storageUnknown: 'unknown while the database is unavailable',
    dataFolder: 'Data folder',
    dataFolderToCopy: 'the data folder',
    access: 'Access',
    localOnly: 'this computer only, regardless of settings',
    openDesks: 'Open desks',
    you: (name: string) => `${name} (you)`,
    memory: 'Memory',
    process: (id: number) => `for both services, in one process (PID ${id})`,
    agentProject: 'Agent project',
    noAgentProject: 'not set',
    version: 'Version',
    versions: (skilldock: string, node: string) => `Skilldock ${skilldock}, Node ${node}`,
    requests: 'Requests',
    lastMinute: 'in the last minute',
    median: (ms: string) => `, median ${ms} ms`,
    sparkline: (seconds: number, step: number, points: readonly number[]) =>
      `Requests in the last ${plural(seconds, 'second')}, in ${step} s intervals, oldest first: ${points.join(', ')}`,
    lastError: 'Last error',
    noError: 'none since start',
  },

  backups: {
    title: 'Backups',
    tested: (ago: string) => `Last backup tested ${ago}`,
    untested: 'No backup has been tested yet',
    off: 'Scheduled backups are off',
    phases: { writing: 'Writing the backup…', testing: 'Testing the backup…' },
    now: 'Back up now',
    schedule: 'Schedule',
    every: { never: 'never', hourly: 'hourly', daily: 'daily', weekly: 'weekly' },
    kept: (schedule: string, count: number) => `${schedule}, the last ${count} kept`,
    size: 'Size',
    folder: 'Folder',
    folderToCopy: 'the backup folder',
    problem: 'Problem',
    attention: 'Backups need attention',
  },

  mirror: {
    title: (of: string, age: string | null) =>
      `Read-only mirror of ${of}, ${age === null ? 'not filled yet' : `last updated ${age}`}`,
  },

  log: {
    title: 'Log',
    service: { label: 'Service', all: 'All', registry: 'Registry', dashboard: 'Local' },
    serviceCell: { registry: 'registry', dashboard: 'local', services: 'both' },
    level: { label: 'Level', every: 'All levels', warn: 'Warnings', error: 'Errors' },
    columns: { time: 'Time', level: 'Level', service: 'Service', message: 'Message' },
    filter: 'Filter, e.g. id:7c1',
    limit: (lines: string) => `last ${lines} lines, newest at the bottom`,
    pause: 'Pause',
    resume: 'Resume',
    pauseAction: 'pause the log',
    resumeAction: 'resume the log',
    copy: 'Copy lines',
    loadFailed: "Couldn't load the log",
    table: 'Log lines',
    empty: 'Nothing logged yet.',
    noMatches: 'No matching log lines',
    newLines: (count: number) => plural(count, 'new line'),
    show: 'Show',
  },
} as const
