import type { ModuleFacts } from '../../shared/contracts/desk-review.ts'
import { severities } from '../../shared/contracts/findings.ts'
import type { Finding } from '../../shared/contracts/findings.ts'
import type { SkillManifest } from '../../shared/contracts/manifest.ts'
import { DomainError } from '../../shared/errors.ts'
import type { CheckInput } from '../../shared/findings/define-check.ts'
import { runChecksOn } from '../../shared/findings/run-checks.ts'
import { parseManifest } from '../../shared/parse-manifest.ts'
import { defaultRunLimits } from '../../shared/sandbox/run-limits.ts'
import type { SandboxRun } from '../../shared/sandbox/sandbox-run.ts'
import { verdictOf } from '../../shared/sandbox/verdict.ts'
import type { RunVerdict } from '../../shared/sandbox/verdict.ts'
import type { PackageProblem } from '../../shared/wasm/command-module.rules.ts'
import { inspectInChild } from '../child/inspect-in-child.ts'
import { runInChild } from '../child/run-in-child.ts'
import { digestOf } from '../installed/installed-skills.ts'
import type { Project } from './project.ts'
import { texts } from './project.texts.ts'

/** An example of the manifest, run in the same sandbox as in the desk. */
export interface ExampleRun {
  input: string
  /** The output that the manifest declares. */
  declared: string
  verdict: RunVerdict
  run: SandboxRun
}

/** The result of checking a project locally. */
export interface ProjectCheck {
  /** Null if the registry would reject it; see `manifestProblems`. */
  manifest: SkillManifest | null
  manifestProblems: PackageProblem[]
  /** Null if the registry would reject it; see `moduleProblems`. */
  module: ModuleFacts | null
  moduleProblems: PackageProblem[]
  size: number
  sha256: string
  /** Most severe first, without the checks that compare with other releases. */
  findings: Finding[]
  /** One per example; null if they were not run. */
  examples: ExampleRun[] | null
}

interface CheckOptions {
  signal: AbortSignal
  /** Path of this program. */
  program: string
  runsExamples: boolean
  /** Receives a description of each step, to be shown as progress. */
  onStep?: (step: string) => void
}

/** Checks a project with the registry's rules and the desk's checks. Only child processes parse or run the module. */
export async function checkProject(project: Project, options: CheckOptions): Promise<ProjectCheck> {
  const { runsExamples, onStep = () => {} } = options
  const { manifest, problems: manifestProblems } = readManifest(project.manifestText)
  onStep(texts.check.checking)
  const inspection = await inspectInChild(project.module, manifest, options)
  const module = inspection.ok ? inspection.module : null
  const examples =
    runsExamples && inspection.ok && manifest !== null
      ? await runExamples(project.module, manifest, { ...options, onStep })
      : null
  const size = project.module.length
  const observed = manifest === null ? [] : findObserved({ manifest, size, module }, examples ?? [])
  return {
    manifest,
    manifestProblems,
    module,
    moduleProblems: inspection.ok ? [] : inspection.problems,
    size,
    sha256: digestOf(project.module),
    findings: [...inspection.findings, ...observed].toSorted(
      (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
    ),
    examples,
  }
}

/** Findings of the checks that need test runs, as in the desk. */
function findObserved(
  seen: Pick<CheckInput, 'manifest' | 'size' | 'module'>,
  examples: readonly ExampleRun[],
): Finding[] {
  if (examples.length === 0) return []
  const runs = examples.map(({ run: { end, calls } }, example) => ({ example, end, calls }))
  return runChecksOn({ ...seen, scan: null, problem: null, registry: null, runs }, 'runs')
}

/** Whether the registry would accept the files. Whether the name is taken, for example, is not known here. */
export const isAcceptable = ({ manifest, module }: ProjectCheck): boolean =>
  manifest !== null && module !== null

/** Examples that did not pass. */
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
    onStep(texts.check.running(done.length + 1, examples.length))
    const stdin = Buffer.from(input)
    const run = await runInChild({ module, stdin, args: [], limits: defaultRunLimits, signal, program })
    done.push({ input, declared: output, verdict: verdictOf(run, output), run })
  }
  return done
}
