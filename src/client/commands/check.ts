import { checkProject, failedExamples, isAcceptable } from '../project/check-project.ts'
import type { ProjectCheck } from '../project/check-project.ts'
import type { OptionSpecs } from '../../shared/command-line/command-table.ts'
import type { Command, Context, Options } from '../command.ts'
import { texts } from './commands.texts.ts'
import { exitCodes } from '../exit-codes.ts'
import { readProject } from '../project/project.ts'
import type { Project } from '../project/project.ts'
import { describeRun } from '../installed/run-document.ts'
import { showCheck } from '../project/show-check.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The options that replace files of the project's folder. */
export const fileOptions: OptionSpecs = {
  manifest: {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'use this manifest instead of the one in the folder',
  },
  wasm: { type: 'string', value: 'FILE', completes: 'file', help: 'use this module instead of NAME.wasm' },
}

/** Reads and checks the project of a command line, with its progress on the terminal. */
export async function checkFiles(
  { folder: from, signal, program, terminal }: Context,
  folder: string | undefined,
  options: Options,
  runsExamples: boolean,
): Promise<{ project: Project; check: ProjectCheck }> {
  const manifest = options.text('manifest')
  const project = await readProject({ from, folder, manifest, wasm: options.text('wasm') })
  const onStep = (step: string): void => terminal.status(step)
  const check = await checkProject(project, { signal, program, runsExamples, onStep }).finally(() =>
    terminal.status(''),
  )
  return { project, check }
}

/** Runs the registry's rules and checks on a release before it is submitted. */
export const checkCommand: Command = {
  name: 'check',
  summary: 'Check a skill locally before you publish it',
  usage: ['[FOLDER] [--manifest FILE] [--wasm FILE] [--strict]'],
  about: `FOLDER (default: the current folder) contains manifest.json and the module NAME.wasm, where NAME is the name in
the manifest. Both are checked against the registry's rules and with the checks that reviewers see. Each example
runs in the same sandbox as in the desk, and its output is compared byte for byte. Nothing is uploaded. Checks
that compare with other releases, such as similar names, run when you publish.`,
  options: {
    ...fileOptions,
    strict: { type: 'boolean', help: 'treat warnings as errors' },
  },
  notes: `Exits with 1 if the registry would reject the release, a finding is an error, or an example fails. Findings never
decide on their own: a reviewer does, and sees the same findings.

  skill check
  skill check my-skill --strict
  skill check --wasm target/wasm32-wasip1/release/my-skill.wasm --json`,
  arguments: ['folder'],
  positionals: { min: 0, max: 1 },
  async run(context, [folder], options) {
    const { project, check } = await checkFiles(context, folder, options, true)
    const isStrict = options.flag('strict')
    const isFine = passes(check, isStrict)
    return {
      data: { passed: isFine, ...describeCheck(check) },
      exitCode: isFine ? exitCodes.done : exitCodes.failed,
      print(terminal) {
        const { name, version } = check.manifest ?? { name: project.moduleFile, version: '' }
        terminal.line(terminal.style('bold', plainLine(`${name} ${version}`)))
        terminal.note(texts.check.digest(check.sha256))
        terminal.line()
        showCheck(terminal, check)
        terminal.line()
        terminal.line(verdict(terminal, check, isStrict))
      },
    }
  },
}

function passes(check: ProjectCheck, isStrict: boolean): boolean {
  const failing = isStrict ? ['error', 'warning'] : ['error']
  return (
    isAcceptable(check) &&
    failedExamples(check).length === 0 &&
    !check.findings.some(({ severity }) => failing.includes(severity))
  )
}

function verdict(terminal: Terminal, check: ProjectCheck, isStrict: boolean): string {
  if (!isAcceptable(check)) return terminal.style('red', texts.check.rejected)
  if (failedExamples(check).length > 0) return terminal.style('red', texts.check.exampleFailed)
  if (passes(check, isStrict)) return texts.check.ready
  return terminal.style('red', passes(check, false) ? texts.check.warning : texts.check.error)
}

/** For `--json`: the whole check, including the output and calls of each example. */
export function describeCheck({ examples, ...check }: ProjectCheck): object {
  return {
    ...check,
    examples:
      examples?.map(({ input, declared, verdict: word, run }, index) => ({
        example: index + 1,
        verdict: word,
        input,
        declared,
        ...describeRun(run),
      })) ?? null,
  }
}
