import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../wait.ts'

export const projectRoot = join(import.meta.dirname, '../../..')

/** The built command line; tests/support/build.ts keeps it up to date. */
export const builtEntry = join(projectRoot, 'out/main/cli.js')

/** The compile cache of the command line, which its helper processes use in tests too. */
export const compileCache = join(projectRoot, 'node_modules/.cache/skilldock')

export interface Ended {
  /** The exit status, or null if the process was ended by a signal. */
  status: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export type Variables = Record<string, string>

const folders: string[] = []
const started = new Set<ChildProcess>()

/** A new empty folder; `cleanUp` removes it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-cli-'))
  folders.push(folder)
  return folder
}

/** For `afterAll`: kills the processes that are still running and removes all folders. */
export async function cleanUp(): Promise<void> {
  for (const child of started) child.kill('SIGKILL')
  await Promise.all(
    folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })),
  )
}

/** This process's environment without any Skilldock settings. */
export function cleanEnvironment(variables: Variables = {}): Variables {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(SKILLDOCK_|XDG_|NODE_OPTIONS|NODE_ENV|VITEST|npm_)/.test(name),
  )
  return { ...(Object.fromEntries(inherited) as Variables), ...variables }
}

/** Starts a program and collects its output. */
export function start(
  command: string,
  args: string[],
  variables: Variables = {},
  options: { cwd?: string; detached?: boolean } = {},
): { child: ChildProcess; output: Omit<Ended, 'status' | 'signal'>; ended: Promise<Ended> } {
  const child = spawn(command, args, {
    cwd: options.cwd ?? projectRoot,
    env: { NODE_COMPILE_CACHE: compileCache, ...cleanEnvironment(variables) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.detached ?? false,
  })
  started.add(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => {
      started.delete(child)
      resolve({ ...output, status, signal })
    })
  })
  return { child, output, ended }
}

/** Runs one command of the built command line with a data folder, and waits for it to end. */
export function skilldock(data: string, args: string[], variables: Variables = {}): Promise<Ended> {
  return start(process.execPath, [builtEntry, ...args], { SKILLDOCK_DATA: data, ...variables }).ended
}

/** A token as `skilldock token` prints it. */
export async function commandToken(data: string, ...args: string[]): Promise<string> {
  const { stdout, stderr, status } = await skilldock(data, ['token', ...args])
  if (status !== 0) throw new Error(`token failed: ${stderr}`)
  return stdout.trim()
}

export interface Serving {
  pid: number
  registry: string
  dashboard: string
  output: { stdout: string; stderr: string }
  kill(signal: NodeJS.Signals): void
  ended: Promise<Ended>
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<Ended>
}

/** Starts `serve` on free ports and waits for its ready file. Throws with its output if it exits first. */
export async function serve(
  data: string,
  variables: Variables = {},
  entry: [string, ...string[]] = [process.execPath, builtEntry],
  options: string[] = [],
): Promise<Serving> {
  const readyFile = join(temporaryFolder(), 'ready.json')
  const [command, ...args] = entry
  const { child, output, ended } = start(command, [...args, 'serve', ...options], {
    SKILLDOCK_DATA: data,
    SKILLDOCK_PORT: '0',
    SKILLDOCK_DASHBOARD_PORT: '0',
    SKILLDOCK_READY_FILE: readyFile,
    ...variables,
  })
  let early: Ended | null = null
  void ended.then((end) => (early = end))
  const addresses = await until('the ready file is there', async () => {
    if (early !== null) throw new Error(`serve ended with ${early.status}: ${early.stderr}`)
    return readJson<{ registry: string; dashboard: string }>(variables['SKILLDOCK_READY_FILE'] ?? readyFile)
  })
  return {
    ...addresses,
    pid: child.pid ?? 0,
    output,
    kill: (signal) => void child.kill(signal),
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

/** Reads a JSON file, or returns null if it does not exist. Throws if the file is incomplete. */
export async function readJson<T>(path: string): Promise<T | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as T)
}
