import { z } from 'zod'
import type { HelperProcess, HelperRequest } from './helper-process.ts'

/** What every answer says: to which job, and the process's resident memory in bytes. */
export interface HelperAnswer {
  id: number
  rss: number
}

/** Milliseconds after which a job counts as failed. */
export interface JobLimits {
  timeoutMs: number
  /** Without a sign of life, which a process gives every second unless it is blocked. */
  silenceMs?: number
}

/** How a job ended: with an answer, at a limit, with its process gone, or without one from the start. */
export type Outcome<Answer> =
  | { kind: 'answer'; answer: Answer }
  | { kind: 'timeout' }
  | { kind: 'gone' }
  | { kind: 'unstarted' }

export interface HelperWorker<Answer> {
  /**
   * Runs one job at a time; its limits count from when the process is ready for it. After any
   * outcome but an answer the process is of no more use: the caller must `end` it.
   */
  run(request: HelperRequest, limits: JobLimits): Promise<Outcome<Answer>>
  /** Kills the process; resolves when it is gone. */
  end(): Promise<void>
  /** Resolves when the process is gone, for whatever reason. */
  readonly gone: Promise<void>
  /** How many jobs it was given so far. */
  readonly jobs: number
}

// If the operating system does not report the end of a killed process, the queue must not wait for ever.
const KILL_PATIENCE_MS = 2_000

const later = <T>(ms: number, value: T): { promise: Promise<T>; cancel: () => void } => {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(resolve, ms, value)
  return { promise, cancel: () => clearTimeout(timer) }
}

const readyMessage = z.object({ ready: z.literal(true) })
const aliveMessage = z.object({ alive: z.number() })

/**
 * Starts one process and wraps its messages into promises that always come to an end. It reads hostile files, so
 * what comes out of it is parsed with `answerSchema` before it is believed.
 */
export const startWorker = <Answer extends HelperAnswer>(
  startProcess: () => HelperProcess,
  answerSchema: z.ZodType<Answer>,
  { startTimeoutMs = 30_000 }: { startTimeoutMs?: number } = {},
): HelperWorker<Answer> => {
  const messageSchema = z.union([readyMessage, aliveMessage, answerSchema])
  const child = startProcess()
  const ready = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  let jobs = 0
  let waiting: { id: number; resolve: (answer: Answer) => void; stayAlive: () => void } | null = null
  let ending: Promise<void> | null = null

  const kill = async (): Promise<void> => {
    child.kill()
    const patience = later(KILL_PATIENCE_MS, undefined)
    await Promise.race([gone.promise, patience.promise])
    patience.cancel()
    gone.resolve()
  }

  const end = (): Promise<void> => (ending ??= kill())

  child.onExit(() => gone.resolve())
  child.onMessage((message) => {
    const parsed = messageSchema.safeParse(message)
    // A process that says something else than agreed is not to be trusted with another word.
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
    child.send({ id: jobs, path, input })
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
