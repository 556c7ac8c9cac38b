import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import {
  cleanEnvironment,
  cleanUp,
  compileCache,
  projectRoot,
  temporaryFolder,
} from '../server/command-line.ts'
import type { Variables } from '../server/command-line.ts'

/** The built client; tests/support/build.ts keeps it up to date. */
export const clientFile = join(projectRoot, 'out/client/skill')

export interface ClientOptions {
  /** The home folder; by default a new empty one. */
  home?: string
  /** The working directory; by default the home folder. */
  cwd?: string
  env?: Variables
  /** Standard input; empty by default. With null it stays open for the test. */
  stdin?: string | Uint8Array | null
  /** The Node executable; by default the one that runs the tests. */
  node?: string
  /** A file to run instead of the built client, such as an installed one. */
  file?: string
}

export interface ClientEnded {
  /** Null if it was ended by a signal. */
  status: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** The bytes of standard output. */
  bytes: Buffer
}

export interface StartedClient {
  child: ChildProcess
  /** The output so far. */
  output: { stdout: string; stderr: string }
  ended: Promise<ClientEnded>
}

const started = new Set<ChildProcess>()

/** For `afterAll`: kills the processes that are still running and removes all folders. */
export async function cleanUpClients(): Promise<void> {
  for (const child of started) child.kill('SIGKILL')
  await cleanUp()
}

/** Starts `skill` as a person would, but with its own home folder. */
export function startClient(args: readonly string[], options: ClientOptions = {}): StartedClient {
  const home = options.home ?? temporaryFolder()
  const child = spawn(options.node ?? process.execPath, [options.file ?? clientFile, ...args], {
    cwd: options.cwd ?? home,
    env: clientEnvironment(home, options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  started.add(child)
  const out: Buffer[] = []
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (piece: Buffer) => {
    out.push(piece)
    output.stdout = Buffer.concat(out).toString('utf8')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  // It may exit without reading all of the input.
  child.stdin.on('error', () => {})
  if (options.stdin !== null) child.stdin.end(options.stdin ?? '')
  const ended = new Promise<ClientEnded>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => {
      started.delete(child)
      resolve({ ...output, status, signal, bytes: Buffer.concat(out) })
    })
  })
  return { child, output, ended }
}

/** Runs `skill` and waits for it to end. */
export const runClient = (args: readonly string[], options: ClientOptions = {}): Promise<ClientEnded> =>
  startClient(args, options).ended

/**
 * Runs `skill` with a real terminal for all three streams, and returns the terminal's output. Requires the
 * program `script` from util-linux.
 */
export async function runOnTerminal(
  args: readonly string[],
  { cwd, node, typed = '', env }: Pick<ClientOptions, 'cwd' | 'node' | 'env'> & { typed?: string },
): Promise<{ status: number | null; seen: string }> {
  const home = temporaryFolder()
  const command = [node ?? process.execPath, clientFile, ...args].map((arg) => `'${arg}'`).join(' ')
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: cwd ?? home,
    env: { ...clientEnvironment(home, env), TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  started.add(child)
  let seen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text))
  // Written immediately; the terminal buffers the input until the program reads it.
  child.stdin.write(typed)
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  started.delete(child)
  return { status, seen: seen.replaceAll('\r\n', '\n') }
}

/** The environment of a person with this home folder and no other settings. */
export function clientEnvironment(home: string, variables: Variables = {}): Variables {
  const inherited = Object.entries(cleanEnvironment()).filter(
    ([name]) => !/^(SKILL_|NO_COLOR|FORCE_COLOR|NODE_|HOME$|APPDATA$)/.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    // Its start takes a quarter less CPU time with it.
    NODE_COMPILE_CACHE: compileCache,
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData', 'Roaming'),
    ...variables,
  }
}

const versionOf = (node: string): string => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout

/** The path of a Node 20 on PATH, or null. */
function findNode20(): string | null {
  const candidates = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes(`node_modules${sep}.bin`))
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
  return candidates.find((file) => existsSync(file) && versionOf(file).startsWith('v20.')) ?? null
}

/** The oldest supported Node: a Node 20 if one is installed, otherwise the one that runs the tests. */
export const oldestNode = findNode20() ?? process.execPath

/** The Node versions that the client is tested with. */
export const clientNodes = (): { version: string; node: string }[] =>
  [...new Set([process.execPath, oldestNode])].map((node) => ({ version: versionOf(node).trim(), node }))
