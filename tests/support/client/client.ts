import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { cleanEnvironment, cleanUp, projectRoot, temporaryFolder } from '../server/command-line.ts'
import type { Variables } from '../server/command-line.ts'

/** The built client; tests/support/build.ts keeps it up to date. */
export const clientFile = join(projectRoot, 'out/client/skill')

export interface ClientOptions {
  /** The home folder; a new empty one without it. */
  home?: string
  /** The folder that it is called in; the home folder without it. */
  cwd?: string
  env?: Variables
  /** What standard input holds; it ends at once without it. With null it stays open for the test. */
  stdin?: string | Uint8Array | null
  /** The Node that runs it; the one of the tests without it. */
  node?: string
  /** Another file than the built one, such as an installed one. */
  file?: string
}

export interface ClientEnded {
  /** Null where a signal has ended it. */
  status: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** Standard output byte for byte. */
  bytes: Buffer
}

export interface StartedClient {
  child: ChildProcess
  /** What it has written so far. */
  output: { stdout: string; stderr: string }
  ended: Promise<ClientEnded>
}

const started = new Set<ChildProcess>()

/** For `afterAll`: ends what is still running, each by its id, and removes all folders. */
export async function cleanUpClients(): Promise<void> {
  for (const child of started) child.kill('SIGKILL')
  await cleanUp()
}

/** Starts `skill` as a person would, in a home folder that knows nothing of the machine. */
export function startClient(words: readonly string[], options: ClientOptions = {}): StartedClient {
  const home = options.home ?? temporaryFolder()
  const child = spawn(options.node ?? process.execPath, [options.file ?? clientFile, ...words], {
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
  // It may end without having read all of it.
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

/** Runs `skill` to its end. */
export const runClient = (words: readonly string[], options: ClientOptions = {}): Promise<ClientEnded> =>
  startClient(words, options).ended

/**
 * Runs `skill` with a real terminal for all three of its streams, and gives all that is to be seen there. Needs the
 * program `script` of Linux.
 */
export async function runOnTerminal(
  words: readonly string[],
  { cwd, node, typed = '', env }: Pick<ClientOptions, 'cwd' | 'node' | 'env'> & { typed?: string },
): Promise<{ status: number | null; seen: string }> {
  const home = temporaryFolder()
  const command = [node ?? process.execPath, clientFile, ...words].map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: cwd ?? home,
    env: { ...clientEnvironment(home, env), TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  started.add(child)
  let seen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen += text))
  // Held back until it is asked for, it would otherwise be lost with what the terminal was before.
  child.stdin.write(typed)
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  started.delete(child)
  return { status, seen: seen.replaceAll('\r\n', '\n') }
}

/** The one document that `--json` has written. Throws where there is anything else. */
export async function runClientJson<T>(
  words: readonly string[],
  options: ClientOptions = {},
): Promise<{ status: number | null; data: T; stderr: string }> {
  const { status, stdout, stderr } = await runClient([...words, '--json'], options)
  return { status, stderr, data: JSON.parse(stdout) as T }
}

/** The environment of a person whose home is `home`, and who has set nothing else. */
export function clientEnvironment(home: string, variables: Variables = {}): Variables {
  const kept = Object.entries(cleanEnvironment()).filter(
    ([name]) => !/^(SKILL_|NO_COLOR|FORCE_COLOR|NODE_|HOME$|APPDATA$)/.test(name),
  )
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData', 'Roaming'),
    ...variables,
  }
}

const versionOf = (node: string): string => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout

/** A Node 20 on PATH, beside the one that tests run with; null where there is none. */
function findNode20(): string | null {
  const candidates = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.includes(`node_modules${sep}.bin`))
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
  return candidates.find((file) => existsSync(file) && versionOf(file).startsWith('v20.')) ?? null
}

/** The oldest Node that the client has to run with: a Node 20 where there is one, else the one of the tests. */
export const oldestNode = findNode20() ?? process.execPath

/** The Nodes that the client is tried with, each once. */
export const clientNodes = (): { version: string; node: string }[] =>
  [...new Set([process.execPath, oldestNode])].map((node) => ({ version: versionOf(node).trim(), node }))
