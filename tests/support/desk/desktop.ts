import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import type * as Electron from 'electron'
import type { Answer, Question } from '../../double/control.ts'
import { requireElectron } from './electron-binary.ts'

const root = join(import.meta.dirname, '../../..')
const launcher = join(root, 'tests/double/launch.ts')
const partition = 'skilldock-desk'

export interface DesktopOptions {
  /** Additional environment variables, which override the temporary data folder and free ports. */
  env?: Record<string, string>
  args?: string[]
  /** An existing folder for data and configuration, which is not removed at the end. */
  folder?: string
  /** The folder of the app; by default this project. */
  appFolder?: string
}

/** The app, on real Electron if its binary is installed, otherwise on the double in tests/double. */
export interface Desktop {
  kind: 'electron' | 'double'
  folder: string
  process: ChildProcess
  /** All output of the app and its services. */
  output(): string
  /** The page of the first window. */
  page(): Promise<Page>
  /** Runs a function in the main process, where it can only use its arguments. */
  evaluate<Result, Argument = undefined>(
    run: (electron: typeof Electron, argument: Argument) => Result,
    ...argument: Argument extends undefined ? [] : [Argument]
  ): Promise<Awaited<Result>>
  /** Resolves with the exit status. */
  readonly ended: Promise<number | null>
  /** Quits the app and removes its folder. */
  close(): Promise<void>
}

export const isDouble = requireElectron() === null

export async function launchDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'skilldock-desktop-')))
  const env: Record<string, string> = {
    ...(process.env as Record<string, string>),
    NODE_COMPILE_CACHE: join(process.env['TEST_RUN_FOLDER'] ?? folder, 'compile-cache'),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    SKILLDOCK_DATA: join(folder, 'data'),
    SKILLDOCK_PORT: '0',
    SKILLDOCK_DASHBOARD_PORT: '0',
    ...options.env,
  }
  const binary = requireElectron()
  const start = binary === null ? startDouble : startElectron
  const app = await start([options.appFolder ?? root, ...(options.args ?? [])], env)
  let output = ''
  for (const stream of [app.process.stdout, app.process.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const ended = once(app.process, 'exit').then(([code]) => code as number | null)
  return {
    ...app,
    folder,
    ended,
    output: () => output,
    async close() {
      if (app.process.exitCode === null && app.process.signalCode === null) app.process.kill('SIGTERM')
      await ended
      await app.release()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

type Started = Pick<Desktop, 'kind' | 'process' | 'page' | 'evaluate'> & { release(): Promise<void> }

async function startElectron(args: string[], env: Record<string, string>): Promise<Started> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const executablePath = requireElectron() ?? ''
  const app = await _electron.launch({ executablePath, args: [...asRoot, ...args], env })
  return {
    kind: 'electron',
    process: app.process(),
    page: () => app.firstWindow(),
    evaluate: ((run: never, argument: never) => app.evaluate(run, argument)) as Desktop['evaluate'],
    release: () => Promise.resolve(),
  }
}

async function startDouble(args: string[], env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, [launcher, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const ask = createRequester(child)
  let browser: ReturnType<typeof chromium.connectOverCDP> | null = null
  return {
    kind: 'double',
    process: child,
    async page() {
      browser ??= chromium.connectOverCDP((await ask({ kind: 'debug', partition })) as string)
      const [context] = (await browser).contexts()
      const page = context?.pages()[0]
      if (page === undefined) throw new Error('The double shows no window.')
      return page
    },
    evaluate: ((run: () => unknown, argument: unknown) =>
      ask({ kind: 'evaluate', source: run.toString(), argument })) as Desktop['evaluate'],
    async release() {
      await (await browser)?.close()
    },
  }
}

type Unnumbered<Kind> = Kind extends unknown ? Omit<Kind, 'id'> : never

function createRequester(child: ChildProcess): (question: Unnumbered<Question>) => Promise<unknown> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let last = 0
  child.on('message', (message) => {
    const { id, ok, value } = message as Answer
    if (ok) waiting.get(id)?.resolve(value)
    else waiting.get(id)?.reject(new Error(String(value)))
    waiting.delete(id)
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The app has ended.'))
  })
  return (question) => {
    last += 1
    const answer = Promise.withResolvers<unknown>()
    waiting.set(last, answer)
    child.send({ ...question, id: last }, (error) => {
      if (error !== null) answer.reject(error)
    })
    return answer.promise
  }
}

/** The contents of `running.json`, which running services write, or null. */
export async function readRunning(
  folder: string,
): Promise<{ registry: string; dashboard: string; pid: number } | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'data', 'running.json'), 'utf8')) as {
      registry: string
      dashboard: string
      pid: number
    }
  } catch {
    return null
  }
}
