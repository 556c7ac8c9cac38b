import { checkProject, failedExamples, isAcceptable } from '../project/check-project.ts'
import type { ProjectCheck } from '../project/check-project.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { readProject } from '../project/project.ts'
import { describeRun } from '../installed/run-document.ts'
import { showCheck } from '../project/show-check.ts'
import { plainLine } from '../terminal/terminal.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Says what the registry and the desk would say of a release before it is submitted. */
export const checkCommand: Command = {
  name: 'check',
  summary: 'See what the registry and its reviewers would find, before anything is sent',
  usage: '[FOLDER] [--manifest FILE] [--wasm FILE] [--strict]',
  help: `The folder, this one without a word, holds manifest.json and the module with the name that stands there:
NAME.wasm. The manifest and the module are checked with the rules of the registry and with the checks that the
desk shows to reviewers; each example is run in the same sandbox, and its output compared byte for byte. Nothing
is sent. What needs to know other releases, such as a name that is near another one, is checked at publish.

  --manifest FILE   Another manifest than the one in the folder
  --wasm FILE       Another module than NAME.wasm beside it
  --strict          Warnings fail too

It ends with 1 where the registry would refuse the release, a finding is an error or an example fails. Findings
never decide alone: a person does, and reads what you read here.

  skill check
  skill check my-skill --strict
  skill check --wasm target/wasm32-wasip1/release/my-skill.wasm --json`,
  options: { manifest: { type: 'string' }, wasm: { type: 'string' }, strict: { type: 'boolean' } },
  words: { min: 0, max: 1 },
  async run({ folder: from, signal, program, terminal: working }, [folder], options) {
    const manifest = options.text('manifest')
    const project = await readProject({ from, folder, manifest, wasm: options.text('wasm') })
    const check = await checkProject(project, {
      signal,
      program,
      runsExamples: true,
      onStep: (step) => working.status(step),
    }).finally(() => working.status(''))
    const isStrict = options.flag('strict')
    const isFine = passes(check, isStrict)
    return {
      data: { passed: isFine, ...describeCheck(check) },
      exitCode: isFine ? exitCodes.done : exitCodes.no,
      print(terminal) {
        const { name, version } = check.manifest ?? { name: project.moduleFile, version: '' }
        terminal.line(terminal.style('bold', plainLine(`${name} ${version}`)))
        terminal.line(terminal.style('dim', `SHA-256 ${check.sha256}`))
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
  if (!isAcceptable(check))
    return terminal.style('red', 'The registry would refuse it. Mend it, and check again.')
  if (failedExamples(check).length > 0) {
    return terminal.style(
      'red',
      'An example does not do what the manifest says. Mend one of the two, and check again.',
    )
  }
  if (passes(check, isStrict)) return 'Nothing stands in the way. Submit it for review with: skill publish'
  return passes(check, false)
    ? terminal.style('red', 'The registry would take it; there are warnings.')
    : terminal.style('red', 'The registry would take it, and its reviewers would see an error.')
}

/** For `--json`: all of it, with what each example wrote and called. */
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
