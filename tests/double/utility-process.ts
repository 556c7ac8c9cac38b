import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from './app.ts'
import { closeAllOf, closeFrom, passPorts, postFrom } from './message-ports.ts'
import type { Home, MessagePortMain } from './message-ports.ts'
import { strict, StrictEmitter } from './strict.ts'

export type ToUtility =
  | { kind: 'parent'; data: unknown; ports: number[] }
  | { kind: 'port'; id: number; data: unknown }
  | { kind: 'close'; id: number }

type Stdio = 'pipe' | 'ignore' | 'inherit'

interface ForkOptions {
  env?: Record<string, string>
  execArgv?: string[]
  cwd?: string
  stdio?: Stdio
  serviceName?: string
}

const knownOptions = new Set(['env', 'execArgv', 'cwd', 'stdio', 'serviceName'])
const prelude = pathToFileURL(join(import.meta.dirname, 'utility-prelude.ts')).href

class UtilityProcess extends StrictEmitter implements Home {
  readonly #child: ChildProcess
  #isRunning = false

  constructor(child: ChildProcess) {
    super('UtilityProcess', ['spawn', 'exit', 'message', 'error'])
    this.#child = child
    child.once('spawn', () => {
      this.#isRunning = true
      this.emit('spawn')
    })
    child.on('message', (message) => this.#onMessage(message as ToUtility))
    child.once('exit', (code) => {
      this.#isRunning = false
      closeAllOf(this)
      this.emit('exit', code ?? 1)
    })
  }

  /** Undefined before the process has started and after it has ended. */
  get pid(): number | undefined {
    return this.#isRunning ? this.#child.pid : undefined
  }

  postMessage(data: unknown, transfer: MessagePortMain[] = []): void {
    const copy: unknown = structuredClone(data)
    passPorts(transfer, this, (ports) => this.#send({ kind: 'parent', data: copy, ports }))
  }

  kill(): boolean {
    return this.#child.kill('SIGTERM')
  }

  sendToPort(id: number, data: unknown): void {
    this.#send({ kind: 'port', id, data })
  }

  closePort(id: number): void {
    this.#send({ kind: 'close', id })
  }

  #send(message: ToUtility): void {
    // The end of a process is reported by `exit`.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  #onMessage(message: ToUtility): void {
    if (message.kind === 'parent') this.emit('message', message.data)
    else if (message.kind === 'port') postFrom(message.id, message.data)
    else closeFrom(message.id)
  }
}

/** Forks a Node process with the APIs and restrictions of a utility process. */
export function createUtilityProcesses(app: App) {
  return strict('utilityProcess', {
    fork(modulePath: string, args: string[] = [], options: ForkOptions = {}): UtilityProcess {
      if (!app.isReady()) throw new Error('utilityProcess.fork() can only be called after the app is ready')
      for (const key of Object.keys(options)) {
        if (!knownOptions.has(key))
          throw new Error(`The double of Electron has no option "${key}" of utilityProcess.fork.`)
      }
      const stdio = options.stdio ?? 'inherit'
      const child = fork(modulePath, args, {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: options.env ?? process.env,
        // Since Electron 37 an unhandled rejection only causes a warning.
        execArgv: [...(options.execArgv ?? []), '--unhandled-rejections=warn', '--import', prelude],
        serialization: 'advanced',
        stdio: ['ignore', stdio, stdio, 'ipc'],
      })
      return strict('UtilityProcess', new UtilityProcess(child))
    },
  })
}
