import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { WindowEnvironment } from '../settings/config.ts'
import { findElectronBinary, findElectronPackage } from './electron-binary.ts'
import { fetchElectron } from './fetch-electron.ts'
import { openBrowser } from './open-browser.ts'
import { createProgressLine } from './progress-line.ts'

export interface DeskWindowOptions {
  /** The folder of package.json: what Electron is started on. */
  appFolder: string
  environment: WindowEnvironment
  /** Milliseconds without a byte of Electron that count as no. */
  silentMs: number
  /** A fresh address of the desk, which signs in once. */
  makeLink(): Promise<string>
  /** Says one line. */
  say(line: string): void
  /** Whether a person is looking: only then a browser is opened unasked. */
  isAttended: boolean
}

export interface OpenedDesk {
  /** Ends whatever is still on its way, and the window. */
  end(): Promise<void>
}

/** Milliseconds that the window gets to close. */
const closeLimitMs = 3000
const megabyte = 1024 * 1024

/**
 * Opens the desk in a window of Electron, fetching it if need be, or else in the browser, and says why in one
 * line. Returns at once; nothing of it holds up the services.
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
    if (outcome === null) options.say('The window is closed; the services go on.')
    else await showBrowser(`Electron could not show it (${outcome})`)
  }

  const showBrowser = async (why: string): Promise<void> => {
    const canOpen = options.isAttended && options.environment.hasDisplay
    if (canOpen && (await openBrowser(await options.makeLink()))) {
      options.say(`The desk opens in your browser: ${why}.`)
    } else {
      options.say(`Open the desk in a browser with the link above: ${why}.`)
    }
  }

  const open = async (): Promise<void> => {
    const { noElectron, electronFolder, hasDisplay } = options.environment
    if (noElectron) return showBrowser('SKILLDOCK_NO_ELECTRON is set')
    if (!hasDisplay) return showBrowser('there is no display here')
    const present = findElectronBinary(options.appFolder, electronFolder)
    if (present !== null) return showWindow(present)
    if (electronFolder !== null)
      return showBrowser('ELECTRON_OVERRIDE_DIST_PATH names no folder with Electron')
    const electronPackage = findElectronPackage(options.appFolder)
    if (electronPackage === null) return showBrowser('Electron is not installed here')

    const progress = createProgressLine()
    const reason = await fetchElectron({
      electronPackage,
      silentMs: options.silentMs,
      signal: ending.signal,
      onProgress: (bytes) =>
        progress.show(`Fetching Electron for the desk's window: ${Math.round(bytes / megabyte)} MB`),
    })
    progress.clear()
    if (ending.signal.aborted) return
    const fetched = findElectronBinary(options.appFolder, null)
    if (fetched !== null) return showWindow(fetched)
    return showBrowser(`Electron could not be fetched (${reason ?? 'it is not there afterwards'})`)
  }

  const opened = open().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    if (!ending.signal.aborted) options.say(`Open the desk in a browser with the link above: ${reason}`)
  })
  return {
    async end() {
      ending.abort()
      const child = window
      if (child !== null) {
        const gone = once(child, 'exit')
        child.kill()
        const limit = setTimeout(() => child.kill('SIGKILL'), closeLimitMs)
        await gone
        clearTimeout(limit)
      }
      await opened
    },
  }
}

/** Resolves when the process has ended: with null where all was well, else with how it ended. */
function endOf(child: ChildProcess): Promise<string | null> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => {
      if (signal !== null) resolve(signal)
      else resolve(code === 0 ? null : `exit status ${code}`)
    })
  })
}
