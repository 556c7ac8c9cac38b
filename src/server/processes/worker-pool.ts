import type { z } from 'zod'
import type { HelperProcess, HelperRequest } from './helper-process.ts'
import { startWorker } from './helper-worker.ts'
import type { HelperAnswer, HelperWorker, JobLimits, Outcome } from './helper-worker.ts'

interface WorkerPoolOptions<Job extends HelperRequest, Answer extends HelperAnswer> {
  startProcess: () => HelperProcess
  answerSchema: z.ZodType<Answer>
  /** At these limits, a job's process is killed. */
  limits: JobLimits
  /** Maximum number of processes. */
  processes: number
  /** A process with more resident memory than this after a job is replaced, in bytes. */
  memoryLimit: number
  jobsPerProcess: number
  /** Milliseconds after which an idle process is ended. */
  idleMs: number
  /** Whether one idle process is kept for longer than `idleMs`. */
  keepsOne: boolean
  /**
   * The scheduling policy: the index of the waiting job to start, or -1 for none. `isEnding`: a process is being
   * replaced, and holds the memory of its last job until it has exited.
   */
  choose(waiting: readonly Job[], running: readonly Job[], isEnding: boolean): number
  /** Whether a process must be replaced after this answer. */
  isSpent?(answer: Answer): boolean
  /** The error with which jobs are rejected after `stop`. */
  stopping(): Error
}

interface WorkerPool<Job extends HelperRequest, Answer extends HelperAnswer> {
  /** Starts a process in advance, instead of with the first job. */
  warmUp(): void
  /**
   * Runs a job as soon as the policy allows. A job whose process exits is retried once in a new one, so `gone` means
   * that this happened twice. After any outcome but an answer, the process has exited. Rejects with the signal's
   * reason when aborted, and with `stopping()` after `stop`.
   */
  run(job: Job, signal?: AbortSignal): Promise<Outcome<Answer>>
  /** Ends all processes and rejects all jobs; resolves when the processes have exited. */
  stop(): Promise<void>
}

interface Entry<Job, Answer> {
  job: Job
  worker: HelperWorker<Answer> | null
  /** Set after the first retry or an abort: the job is not retried again. */
  isLastTry: boolean
  resolve: (outcome: Outcome<Answer>) => void
  reject: (reason: unknown) => void
}

/** A queue of jobs for a few processes, each with one job at a time. */
export function createWorkerPool<Job extends HelperRequest, Answer extends HelperAnswer>(
  options: WorkerPoolOptions<Job, Answer>,
): WorkerPool<Job, Answer> {
  const { processes, memoryLimit, isSpent = () => false } = options
  const queue: Entry<Job, Answer>[] = []
  const running = new Set<Entry<Job, Answer>>()
  /** All processes, including those that are about to end. */
  const workers = new Set<HelperWorker<Answer>>()
  const idle = new Map<HelperWorker<Answer>, NodeJS.Timeout | undefined>()
  let isStopped = false

  const watch = async (worker: HelperWorker<Answer>): Promise<void> => {
    await worker.gone
    workers.delete(worker)
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    pump()
    // A process that exited before its first job is not replaced: the next one would exit too.
    if (options.keepsOne && worker.jobs > 0) warmUp()
  }

  const start = (): HelperWorker<Answer> => {
    const worker = startWorker(options.startProcess, options.answerSchema)
    workers.add(worker)
    void watch(worker)
    return worker
  }

  const endIdle = (worker: HelperWorker<Answer>): void => {
    idle.delete(worker)
    void worker.end()
  }

  const park = (worker: HelperWorker<Answer>, rss = 0): void => {
    const isKept = options.keepsOne && idle.size === 0 && rss <= memoryLimit * 0.75
    idle.set(worker, isKept ? undefined : setTimeout(endIdle, options.idleMs, worker).unref())
  }

  const warmUp = (): void => {
    if (!isStopped && workers.size === 0) park(start())
  }

  const takeWorker = (): HelperWorker<Answer> => {
    const [waiting] = idle
    if (waiting === undefined) return start()
    const [worker, timer] = waiting
    clearTimeout(timer)
    idle.delete(worker)
    return worker
  }

  const takeEntry = (): Entry<Job, Answer> | undefined => {
    if (isStopped || (idle.size === 0 && workers.size >= processes)) return undefined
    const isEnding = workers.size > idle.size + running.size
    const index = options.choose(
      queue.map(({ job }) => job),
      [...running].map(({ job }) => job),
      isEnding,
    )
    return index < 0 ? undefined : queue.splice(index, 1)[0]
  }

  const work = async (entry: Entry<Job, Answer>, worker: HelperWorker<Answer>): Promise<void> => {
    entry.worker = worker
    running.add(entry)
    const outcome = await worker.run(entry.job, options.limits)
    const answer = outcome.kind === 'answer' ? outcome.answer : null
    // Without an answer, the process is stuck or has exited. It must have exited before the caller removes its files.
    const isUseless = answer === null || isSpent(answer)
    if (isUseless) await worker.end()
    running.delete(entry)
    entry.worker = null
    if (answer !== null && !isUseless) {
      if (isStopped || answer.rss > memoryLimit || worker.jobs >= options.jobsPerProcess) void worker.end()
      else park(worker, answer.rss)
    }
    // The crash may have another cause, such as a lack of memory.
    if (outcome.kind === 'gone' && !entry.isLastTry) {
      entry.isLastTry = true
      queue.unshift(entry)
    } else {
      entry.resolve(outcome)
    }
    pump()
  }

  const pump = (): void => {
    for (let entry = takeEntry(); entry !== undefined; entry = takeEntry()) void work(entry, takeWorker())
  }

  const drop = (entry: Entry<Job, Answer>, reason: unknown): void => {
    const place = queue.indexOf(entry)
    if (place >= 0) queue.splice(place, 1)
    entry.isLastTry = true
    entry.reject(reason)
    void entry.worker?.end()
  }

  return {
    warmUp,
    async run(job, signal) {
      signal?.throwIfAborted()
      if (isStopped) throw options.stopping()
      const { promise, resolve, reject } = Promise.withResolvers<Outcome<Answer>>()
      const entry: Entry<Job, Answer> = { job, worker: null, isLastTry: false, resolve, reject }
      const abort = (): void => drop(entry, signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      queue.push(entry)
      pump()
      try {
        return await promise
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    async stop() {
      isStopped = true
      for (const entry of [...queue, ...running]) drop(entry, options.stopping())
      await Promise.all([...workers].map((worker) => worker.end()))
    },
  }
}
