import type { AppUpdater } from 'electron-updater'
import { texts } from './app.texts.ts'

/** The parts of electron-updater that are used. */
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

/** A question with two answers. `detail` says what happens next. */
export interface Question {
  message: string
  detail: string
  yes: string
  no: string
}

interface UpdatesOptions {
  version: string
  /** Called when an address is set for the first time, and never before. */
  load(): Promise<Updater>
  ask(question: Question): Promise<boolean>
  /** Called before the app is replaced. */
  beforeInstall(): Promise<void>
  /** Logs why an update check or download failed. The person is not notified. */
  log(line: string): void
}

interface Updates {
  /** Sets where to check for updates; null disables the checks. */
  setAddress(address: string | null): void
}

const dayMs = 86_400_000

/**
 * Updates of the app. Without an address, nothing is loaded or requested. With one, it checks for the newest version
 * immediately and once a day. The person must agree to the download and then to the installation.
 */
export function createUpdates(options: UpdatesOptions): Updates {
  let address: string | null = null
  let timer: NodeJS.Timeout | undefined
  let loading: Promise<Updater> | null = null
  let isBusy = false
  /** Versions that are not offered again until the next start. */
  const declined = new Set<string>()

  const isAgreed = async (version: string, question: Question): Promise<boolean> => {
    const agreed = await options.ask(question)
    if (!agreed) declined.add(version)
    return agreed
  }

  const update = async (from: string): Promise<void> => {
    const isCurrent = (): boolean => address === from
    loading ??= options.load().then(prepare)
    const updater = await loading
    if (!isCurrent()) return
    updater.setFeedURL({ provider: 'generic', url: from })
    const found = await updater.checkForUpdates()
    if (found?.isUpdateAvailable !== true || !isCurrent()) return
    const { version } = found.updateInfo
    if (declined.has(version)) return
    const download = texts.updates.download(version, options.version, new URL(from).host)
    if (!(await isAgreed(version, download)) || !isCurrent()) return
    await updater.downloadUpdate()
    if (!isCurrent() || !(await isAgreed(version, texts.updates.install(version)))) return
    await options.beforeInstall()
    updater.quitAndInstall()
  }

  const check = (): void => {
    if (address === null || isBusy) return
    const from = address
    isBusy = true
    update(from)
      .catch((error: unknown) => {
        const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
        options.log(texts.log.update(from, reason))
      })
      .finally(() => {
        isBusy = false
        // The address was changed in the meantime.
        if (address !== from) check()
      })
  }

  return {
    setAddress(next) {
      if (next === address) return
      address = next
      clearInterval(timer)
      if (next === null) return
      timer = setInterval(check, dayMs)
      timer.unref()
      check()
    },
  }
}

/** Disables everything automatic, and the header that identifies the installation. */
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
