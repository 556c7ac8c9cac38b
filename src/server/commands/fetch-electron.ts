import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { environmentWith } from '../settings/config.ts'
import { texts } from './commands.texts.ts'

const { download } = texts.start

interface ElectronFetch {
  /** The folder of the package `electron`. */
  electronPackage: string
  /** Milliseconds without data after which the download is abandoned. */
  silentMs: number
  signal: AbortSignal
  /** Called now and then with the number of bytes downloaded. */
  onProgress(bytes: number): void
}

/** Milliseconds between two checks of the downloaded size. */
const watchMs = 250

/**
 * Downloads the Electron binary with the package's own install script, in a separate process. Resolves with null
 * on success, otherwise with a short reason. Aborting kills the process.
 */
export async function fetchElectron(options: ElectronFetch): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-electron-'))
  try {
    return await runInstallScript(options, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

function runInstallScript(options: ElectronFetch, folder: string): Promise<string | null> {
  const { electronPackage, silentMs, signal } = options
  // The script downloads into the temporary folder, where the progress can be measured.
  const child = spawn(process.execPath, [join(electronPackage, 'install.js')], {
    env: environmentWith({ TMPDIR: folder, TEMP: folder, TMP: folder }),
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
  })
  return new Promise((resolve) => {
    let errors = ''
    let bytes = 0
    let heardAt = performance.now()
    const watch = setInterval(() => {
      const now = sizeOf(folder) + sizeOf(join(electronPackage, 'dist'))
      if (now !== bytes) {
        bytes = now
        heardAt = performance.now()
        options.onProgress(bytes)
      } else if (performance.now() - heardAt >= silentMs) {
        end(download.noData(Math.round(silentMs / 1000)))
      }
    }, watchMs)
    const abort = (): void => end(download.canceled)
    const end = (reason: string | null): void => {
      clearInterval(watch)
      signal.removeEventListener('abort', abort)
      if (child.exitCode === null) child.kill('SIGKILL')
      resolve(reason)
    }
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.once('error', (error) => end(error.message))
    child.once('close', (code) => end(code === 0 ? null : reasonOf(errors)))
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  })
}

/** Turns the script's stack trace into a short reason. */
function reasonOf(errors: string): string {
  const status = /Response code (\d{3})/.exec(errors)?.[1]
  if (status !== undefined) return download.status(status)
  if (/checksum/i.test(errors)) return download.checksum
  if (errors.includes('ENOSPC')) return download.diskFull
  if (/EACCES|EPERM|EROFS/.test(errors)) return download.notWritable
  if (/fetch failed|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT/.test(errors)) {
    return hasNetwork() ? download.unreachable : download.noNetwork
  }
  return download.unknown
}

function hasNetwork(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal))
}

function sizeOf(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((total, size) => total + size, 0)
  } catch {
    // The folder doesn't exist yet, or was removed while it was being read.
    return 0
  }
}
