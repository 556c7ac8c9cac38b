import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { messageOf } from '../../shared/errors.ts'
import type { WindowEnvironment } from '../settings/config.ts'
import { texts } from './commands.texts.ts'
import { findElectronBinary, findElectronPackage } from './electron-binary.ts'
import { fetchElectron } from './fetch-electron.ts'
import { openBrowser } from './open-browser.ts'
import { createProgressLine } from './progress-line.ts'

const { noWindow } = texts.start

interface DeskWindowOptions {
  /** The folder of package.json, which Electron is started with. */
  appFolder: string
  environment: WindowEnvironment
  /** Milliseconds without data after which the Electron download is abandoned. */
  silentMs: number
  /** Whether a sign-in link has been printed. */
  isLinkPrinted: boolean
  /** Creates a new one-time sign-in link. */
  makeLink(): Promise<string>
  /** Prints one line. */
  say(line: string): void
  /** Whether a person is at the terminal; a browser is opened only then. */
  isAttended: boolean
}

export interface OpenedDesk {
  /** Cancels a download and closes the window. */
  end(): Promise<void>
}

/** Milliseconds that the window gets to close before it is killed. */
const closeLimitMs = 3000
const megabyte = 1024 * 1024

/**
 * Opens the desk in an Electron window, downloading Electron if needed, or else in the browser, with one line
 * that says why. Returns immediately, so that the services don't wait.
 */
export function openDesk(options: DeskWindowOptions): OpenedDesk {
  const ending = new AbortController()
  let window: ChildProcess | null = null

  const showWindow = async (binary: string): Promise<void> => {
    const link = await options.makeLink()
    if (ending.signal.aborted) return
    window = spawn(binary, [options.appFolder, `--attach=${link}`], { stdio: 'ignore' })
    const outcome = await endOf(window)
    window = null
    if (ending.signal.aborted) return
    if (outcome === null) options.say(texts.start.closed)
    else await showBrowser(noWindow.failed(outcome))
  }

  const showBrowser = async (why: string): Promise<void> => {
    const canOpen = options.isAttended && options.environment.hasDisplay
    if (canOpen && (await openBrowser(await options.makeLink()))) {
      options.say(texts.start.opening(why))
    } else {
      options.say(texts.start.manually(options.isLinkPrinted, why))
    }
  }

  const open = async (): Promise<void> => {
    const { noElectron, electronFolder, hasDisplay } = options.environment
    if (noElectron) return showBrowser(noWindow.off)
    if (!hasDisplay) return showBrowser(noWindow.noDisplay)
    const present = findElectronBinary(options.appFolder, electronFolder)
    if (present !== null) return showWindow(present)
    if (electronFolder !== null) return showBrowser(noWindow.wrongFolder)
    const electronPackage = findElectronPackage(options.appFolder)
    if (electronPackage === null) return showBrowser(noWindow.notInstalled)

    const progress = createProgressLine()
    const reason = await fetchElectron({
      electronPackage,
      silentMs: options.silentMs,
      signal: ending.signal,
      onProgress: (bytes) => progress.show(texts.start.downloading(Math.round(bytes / megabyte))),
    })
    progress.clear()
    if (ending.signal.aborted) return
    const fetched = findElectronBinary(options.appFolder, null)
    if (fetched !== null) return showWindow(fetched)
    return showBrowser(noWindow.notDownloaded(reason ?? texts.start.download.noExecutable))
  }

  const opened = open().catch((error: unknown) => {
    const reason = messageOf(error)
    if (!ending.signal.aborted) options.say(texts.start.manually(options.isLinkPrinted, reason))
  })
  return {
    async end() {
      ending.abort()
      const child = window
      if (child !== null) {
        const exited = once(child, 'exit')
        child.kill()
        const limit = setTimeout(() => child.kill('SIGKILL'), closeLimitMs)
        await exited
        clearTimeout(limit)
      }
      await opened
    },
  }
}

/** Resolves when the process has exited: with null after success, otherwise with the reason. */
function endOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      if (signal !== null) resolve(signal)
      else resolve(code === 0 ? null : noWindow.exitStatus(code))
    })
  })
}
