import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Finding } from '../../../src/shared/contracts/findings.ts'
import type { SkillManifest } from '../../../src/shared/contracts/releases.ts'
import { checkPackage } from '../../../src/shared/findings/check-package.ts'
import { runChecks } from '../../../src/shared/findings/run-checks.ts'
import { parseManifest } from '../../../src/shared/manifest.ts'
import { runModule } from '../../../src/shared/sandbox/run-module.ts'
import { defaultRunLimits } from '../../../src/shared/sandbox/sandbox-run.ts'
import type { SandboxRun } from '../../../src/shared/sandbox/sandbox-run.ts'
import { clientFile, runClient } from './client.ts'
import { cleanEnvironment, start, temporaryFolder } from '../server/command-line.ts'
import type { Ended, Variables } from '../server/command-line.ts'

/** What `skill init` has made. */
export interface NewProject {
  folder: string
  name: string
  read(file: string): string
}

/** Makes one in a new folder. Throws with what the client says where it does not. */
export async function newProject(language: string, name: string): Promise<NewProject> {
  const parent = temporaryFolder()
  const { status, stderr } = await runClient(['init', name, '--language', language], { cwd: parent })
  if (status !== 0) throw new Error(stderr)
  const folder = join(parent, name)
  return { folder, name, read: (file) => readFileSync(join(folder, file), 'utf8') }
}

/** The commands of its README up to those that need a registry, in their order. */
export const readmeCommands = ({ read }: NewProject): string[] =>
  [...read('README.md').matchAll(/^ {4}(\S.*)$/gm)]
    .map(([, command = '']) => command)
    .filter((command) => !/^skill (?:login|publish|status)\b/.test(command))

/** Runs one line as a person would in the folder of the project; `skill` is the built client. */
export function inProject({ folder }: NewProject, line: string, variables: Variables = {}): Promise<Ended> {
  const programs = join(dirname(folder), 'programs')
  if (mkdirSync(programs, { recursive: true }) !== undefined) symlinkSync(clientFile, join(programs, 'skill'))
  const path = [programs, dirname(process.execPath), cleanEnvironment()['PATH'] ?? ''].join(delimiter)
  return start('/bin/sh', ['-c', line], { PATH: path, ...variables }, { cwd: folder }).ended
}

/** Runs the built module as a reviewer's browser does, with room for a long output. */
export function runInSandbox(project: NewProject, input: string | Uint8Array): SandboxRun & { text: string } {
  const run = runModule({
    bytes: moduleOf(project),
    stdin: typeof input === 'string' ? new TextEncoder().encode(input) : input,
    args: [],
    limits: { ...defaultRunLimits, outputBytes: 32 * 1024 * 1024 },
  })
  return { ...run, text: new TextDecoder().decode(run.stdout) }
}

/** What the sandbox makes of the examples, in the shape in which the manifest declares them. */
export const examplesOf = (project: NewProject): SkillManifest['examples'] =>
  manifestOf(project).examples.map(({ input }) => {
    const { end, exitCode, text } = runInSandbox(project, input)
    return { input, output: end === 'exited' && exitCode === 0 ? text : `${end} ${exitCode}` }
  })

/** What a reviewer is told of manifest and module. Throws where the registry would not take them. */
export function findingsOf(project: NewProject): Finding[] {
  const bytes = moduleOf(project)
  const looked = checkPackage(bytes)
  if (!looked.ok) throw new Error(looked.problems.map(({ message }) => message).join('\n'))
  const { module, scan } = looked
  const facts = { manifest: manifestOf(project), size: bytes.length, module, scan }
  return runChecks({ ...facts, problem: null, registry: null, runs: null })
}

export const manifestOf = ({ read }: NewProject): SkillManifest => parseManifest(read('manifest.json'))

export const moduleOf = ({ folder, name }: NewProject): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(folder, `${name}.wasm`)))
