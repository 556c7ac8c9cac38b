import { stat } from 'node:fs/promises'
import { DomainError } from '../../shared/errors.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import type { HelperWorker, Outcome } from '../processes/helper-worker.ts'
import { startWorker } from '../processes/helper-worker.ts'
import type { ValidationResult, ValidatorAnswer } from './validator-messages.ts'
import { validatorAnswer } from './validator-messages.ts'

export type { ValidationResult } from './validator-messages.ts'

/** No checking process could be had: the module itself may be in order. */
const unavailable = (message: string): DomainError =>
  new DomainError('VALIDATOR_UNAVAILABLE', message, { retryAfter: 5 })

export interface WasmValidatorOptions {
  startProcess: () => HelperProcess
  /** How long one module may take, in milliseconds, before its process is killed. */
  timeoutMs?: number
  /** How many processes there may be at once. */
  processes?: number
  /** A process whose resident memory is above this many bytes after a job is replaced. */
  memoryLimit?: number
}

export interface WasmValidator {
  /** Starts the process that waits for the first job. Without it the first job does. */
  warmUp(): void
  /**
   * Checks the file at `path`. Resolves with the problems when the module is at fault, also when it took
   * too long or made the process crash. Rejects with the signal's reason when aborted, with
   * VALIDATOR_UNAVAILABLE when nothing could check it or its file cannot be read, and with STOPPING after `stop`.
   */
  validate(path: string, signal?: AbortSignal): Promise<ValidationResult>
  /** Ends all processes and rejects what is waiting; resolves when the processes are gone. */
  stop(): Promise<void>
}

interface Job {
  path: string
  large: boolean
  crashes: number
  worker: HelperWorker<ValidatorAnswer> | null
  resolve: (result: ValidationResult) => void
  reject: (reason: unknown) => void
}

// A large module takes several times its size while it is checked, so two are never checked at once.
const LARGE_BYTES = 2 * 1024 * 1024

const JOBS_PER_PROCESS = 200
const IDLE_MS = 2_000
const MEBIBYTE = 1024 * 1024

const refusal = (message: string): ValidationResult => ({ ok: false, problems: [{ path: 'wasm', message }] })

const stopping = (): DomainError =>
  new DomainError('STOPPING', 'The server is stopping; send the package again in a moment.')

/** A queue of modules to check in at most `processes` processes, one of which is kept for the next job. */
export const createWasmValidator = ({
  startProcess,
  timeoutMs = 5_000,
  processes = 2,
  memoryLimit = 128 * MEBIBYTE,
}: WasmValidatorOptions): WasmValidator => {
  const queue: Job[] = []
  const running = new Set<Job>()
  const workers = new Set<HelperWorker<ValidatorAnswer>>()
  const idle = new Map<HelperWorker<ValidatorAnswer>, NodeJS.Timeout | undefined>()
  let stopped = false

  const watch = async (worker: HelperWorker<ValidatorAnswer>): Promise<void> => {
    await worker.gone
    workers.delete(worker)
    idle.delete(worker)
    // A place came free, for a job that waits or else for the process that waits for the next one. A
    // process that ended before its first job is not replaced: the next would do the same.
    pump()
    if (worker.jobs > 0) warmUp()
  }

  const start = (): HelperWorker<ValidatorAnswer> => {
    const worker = startWorker(startProcess, validatorAnswer)
    workers.add(worker)
    void watch(worker)
    return worker
  }

  const endIdle = (worker: HelperWorker<ValidatorAnswer>): void => {
    idle.delete(worker)
    void worker.end()
  }

  /** Keeps the process for the next job; a second one, or one grown large, only for a short while. */
  const park = (worker: HelperWorker<ValidatorAnswer>, rss = 0): void => {
    const needless = idle.size > 0 || rss > memoryLimit * 0.75
    idle.set(worker, needless ? setTimeout(endIdle, IDLE_MS, worker).unref() : undefined)
  }

  const warmUp = (): void => {
    if (!stopped && workers.size === 0) park(start())
  }

  const takeWorker = (): HelperWorker<ValidatorAnswer> => {
    const [waiting] = idle
    if (!waiting) return start()
    const [worker, needless] = waiting
    clearTimeout(needless)
    idle.delete(worker)
    return worker
  }

  const takeJob = (): Job | undefined => {
    if (stopped || (idle.size === 0 && workers.size >= processes)) return undefined
    // A process that is about to end still holds the memory its last module took.
    const ending = workers.size > idle.size + running.size
    const onlySmall = ending || [...running].some(({ large }) => large)
    const index = queue.findIndex(({ large }) => !(large && onlySmall))
    return index < 0 ? undefined : queue.splice(index, 1)[0]
  }

  const settle = (job: Job, outcome: Outcome<ValidatorAnswer>): void => {
    switch (outcome.kind) {
      case 'answer': {
        const { answer } = outcome
        if (answer.ok === null)
          job.reject(unavailable('The package could not be read for its check. Send it again.'))
        else
          job.resolve(
            answer.ok
              ? { ok: true, module: answer.module, scan: answer.scan }
              : { ok: false, problems: answer.problems },
          )
        break
      }
      case 'timeout':
        job.resolve(
          refusal(
            `The module took longer than ${timeoutMs / 1000} s to check. Send a smaller or simpler one.`,
          ),
        )
        break
      case 'gone':
        // It may have been another's fault, such as a machine short of memory: once more, then no more.
        job.crashes += 1
        if (job.crashes === 1 && !stopped) queue.unshift(job)
        else {
          job.resolve(
            refusal(
              'The check of the module broke down twice; it may need too much memory. Send a simpler one.',
            ),
          )
        }
        break
      case 'unstarted':
        job.reject(
          unavailable(
            'Packages cannot be checked at the moment; nothing was changed. Try again in a few seconds.',
          ),
        )
        break
    }
  }

  const work = async (job: Job, worker: HelperWorker<ValidatorAnswer>): Promise<void> => {
    job.worker = worker
    running.add(job)
    const outcome = await worker.run(job.path, timeoutMs)
    running.delete(job)
    job.worker = null
    settle(job, outcome)
    // Without an answer the process is stuck or gone.
    const rss = outcome.kind === 'answer' ? outcome.answer.rss : Infinity
    if (rss > memoryLimit || worker.jobs >= JOBS_PER_PROCESS) await worker.end()
    else park(worker, rss)
    pump()
  }

  const pump = (): void => {
    for (let job = takeJob(); job; job = takeJob()) void work(job, takeWorker())
  }

  const drop = (job: Job, reason: unknown): void => {
    const place = queue.indexOf(job)
    if (place >= 0) queue.splice(place, 1)
    job.reject(reason)
    // A second run after the crash that this looks like would be for nobody.
    job.crashes += 1
    void job.worker?.end()
  }

  const assertRunning = (): void => {
    if (stopped) throw stopping()
  }

  const validate = async (path: string, signal?: AbortSignal): Promise<ValidationResult> => {
    signal?.throwIfAborted()
    assertRunning()
    const { size } = await stat(path)
    signal?.throwIfAborted()
    assertRunning()
    const { promise, resolve, reject } = Promise.withResolvers<ValidationResult>()
    const job: Job = { path, large: size > LARGE_BYTES, crashes: 0, worker: null, resolve, reject }
    const abort = (): void => drop(job, signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    queue.push(job)
    pump()
    try {
      return await promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  const stop = async (): Promise<void> => {
    stopped = true
    for (const job of [...queue, ...running]) drop(job, stopping())
    await Promise.all([...workers].map((worker) => worker.end()))
  }

  return { warmUp, validate, stop }
}
