import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Finding } from '../../../src/shared/contracts/findings.ts'
import type { SkillManifest } from '../../../src/shared/contracts/manifest.ts'
import { checkPackage } from '../../../src/shared/findings/check-package.ts'
import { runChecks } from '../../../src/shared/findings/run-checks.ts'
import { parseManifest } from '../../../src/shared/parse-manifest.ts'
import { runModule } from '../../../src/shared/sandbox/run-module.ts'
import { defaultRunLimits } from '../../../src/shared/sandbox/run-limits.ts'
import type { SandboxRun } from '../../../src/shared/sandbox/sandbox-run.ts'
import { skillHere } from './client-here.ts'
import { clientFile } from './client.ts'
import { developerPath } from './rust-toolchain.ts'
import { start, temporaryFolder } from '../server/command-line.ts'
import type { Ended, Variables } from '../server/command-line.ts'

/** A project created by `skill init`. */
export interface NewProject {
  folder: string
  name: string
  /** The PATH of its developer, where `skill` is the built client. */
  path: string
  read(file: string): string
}

/** Creates a project in a new folder. Throws with the client's error if that fails. */
export async function newProject(language: string, name: string): Promise<NewProject> {
  const parent = temporaryFolder()
  const { status, stderr } = await skillHere(['init', name, '--language', language], { folder: parent })
  if (status !== 0) throw new Error(stderr)
  const folder = join(parent, name)
  const programs = join(parent, 'programs')
  mkdirSync(programs)
  symlinkSync(clientFile, join(programs, 'skill'))
  const path = [programs, developerPath()].join(delimiter)
  return { folder, name, path, read: (file) => readFileSync(join(folder, file), 'utf8') }
}

/** The commands of its README in order, without those that need a registry. */
export const readmeCommands = ({ read }: NewProject): string[] =>
  [...read('README.md').matchAll(/^ {4}(\S.*)$/gm)]
    .map(([, command = '']) => command)
    .filter((command) => !/^skill (?:login|publish|status)\b/.test(command))

/** Runs a command line in the project folder. */
export const inProject = (
  { folder, path }: NewProject,
  line: string,
  variables: Variables = {},
): Promise<Ended> => start('/bin/sh', ['-c', line], { PATH: path, ...variables }, { cwd: folder }).ended

/** Runs the built module like a reviewer's browser, but with a higher output limit. */
export function runInSandbox(project: NewProject, input: string | Uint8Array): SandboxRun & { text: string } {
  const run = runModule({
    bytes: moduleOf(project),
    stdin: typeof input === 'string' ? new TextEncoder().encode(input) : input,
    args: [],
    limits: { ...defaultRunLimits, outputBytes: 32 * 1024 * 1024 },
  })
  return { ...run, text: new TextDecoder().decode(run.stdout) }
}

/** Runs the examples in the sandbox and returns them with their actual output. */
export const examplesOf = (project: NewProject): SkillManifest['examples'] =>
  manifestOf(project).examples.map(({ input }) => {
    const { end, exitCode, text } = runInSandbox(project, input)
    return { input, output: end === 'exited' && exitCode === 0 ? text : `${end} ${exitCode}` }
  })

/** The findings that a reviewer sees. Throws if the registry would reject the package. */
export function findingsOf(project: NewProject): Finding[] {
  const bytes = moduleOf(project)
  const checked = checkPackage(bytes)
  if (!checked.ok) throw new Error(checked.problems.map(({ message }) => message).join('\n'))
  const { module, scan } = checked
  const facts = { manifest: manifestOf(project), size: bytes.length, module, scan }
  return runChecks({ ...facts, problem: null, registry: null, runs: null })
}

export const manifestOf = ({ read }: NewProject): SkillManifest => parseManifest(read('manifest.json'))

export const moduleOf = ({ folder, name }: NewProject): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(folder, `${name}.wasm`)))
