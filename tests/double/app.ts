import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { emitPreventable, strict, StrictEmitter } from './strict.ts'

/** Called when the app quits; set by windows and sessions. */
export const closers: { closeWindows: () => boolean; closeBrowsers: () => Promise<void> } = {
  closeWindows: () => true,
  closeBrowsers: () => Promise.resolve(),
}

interface Manifest {
  name: string
  version: string
  main: string
}

export class App extends StrictEmitter {
  /** Electron recognizes a packed app by its executable, the double by the name of its folder (`.asar`, unpacked). */
  readonly isPackaged: boolean
  readonly commandLine: object
  readonly #folder: string
  readonly #manifest: Manifest
  readonly #ready = Promise.withResolvers<void>()
  readonly #paths = new Map<string, string>()
  #isReady = false
  #isQuitting = false
  #hasLock = false

  constructor(folder: string) {
    super('app', [
      'ready',
      'activate',
      'before-quit',
      'open-url',
      'quit',
      'second-instance',
      'web-contents-created',
      'will-quit',
      'window-all-closed',
    ])
    this.#folder = folder
    this.isPackaged = folder.endsWith('.asar')
    this.commandLine = strict('app.commandLine', {
      hasSwitch: (name: string) =>
        process.argv.some((word) => word === `--${name}` || word.startsWith(`--${name}=`)),
    })
    this.#manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    // As in Electron on POSIX, these signals quit the app.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => this.quit())
  }

  /** Called by the launcher after the main module has been evaluated, because Electron is not ready before that. */
  becomeReady(): void {
    this.#isReady = true
    this.emit('ready', {}, {})
    this.#ready.resolve()
  }

  whenReady(): Promise<void> {
    return this.#ready.promise
  }

  isReady(): boolean {
    return this.#isReady
  }

  getName(): string {
    return this.#manifest.name
  }

  getVersion(): string {
    return this.#manifest.version
  }

  getAppPath(): string {
    return this.#folder
  }

  getPath(name: string): string {
    const configuration = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
    if (name === 'appData') return configuration
    if (name === 'userData') return this.#paths.get(name) ?? join(configuration, this.getName())
    throw new Error(`The double of Electron has no app.getPath('${name}').`)
  }

  setPath(name: string, path: string): void {
    if (name !== 'userData') throw new Error(`The double of Electron has no app.setPath('${name}').`)
    if (this.#hasLock) throw new Error('The single instance lock is in userData. Set the path first.')
    mkdirSync(path, { recursive: true })
    this.#paths.set(name, path)
  }

  enableSandbox(): void {
    if (this.#isReady) throw new Error('app.enableSandbox() can only be called before app is ready')
  }

  /** Returns false, as on desktops without badges. */
  setBadgeCount(count?: number): boolean {
    if (count !== undefined && !Number.isInteger(count)) throw new Error('A badge count must be an integer.')
    return false
  }

  requestSingleInstanceLock(): boolean {
    if (this.#hasLock) return true
    const folder = join(this.getPath('userData'), 'instance')
    mkdirSync(folder, { recursive: true })
    const lock = join(folder, 'pid')
    const holder = readHolder(lock)
    if (holder !== null) {
      writeFileSync(join(folder, `${process.pid}.new`), JSON.stringify(process.argv))
      return false
    }
    writeFileSync(lock, String(process.pid))
    process.on('exit', () => rmSync(lock, { force: true }))
    this.#hasLock = true
    watch(folder, (_event, name) => this.#onNewInstance(folder, name)).unref()
    return true
  }

  #onNewInstance(folder: string, name: string | null): void {
    if (name?.endsWith('.new') !== true) return
    try {
      const argv: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      rmSync(join(folder, name))
      this.emit('second-instance', {}, argv, process.cwd(), undefined)
    } catch {
      // Not written completely yet; another event follows.
    }
  }

  quit(): void {
    if (this.#isQuitting) return
    this.#isQuitting = true
    const isAllowed =
      !emitPreventable(this, 'before-quit') && closers.closeWindows() && !emitPreventable(this, 'will-quit')
    if (isAllowed) {
      this.emit('quit', {}, 0)
      this.exit(0)
    } else {
      this.#isQuitting = false
    }
  }

  exit(code = 0): void {
    void closers.closeBrowsers().finally(() => process.exit(code))
  }

  /** Called when the last window is closed. Without a listener, Electron then quits. */
  onAllWindowsClosed(): void {
    if (this.#isQuitting) return
    if (this.listenerCount('window-all-closed') === 0) this.quit()
    else this.emit('window-all-closed')
  }
}

function readHolder(lock: string): number | null {
  try {
    const pid = Number(readFileSync(lock, 'utf8'))
    process.kill(pid, 0)
    return pid
  } catch {
    return null
  }
}
