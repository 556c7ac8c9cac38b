import { rm } from 'node:fs/promises'
import { DomainError } from '../../shared/errors.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import { startWorker } from '../processes/helper-worker.ts'
import type { HelperWorker, Outcome } from '../processes/helper-worker.ts'
import { imageAnswerSchema, renditionPath } from './image-messages.ts'
import type { ImageAnswer, ImageExamination } from './image-messages.ts'

export type { ImageExamination } from './image-messages.ts'
export { renditionPath } from './image-messages.ts'

export interface ImageMakerOptions {
  startProcess: () => HelperProcess
  /** Milliseconds after which the process of a picture is killed; before that it ends itself by what it has computed. */
  timeoutMs?: number
  /** How many processes there may be at once; strangers' pictures have all of them but one. */
  processes?: number
  /** Milliseconds for which a process without work is kept. */
  idleMs?: number
}

export interface ImageMaker {
  /**
   * Checks the picture at `path` and puts its copies beside it (`renditionPath`). Resolves with the problem when the
   * picture is at fault, also when it took too long or made the process crash. Rejects with STORAGE_UNAVAILABLE when
   * nothing could check it or its copies could not be written, and with STOPPING after `stop`.
   */
  examine(path: string, isStrangers: boolean): Promise<ImageExamination>
  /** Removes the copies that were not moved away. */
  clear(path: string): Promise<void>
  /** Ends all processes and rejects what is waiting; resolves when the processes are gone. */
  stop(): Promise<void>
}

interface Job {
  path: string
  isStrangers: boolean
  crashes: number
  resolve: (examination: ImageExamination) => void
  reject: (reason: unknown) => void
}

type Worker = HelperWorker<ImageAnswer>

const jobsPerProcess = 50
/** A process whose resident memory is above this many bytes after a picture is replaced. */
const restingMemory = 300_000_000

const refusal = (problem: string): ImageExamination => ({ ok: false, problem })

const stopping = (): DomainError =>
  new DomainError('STOPPING', 'The server is stopping; send the picture again in a moment.')

const unavailable = (cause?: unknown): DomainError =>
  new DomainError(
    'STORAGE_UNAVAILABLE',
    'Pictures cannot be taken at the moment; nothing was changed. Try again in a few seconds.',
    { retryAfter: 5, cause },
  )

/** A queue of pictures to look into in processes of their own, of which none is kept for long. */
export function createImageMaker({
  startProcess,
  timeoutMs = 300_000,
  processes = 2,
  idleMs = 5_000,
}: ImageMakerOptions): ImageMaker {
  const queue: Job[] = []
  const running = new Map<Job, Worker>()
  const idle = new Map<Worker, NodeJS.Timeout>()
  const ending = new Set<Promise<void>>()
  let stopped = false

  const end = async (worker: Worker): Promise<void> => {
    const gone = worker.end()
    ending.add(gone)
    await gone
    ending.delete(gone)
    pump()
  }

  const takeWorker = (): Worker => {
    const [waiting] = idle
    if (waiting === undefined) return startWorker(startProcess, imageAnswerSchema)
    const [worker, timer] = waiting
    clearTimeout(timer)
    idle.delete(worker)
    return worker
  }

  const forget = async (worker: Worker): Promise<void> => {
    await worker.gone
    clearTimeout(idle.get(worker))
    idle.delete(worker)
  }

  const park = (worker: Worker): void => {
    const timer = setTimeout(() => {
      idle.delete(worker)
      void end(worker)
    }, idleMs)
    idle.set(worker, timer)
    void forget(worker)
  }

  /** A process that is about to end still holds the memory that its last picture took. */
  const takeJob = (): Job | undefined => {
    if (stopped || running.size + ending.size >= processes) return undefined
    const strangers = [...running.keys()].filter(({ isStrangers }) => isStrangers).length
    const mayTakeStrangers = strangers < Math.max(1, processes - 1)
    const index = queue.findIndex(({ isStrangers }) => !isStrangers || mayTakeStrangers)
    return index < 0 ? undefined : queue.splice(index, 1)[0]
  }

  const settle = (job: Job, outcome: Outcome<ImageAnswer>): void => {
    if (stopped) {
      job.reject(stopping())
      return
    }
    switch (outcome.kind) {
      case 'answer':
        if (outcome.answer.ok === null) job.reject(unavailable(new Error(outcome.answer.failed)))
        else job.resolve(outcome.answer)
        break
      case 'timeout':
        job.resolve(
          refusal(
            `The picture took longer than ${timeoutMs / 1000} s to decode. Send a smaller or simpler one.`,
          ),
        )
        break
      case 'gone':
        // It may have been another's fault, such as a machine short of memory: once more, then no more.
        job.crashes += 1
        if (job.crashes === 1) queue.unshift(job)
        else job.resolve(refusal('The picture broke the decoder twice. Save it anew and send that.'))
        break
      case 'unstarted':
        job.reject(unavailable())
        break
    }
  }

  const work = async (job: Job, worker: Worker): Promise<void> => {
    running.set(job, worker)
    const outcome = await worker.run(job.path, timeoutMs)
    running.delete(job)
    // Without an answer the process is stuck or gone; it must be, before anybody cleans up behind it.
    const answer = outcome.kind === 'answer' ? outcome.answer : null
    const isStuck = answer === null || (answer.ok === false && answer.isStuck === true)
    if (isStuck) await end(worker)
    else if (stopped || answer.rss > restingMemory || worker.jobs >= jobsPerProcess) void end(worker)
    else park(worker)
    settle(job, outcome)
    pump()
  }

  const pump = (): void => {
    for (let job = takeJob(); job !== undefined; job = takeJob()) void work(job, takeWorker())
  }

  return {
    examine(path, isStrangers) {
      if (stopped) return Promise.reject(stopping())
      return new Promise((resolve, reject) => {
        queue.push({ path, isStrangers, crashes: 0, resolve, reject })
        pump()
      })
    },
    async clear(path) {
      const steps = ['small', 'medium', 'large'] as const
      await Promise.all(steps.map((step) => rm(renditionPath(path, step), { force: true })))
    },
    async stop() {
      stopped = true
      for (const job of queue.splice(0)) job.reject(stopping())
      const workers = [...running.values(), ...idle.keys()]
      for (const timer of idle.values()) clearTimeout(timer)
      idle.clear()
      await Promise.all([...workers.map((worker) => worker.end()), ...ending])
    },
  }
}
