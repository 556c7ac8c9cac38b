import type { ModuleFacts } from '../../shared/contracts/desk-review.ts'
import { severities } from '../../shared/contracts/findings.ts'
import type { Finding } from '../../shared/contracts/findings.ts'
import type { SkillManifest } from '../../shared/contracts/releases.ts'
import { DomainError } from '../../shared/errors.ts'
import type { CheckInput } from '../../shared/findings/check.ts'
import { runChecksOn } from '../../shared/findings/run-checks.ts'
import { parseManifest } from '../../shared/manifest.ts'
import { defaultRunLimits } from '../../shared/sandbox/sandbox-run.ts'
import type { SandboxRun } from '../../shared/sandbox/sandbox-run.ts'
import { verdictOf } from '../../shared/sandbox/verdict.ts'
import type { RunVerdict } from '../../shared/sandbox/verdict.ts'
import type { PackageProblem } from '../../shared/wasm/check-command-module.ts'
import { lookInChild } from '../child/look-in-child.ts'
import { runInChild } from '../child/run-in-child.ts'
import { digestOf } from '../installed/installed.ts'
import type { Project } from './project.ts'

/** What became of an example of the manifest, run as the desk runs it. */
export interface ExampleRun {
  input: string
  /** The output that the manifest declares. */
  declared: string
  verdict: RunVerdict
  run: SandboxRun
}

/** What the registry and the desk would say of a project. */
export interface ProjectCheck {
  /** Null where the registry would refuse it; the problems say why. */
  manifest: SkillManifest | null
  manifestProblems: PackageProblem[]
  /** Null where the registry would refuse it; the problems say why. */
  module: ModuleFacts | null
  moduleProblems: PackageProblem[]
  size: number
  sha256: string
  /** The worst first; without those that need to know what the registry has. */
  findings: Finding[]
  /** One for each example; null where they were not run. */
  examples: ExampleRun[] | null
}

export interface CheckOptions {
  signal: AbortSignal
  /** The file of this program. */
  program: string
  /** Without, no example is run. */
  runsExamples: boolean
  /** Told what is being done, for people. */
  onStep?: (step: string) => void
}

/** Checks a project with the rules of the registry and the checks of the desk, each step in a process of its own. */
export async function checkProject(project: Project, options: CheckOptions): Promise<ProjectCheck> {
  const { runsExamples, onStep = () => {} } = options
  const { manifest, problems: manifestProblems } = readManifest(project.manifestText)
  onStep('Looking at the module')
  const looked = await lookInChild(project.module, manifest, options)
  const module = looked.ok ? looked.module : null
  const examples =
    runsExamples && looked.ok && manifest !== null
      ? await runExamples(project.module, manifest, { ...options, onStep })
      : null
  const size = project.module.length
  const observed = manifest === null ? [] : findObserved({ manifest, size, module }, examples ?? [])
  return {
    manifest,
    manifestProblems,
    module,
    moduleProblems: looked.ok ? [] : looked.problems,
    size,
    sha256: digestOf(project.module),
    findings: [...looked.findings, ...observed].toSorted(
      (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
    ),
    examples,
  }
}

/** Findings that need to see the examples run, as the desk has them. */
function findObserved(
  seen: Pick<CheckInput, 'manifest' | 'size' | 'module'>,
  examples: readonly ExampleRun[],
): Finding[] {
  if (examples.length === 0) return []
  const runs = examples.map(({ run: { end, calls } }, example) => ({ example, end, calls }))
  return runChecksOn({ ...seen, scan: null, problem: null, registry: null, runs }, 'runs')
}

/** Whether the registry would take it. What it knows beside, such as whose the name is, is not known here. */
export const isAcceptable = ({ manifest, module }: ProjectCheck): boolean =>
  manifest !== null && module !== null

/** Examples that did not do what the manifest says. */
export const failedExamples = ({ examples }: ProjectCheck): ExampleRun[] =>
  examples?.filter(({ verdict }) => verdict !== 'passed') ?? []

function readManifest(text: string): { manifest: SkillManifest | null; problems: PackageProblem[] } {
  try {
    return { manifest: parseManifest(text), problems: [] }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return { manifest: null, problems: error.issues ?? [{ path: 'manifest', message: error.message }] }
  }
}

async function runExamples(
  module: Buffer<ArrayBuffer>,
  { examples }: SkillManifest,
  { signal, program, onStep }: Required<CheckOptions>,
): Promise<ExampleRun[]> {
  const done: ExampleRun[] = []
  for (const { input, output } of examples) {
    onStep(`Running example ${done.length + 1} of ${examples.length}`)
    const stdin = Buffer.from(input)
    // oxlint-disable-next-line no-await-in-loop
    const run = await runInChild({ module, stdin, args: [], limits: defaultRunLimits, signal, program })
    done.push({ input, declared: output, verdict: verdictOf(run, output), run })
  }
  return done
}
