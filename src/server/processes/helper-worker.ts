import { z } from 'zod'
import type { HelperProcess, HelperRequest } from './helper-process.ts'

/** Part of every answer: the job's id, and the process's resident memory in bytes. */
export interface HelperAnswer {
  id: number
  rss: number
}

/** Milliseconds after which a job has failed. */
export interface JobLimits {
  timeoutMs: number
  /** Without a sign of life, which a process sends every second unless it is blocked. */
  silenceMs?: number
}

/** How a job ended: with an answer, at a limit, because its process exited, or because none could be started. */
export type Outcome<Answer> =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'timeout' }
  | { kind: 'gone' }
  | { kind: 'unstarted' }

export interface HelperWorker<Answer> {
  /**
   * Runs a job; only one at a time. Its limits start when the process is ready. After any outcome but an answer, the
   * caller must `end` the process.
   */
  run(request: HelperRequest, limits: JobLimits): Promise<Outcome<Answer>>
  /** Kills the process; resolves when it has exited. */
  end(): Promise<void>
  /** Resolves when the process has exited, for whatever reason. */
  readonly gone: Promise<void>
  /** Number of jobs so far. */
  readonly jobs: number
}

// If the operating system does not report the exit of a killed process, the queue must not wait forever.
const KILL_PATIENCE_MS = 2_000

const later = <T>(ms: number, value: T): { promise: Promise<T>; cancel: () => void } => {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(resolve, ms, value)
  return { promise, cancel: () => clearTimeout(timer) }
}

const readyMessage = z.object({ ready: z.literal(true) })
const aliveMessage = z.object({ alive: z.number() })

/** Null if the operating system refuses to start one, for lack of memory for example. */
const tryToStart = (startProcess: () => HelperProcess): HelperProcess | null => {
  try {
    return startProcess()
  } catch {
    return null
  }
}

/**
 * Starts a process and wraps its messages in promises that always settle. The process reads untrusted files, so its
 * answers are validated with `answerSchema`. One that could not be started is like one that has exited at once.
 */
export const startWorker = <Answer extends HelperAnswer>(
  startProcess: () => HelperProcess,
  answerSchema: z.ZodType<Answer>,
  { startTimeoutMs = 30_000 }: { startTimeoutMs?: number } = {},
): HelperWorker<Answer> => {
  const messageSchema = z.union([readyMessage, aliveMessage, answerSchema])
  const child = tryToStart(startProcess)
  const ready = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  let jobs = 0
  let waiting: { id: number; resolve: (answer: Answer) => void; stayAlive: () => void } | null = null
  let ending: Promise<void> | null = null

  const kill = async (): Promise<void> => {
    child?.kill()
    const patience = later(KILL_PATIENCE_MS, undefined)
    await Promise.race([gone.promise, patience.promise])
    patience.cancel()
    gone.resolve()
  }

  const end = (): Promise<void> => (ending ??= kill())

  if (child === null) gone.resolve()
  child?.onExit(() => gone.resolve())
  child?.onMessage((message) => {
    const parsed = messageSchema.safeParse(message)
    // A process that violates the protocol is no longer trusted.
    if (!parsed.success) void end()
    else if ('ready' in parsed.data) ready.resolve()
    else if ('alive' in parsed.data) {
      if (parsed.data.alive === waiting?.id) waiting.stayAlive()
    } else if (parsed.data.id === waiting?.id) waiting.resolve(parsed.data)
  })

  const limited = async <T>(work: Promise<T>, ms: number): Promise<T | 'timeout' | 'gone'> => {
    const limit = later(ms, 'timeout' as const)
    try {
      return await Promise.race([work, gone.promise.then(() => 'gone' as const), limit.promise])
    } finally {
      limit.cancel()
    }
  }

  const run = async (
    { path, input }: HelperRequest,
    { timeoutMs, silenceMs = timeoutMs }: JobLimits,
  ): Promise<Outcome<Answer>> => {
    jobs += 1
    const started = await limited(ready.promise, startTimeoutMs)
    if (started !== undefined) return { kind: 'unstarted' }
    const answered = Promise.withResolvers<Answer | 'timeout'>()
    const silence = setTimeout(() => answered.resolve('timeout'), silenceMs)
    waiting = { id: jobs, resolve: answered.resolve, stayAlive: () => silence.refresh() }
    child?.send({ id: jobs, path, input })
    const answer = await limited(answered.promise, timeoutMs)
    clearTimeout(silence)
    waiting = null
    return typeof answer === 'string' ? { kind: answer } : { kind: 'answer', answer }
  }

  return {
    run,
    end,
    gone: gone.promise,
    get jobs() {
      return jobs
    },
  }
}
