import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { oldestNode } from './client.ts'
import { temporaryFolder } from '../server/command-line.ts'

/** The shells that the install script is tested with. */
export const shells: Record<string, readonly [string, ...string[]]> = {
  dash: ['dash'],
  'bash --posix': ['bash', '--posix'],
  'busybox sh': ['busybox', 'sh'],
  bash: ['bash'],
}

/** The programs that the script itself runs. */
const tools = ['cat', 'chmod', 'mkdir', 'mktemp', 'mv', 'rm', 'rmdir', 'sed']

/** A computer for an installation: an empty home folder, and a `PATH` with only the named programs. */
export interface Computer {
  home: string
  /** The only folder in `PATH`. */
  programs: string
  environment: Record<string, string>
}

/** `programs` maps the names in `PATH` to a program's path, or to true for the program of this system. */
export function makeComputer(programs: Record<string, string | true> = { node: true, curl: true }): Computer {
  const folder = temporaryFolder()
  const computer = { home: join(folder, 'home'), programs: join(folder, 'programs') }
  mkdirSync(computer.home)
  mkdirSync(computer.programs)
  const named = { ...Object.fromEntries(tools.map((tool) => [tool, true as const])), ...programs }
  for (const [name, path] of Object.entries(named)) {
    const target = path === true ? (name === 'node' ? oldestNode : findProgram(name)) : path
    symlinkSync(target, join(computer.programs, name))
  }
  return { ...computer, environment: { HOME: computer.home, PATH: computer.programs, SHELL: '/bin/bash' } }
}

/** Adds a fake program. There must be none of this name yet, because that would be a link to the real one. */
export function putProgram({ programs }: Computer, name: string, text: string): void {
  const options = { mode: 0o755, flag: 'wx' }
  writeFileSync(join(programs, name), `#!${findProgram('dash')}\n${text}\n`, options)
}

export function findProgram(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const path = folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  if (path === undefined) throw new Error(`There is no ${name} in PATH`)
  return path
}

export interface Ran {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs a script like `curl … | sh -s -- WORDS`. */
export function runScript(
  script: string | Buffer,
  computer: Computer,
  {
    shell = shells['dash'],
    args = [],
    environment = {},
    cwd = computer.home,
  }: {
    shell?: readonly string[]
    args?: readonly string[]
    environment?: Record<string, string>
    cwd?: string
  } = {},
): Promise<Ran> {
  const [program = 'sh', ...options] = shell ?? []
  return runProgram(
    findProgram(program),
    [...options, '-s', '--', ...args],
    { ...computer.environment, ...environment },
    cwd,
    script,
  )
}

/** Runs a program with only these environment variables, and waits for it to end. */
export function runProgram(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
  cwd: string,
  input: string | Buffer = '',
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: environment, cwd, stdio: ['pipe', 'pipe', 'pipe'] })
    const ran: Ran = { status: null, stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (ran.stderr += text))
    child.once('error', reject)
    child.once('close', (status) => resolve({ ...ran, status }))
    // The shell may exit without reading all of the input.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** The sorted paths of all files and folders in a folder, with the modes of files. */
export function listAll(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const name = relative(folder, path)
      return entry.isFile() ? `${name} ${(lstatSync(path).mode & 0o777).toString(8)}` : `${name}/`
    })
    .toSorted()
}
