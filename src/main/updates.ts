import type { AppUpdater } from 'electron-updater'

/** What is used of electron-updater. */
export type Updater = Pick<
  AppUpdater,
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'disableDifferentialDownload'
  | 'disableWebInstaller'
  | 'logger'
  | 'requestHeaders'
  | 'setFeedURL'
  | 'checkForUpdates'
  | 'downloadUpdate'
  | 'quitAndInstall'
>

/** A question with two answers; `detail` tells what follows. */
export interface Question {
  message: string
  detail: string
  yes: string
  no: string
}

export interface UpdatesOptions {
  version: string
  /** Called when there is an address for the first time, and never before. */
  load(): Promise<Updater>
  ask(question: Question): Promise<boolean>
  /** Whatever has to be over before this app is replaced. */
  beforeInstall(): Promise<void>
  /** Why a new version could not be looked for or fetched; nobody is disturbed for it. */
  say(line: string): void
}

export interface Updates {
  /** Where new versions are looked for from now on; null: nowhere. */
  setAddress(address: string | null): void
}

const dayMs = 86_400_000

/**
 * New versions of the app. Nothing is loaded, asked for or sent while there is no address; with one, it is asked
 * for the newest version, now and once a day. A person agrees to the download and, after it, to the installation.
 */
export function createUpdates(options: UpdatesOptions): Updates {
  let address: string | null = null
  let timer: NodeJS.Timeout | undefined
  let loading: Promise<Updater> | null = null
  let isBusy = false
  /** Versions that are not asked about again before the next start. */
  const declined = new Set<string>()

  const isAgreed = async (version: string, question: Question): Promise<boolean> => {
    const agreed = await options.ask(question)
    if (!agreed) declined.add(version)
    return agreed
  }

  const update = async (from: string): Promise<void> => {
    const isStillWanted = (): boolean => address === from
    loading ??= options.load().then(prepare)
    const updater = await loading
    if (!isStillWanted()) return
    updater.setFeedURL({ provider: 'generic', url: from })
    const found = await updater.checkForUpdates()
    if (found?.isUpdateAvailable !== true || !isStillWanted()) return
    const { version } = found.updateInfo
    if (declined.has(version)) return
    const download = aboutDownload(version, options.version, from)
    if (!(await isAgreed(version, download)) || !isStillWanted()) return
    await updater.downloadUpdate()
    if (!isStillWanted() || !(await isAgreed(version, aboutInstallation(version)))) return
    await options.beforeInstall()
    updater.quitAndInstall()
  }

  const look = (): void => {
    if (address === null || isBusy) return
    const from = address
    isBusy = true
    update(from)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
        options.say(`No new version from ${from}: ${reason}`)
      })
      .finally(() => {
        isBusy = false
        // Another address came meanwhile.
        if (address !== from) look()
      })
  }

  return {
    setAddress(next) {
      if (next === address) return
      address = next
      clearInterval(timer)
      if (next === null) return
      timer = setInterval(look, dayMs)
      timer.unref()
      look()
    },
  }
}

/** Nothing happens by itself, and nothing tells one installation from another. */
function prepare(updater: Updater): Updater {
  return Object.assign(updater, {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    disableDifferentialDownload: true,
    disableWebInstaller: true,
    logger: null,
    requestHeaders: { 'x-user-staging-id': 'none' },
  })
}

function aboutDownload(version: string, current: string, address: string): Question {
  return {
    message: `Skilldock ${version} is out. Download it?`,
    detail: `This is ${current}. It comes from ${new URL(address).host}. Nothing is installed before you agree to that too.`,
    yes: 'Download',
    no: 'Not now',
  }
}

function aboutInstallation(version: string): Question {
  return {
    message: `Skilldock ${version} is downloaded. Install it now?`,
    detail:
      'The services stop, and Skilldock starts again as the new version. Else you are asked at the next start.',
    yes: 'Install and start again',
    no: 'Not now',
  }
}
