import type { ShellState } from '../shared/services-messages.ts'

type Phase = ShellState['phase']

const start = 'Start services'
const quit = 'Quit Skilldock'
const starting = 'Skilldock is starting'
const notNow = 'Not now'

/** Every user-visible text of the app around the desk. */
export const texts = {
  name: 'Skilldock',

  /** The page shown while there is no desk. Its script gets these as JSON, which has no functions. */
  shellPage: {
    titles: {
      starting,
      running: starting,
      restarting: 'The services are restarting',
      failed: 'The desk could not be started',
      stopping: 'Skilldock is stopping',
      stopped: 'The services are stopped',
      attached: "Can't reach the desk",
    } satisfies Record<Phase, string>,
    retryNow: 'Retrying now.',
    retryLater: 'Retrying in {seconds} s.',
    retry: 'Try again now',
    start,
    quit,
    port: {
      registry: 'Another port for the registry',
      dashboard: 'Another port for the local services',
      invalid: 'Enter a port from 1 to 65535.',
      use: 'Use this port',
    },
  },

  /** Sentences below the title of the shell page, besides the errors of the services. */
  sentences: {
    crashed: 'The services stopped unexpectedly and are restarting.',
    attached:
      'The services are run by another process and may have been stopped. Start them there, then try again.',
  },

  /** One line per service in the menus and in the tooltip of the tray icon. */
  status: {
    names: { registry: 'Registry', dashboard: 'Local services' },
    line: (name: string, status: string) => `${name}: ${status}`,
    phases: {
      starting: 'starting',
      running: 'starting',
      restarting: 'restarting',
      failed: 'not running',
      stopping: 'stopping',
      stopped: 'stopped',
      attached: 'run by another process',
    } satisfies Record<Phase, string>,
    portInUse: (port: number) => `port ${port} in use`,
  },

  /** Tray and application menu. */
  menu: {
    file: 'File',
    view: 'View',
    services: 'Services',
    pending: (count: number) =>
      count === 0 ? 'No releases to review' : `${count} ${count === 1 ? 'release' : 'releases'} to review`,
    open: 'Open Skilldock',
    copyAddress: 'Copy registry address',
    start,
    stop: 'Stop services',
    quit,
  },

  /** Questions when the window is closed. */
  closing: {
    quit,
    tray: {
      message: 'Skilldock keeps running in the tray',
      detail:
        'The registry and the local services keep running without the window. Use the tray icon to open or quit ' +
        'Skilldock. If you cannot see the icon, start Skilldock again to open the window.',
      keepRunning: 'Keep running',
    },
    noTray: {
      message: 'Keep the services running?',
      detail:
        'The registry and the local services can run without the window. To open it, start Skilldock again.',
      keepRunning: 'Keep running in the background',
      cancel: 'Cancel',
    },
  },

  /** The question before services with uploads are stopped. */
  uploads: {
    message: (count: number) =>
      `${count === 1 ? 'An upload is' : `${count} uploads are`} in progress. Stop now?`,
    detail: 'Uploads that do not finish within 6 seconds are canceled and must be repeated.',
    stop: 'Stop anyway',
    keepRunning: 'Keep running',
  },

  updates: {
    download: (version: string, current: string, host: string) => ({
      message: `Skilldock ${version} is available. Download it?`,
      detail: `You have ${current}. The update comes from ${host}. You will be asked again before it is installed.`,
      yes: 'Download',
      no: notNow,
    }),
    install: (version: string) => ({
      message: `Skilldock ${version} has been downloaded. Install it now?`,
      detail:
        'The services stop, and Skilldock restarts with the new version. Otherwise, you are asked at the next start.',
      yes: 'Install and restart',
      no: notNow,
    }),
  },

  notifications: {
    release: ({ name, version }: { name: string; version: string }) => `New release: ${name} ${version}`,
    releases: (count: number) => `${count} new releases to review`,
    project: (title: string) => `New project: ${title}`,
    projects: (count: number) => `${count} new projects to review`,
    submittedBy: (name: string) => `Submitted by ${name}`,
    names: (names: readonly string[], more: number) =>
      `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    crash: { title: 'The services stopped unexpectedly', body: 'Skilldock is restarting them.' },
  },

  files: {
    folder: { data: 'Choose the data folder', agents: 'Choose the agent project' },
    backup: { title: 'Choose a backup', type: 'Skilldock backups', all: 'All files' },
    images: {
      title: 'Choose images',
      type: 'Images',
      tooMany: (count: number, limit: number) =>
        `You chose ${count} images. Choose at most ${limit} at once.`,
      tooLargeTogether: (mebibytes: number) =>
        `The images are larger than ${mebibytes} MiB in total. Choose fewer at once.`,
      tooLarge: (name: string, mebibytes: number, limit: number) =>
        `${name} is ${mebibytes} MiB; the limit is ${limit} MiB.`,
    },
    module: {
      title: 'Save module',
      type: 'WebAssembly module',
      wrongDigest: (sha256: string) => `The bytes do not match the SHA-256 ${sha256}. Nothing was saved.`,
    },
  },

  /** Shown by the page that made the call. */
  errors: {
    notAllowed: 'This page is not allowed to make this call.',
    invalidArguments: 'The arguments of this call are invalid.',
    otherProcess: 'Another process runs these services. Start and stop them there.',
    chooseFolder: 'Choose the folder first.',
    notRunning: 'The services are not running.',
    stopped: 'The services have stopped.',
  },

  sandbox: {
    title: 'Skilldock cannot start without its sandbox',
    detail:
      'It was started with --no-sandbox. An AppImage adds this option if the system does not allow sandboxes. ' +
      'In that case, install the .deb package, which is allowed to use them. Otherwise, start Skilldock without ' +
      'the option.',
  },

  /** Names in the system's list of processes. */
  processes: {
    services: 'Skilldock services',
    modules: 'Skilldock module check',
    images: 'Skilldock image check',
    agents: 'Skilldock agent project reader',
    backups: 'Skilldock backup',
  },

  /** The entry in a Linux desktop's list of programs that start at login. */
  loginItem: 'Keeps the registry and the local services running',

  /** Lines on standard error. */
  log: {
    invalidLink: '--attach= requires a link to a desk on this computer.',
    settings: (file: string, error: string) => `${file} cannot be written: ${error}`,
    signIn: 'The desk sign-in could not be saved for the next start.',
    tray: (error: string) => `The tray icon could not be created: ${error}`,
    update: (address: string, reason: string) => `The update check at ${address} failed: ${reason}`,
  },
} as const
