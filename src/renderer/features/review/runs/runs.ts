import { CancelledError, useQueryClient } from '@tanstack/react-query'
import type { DeskRelease } from '../../../../shared/contracts/desk-review.ts'
import type { Observation } from '../../../../shared/contracts/evidence.ts'
import { defaultRunLimits } from '../../../../shared/sandbox/run-limits.ts'
import type { RunSnapshot, SandboxRun } from '../../../../shared/sandbox/sandbox-run.ts'
import { ApiError, asApiError } from '../../../lib/server/api-error.ts'
import { digestOf } from '../../../lib/digest/digest.ts'
import { createStore, useStore } from '../../../lib/state/store.ts'
import { packageQuery } from '../module/use-inspection.ts'
import type { ReceivedPackage } from '../module/use-inspection.ts'
import { runInFrame } from './run-in-frame.ts'
import { verdictOf } from '../../../../shared/sandbox/verdict.ts'
import type { RunVerdict } from '../../../../shared/sandbox/verdict.ts'
import { texts } from '../review.texts.ts'

/** A finished run of an example or of custom input. */
export interface FinishedRun {
  run: SandboxRun
  verdict: RunVerdict
  stdoutSha256: string
}

export type RunsState =
  | { step: 'idle' }
  | { step: 'receiving' }
  /** `example` is 0-based; null for custom input. */
  | { step: 'running'; example: number | null; since: number }
  | { step: 'failed'; error: ApiError }

export interface CustomInput {
  stdin: string
  args: string[]
}

/** The test runs of a release in this page. */
interface ReleaseRuns {
  state: RunsState
  /** One per example of the manifest; null until it has run. */
  examples: (FinishedRun | null)[]
  /** When the examples last ran (ISO 8601); null before. */
  ranAt: string | null
  /** Version of the checks when the examples ran; empty before. */
  checks: string
  custom: (FinishedRun & { input: CustomInput }) | null
}

export interface Runs extends ReleaseRuns {
  /** The runs to send with the decision; null if no example has run. */
  observation: Observation | null
  /** Runs every example, one after another, and discards earlier runs. */
  start(): void
  runCustom(input: CustomInput): void
  cancel(): void
}

type RunnableRelease = Pick<DeskRelease, 'id' | 'sha256' | 'manifest'>
type Receive = () => Promise<ReceivedPackage>

const nothing: ReleaseRuns = {
  state: { step: 'idle' },
  examples: [],
  ranAt: null,
  checks: '',
  custom: null,
}

/** By release id. Each can hold several MiB of output, so only the latest are cached. */
const cache = createStore<ReadonlyMap<number, ReleaseRuns>>(new Map())
const maxCachedReleases = 8
let running: { id: number; controller: AbortController; seen: RunSnapshot | null } | null = null

const read = (id: number): ReleaseRuns => cache.get().get(id) ?? nothing

function write(id: number, change: Partial<ReleaseRuns>): void {
  const next = new Map(cache.get())
  next.delete(id)
  next.set(id, { ...read(id), ...change })
  for (const other of next.keys()) {
    if (next.size <= maxCachedReleases) break
    if (other !== running?.id) next.delete(other)
  }
  cache.set(next)
}

/**
 * A snapshot of the current run. It changes with every call of the module, so there are no notifications:
 * components poll it.
 */
export function currentSnapshot(): RunSnapshot | null {
  return running?.seen ?? null
}

/** The test runs of a release in this page, and the functions to start and cancel them. */
export function useRuns(release: RunnableRelease): Runs {
  const client = useQueryClient()
  const runs = useStore(cache).get(release.id) ?? nothing
  const receive = (): Promise<ReceivedPackage> => client.fetchQuery(packageQuery(release))
  return {
    ...runs,
    observation: observationOf(release),
    start: () => void runExamples(release, receive),
    runCustom: (input) => void runCustom(release, receive, input),
    cancel: () => {
      if (running?.id === release.id) running.controller.abort()
    },
  }
}

function observationOf(release: RunnableRelease): Observation | null {
  const { examples, ranAt, checks } = read(release.id)
  const runs = examples.flatMap((finished, example) => (finished === null ? [] : [{ ...finished, example }]))
  if (ranAt === null || runs.length === 0) return null
  return {
    sha256: release.sha256,
    checks,
    ranAt,
    limits: defaultRunLimits,
    runs: runs.map(({ example, run, stdoutSha256 }) => ({
      example,
      end: run.end,
      exitCode: run.exitCode,
      stdoutSha256,
      stdoutBytes: run.stdoutBytes,
      stderrBytes: run.stderrBytes,
      timeMs: Math.round(run.timeMs * 10) / 10,
      peakMemoryBytes: run.peakMemoryBytes,
      calls: run.calls.map(({ name, count }) => ({ name, count })),
      detail: run.detail,
    })),
  }
}

async function runExamples(release: RunnableRelease, receive: Receive): Promise<void> {
  const { examples } = release.manifest
  await whileRunning(release, receive, async (file, signal) => {
    // Loaded with the first run, not with the desk.
    const { checksVersion } = await import('../../../../shared/findings/run-checks.ts')
    write(release.id, {
      examples: examples.map(() => null),
      ranAt: new Date().toISOString(),
      checks: checksVersion(),
    })
    for (const [index, { input, output }] of examples.entries()) {
      const one = { file, stdin: input, args: [], example: index, declared: output, signal }
      const finished = await runOne(release, one)
      if (finished === null) return
      write(release.id, { examples: read(release.id).examples.with(index, finished) })
    }
  })
}

async function runCustom(release: RunnableRelease, receive: Receive, input: CustomInput): Promise<void> {
  await whileRunning(release, receive, async (file, signal) => {
    write(release.id, { custom: null })
    const finished = await runOne(release, { file, ...input, example: null, declared: null, signal })
    if (finished !== null) write(release.id, { custom: { ...finished, input } })
  })
}

/** Downloads the module and calls `work`. Cancels any earlier run, of whichever release. */
async function whileRunning(
  { id }: RunnableRelease,
  receive: Receive,
  work: (file: Blob, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  running?.controller.abort()
  const controller = new AbortController()
  const mine = { id, controller, seen: null }
  running = mine
  const { signal } = controller
  const set = (state: RunsState): void => {
    // A newer run of the same release owns the state.
    if (running === mine || running?.id !== id) write(id, { state })
  }
  try {
    set({ step: 'receiving' })
    const { file, matches } = await receive()
    if (!signal.aborted) {
      if (!matches) throw new ApiError('SANDBOX', texts.testRuns.wrongDigest)
      await work(file, signal)
    }
    set({ step: 'idle' })
  } catch (error) {
    // A download is canceled when its release is left.
    const isCanceled = signal.aborted || error instanceof CancelledError
    set(isCanceled ? { step: 'idle' } : { step: 'failed', error: asApiError(error) })
  } finally {
    if (running === mine) running = null
  }
}

interface OneRun extends CustomInput {
  file: Blob
  /** 0-based; null for custom input. */
  example: number | null
  declared: string | null
  signal: AbortSignal
}

/** Resolves to null if the run was canceled. */
async function runOne(
  { id }: RunnableRelease,
  { file, stdin, args, example, declared, signal }: OneRun,
): Promise<FinishedRun | null> {
  if (signal.aborted) return null
  const report = (seen: RunSnapshot | null): void => {
    if (running?.controller.signal === signal) running.seen = seen
  }
  report(null)
  write(id, { state: { step: 'running', example, since: Date.now() } })
  const answer = await runInFrame({
    file,
    stdin,
    args,
    limits: defaultRunLimits,
    signal,
    onProgress: report,
  })
  if (answer.kind === 'failed') throw new ApiError('SANDBOX', answer.reason)
  if (answer.kind === 'canceled') return null
  const { run } = answer
  const stdoutSha256 = await digestOf(new Blob([run.stdout]))
  return signal.aborted ? null : { run, verdict: verdictOf(run, declared), stdoutSha256 }
}

/** How many examples passed; null until all have run. */
export function countPassed({ examples }: Pick<ReleaseRuns, 'examples'>): number | null {
  if (examples.length === 0 || examples.includes(null)) return null
  return examples.filter((finished) => finished?.verdict === 'passed').length
}
