import { rm } from 'node:fs/promises'
import { DomainError } from '../../shared/errors.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import { createWorkerPool } from '../processes/worker-pool.ts'
import { imageAnswerSchema, renditionPath } from './image-messages.ts'
import type { ImageAnswer, ImageExamination } from './image-messages.ts'

export type { ImageExamination } from './image-messages.ts'
export { renditionPath } from './image-messages.ts'

export interface ImageMakerOptions {
  startProcess: () => HelperProcess
  /**
   * Milliseconds after which the process of an image is killed. A process that decodes ends itself earlier, by what it
   * has computed (`image-process.ts`), however long that takes on a busy machine.
   */
  timeoutMs?: number
  /** Milliseconds without a sign of life after which it is killed: its own limits do not work when it is blocked. */
  silenceMs?: number
  /** How many processes there may be at once; anonymous images have all of them but one. */
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

interface ImageJob {
  path: string
  isStrangers: boolean
}

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
  silenceMs = 10_000,
  processes = 2,
  idleMs = 5_000,
}: ImageMakerOptions): ImageMaker {
  const mostAnonymous = Math.max(1, processes - 1)
  const pool = createWorkerPool<ImageJob, ImageAnswer>({
    startProcess,
    answerSchema: imageAnswerSchema,
    limits: { timeoutMs, silenceMs },
    processes,
    memoryLimit: 300_000_000,
    jobsPerProcess: 50,
    idleMs,
    keepsOne: false,
    choose(waiting, running, isEnding) {
      // A process that is about to end still holds the memory that its last picture took.
      if (running.length + (isEnding ? 1 : 0) >= processes) return -1
      const mayTakeAnonymous = running.filter((job) => job.isStrangers).length < mostAnonymous
      return waiting.findIndex((job) => !job.isStrangers || mayTakeAnonymous)
    },
    isSpent: (answer) => answer.ok === false && answer.isStuck === true,
    stopping: () =>
      new DomainError('STOPPING', 'The server is stopping; send the picture again in a moment.'),
  })

  return {
    async examine(path, isStrangers) {
      const outcome = await pool.run({ path, isStrangers })
      switch (outcome.kind) {
        case 'answer':
          if (outcome.answer.ok === null) throw unavailable(new Error(outcome.answer.failed))
          return outcome.answer
        case 'timeout':
          return { ok: false, problem: 'The picture took too long to decode. Send a smaller or simpler one.' }
        case 'gone':
          return {
            ok: false,
            problem: 'The picture broke the decoder twice. Save it again and send that file.',
          }
        case 'unstarted':
          break
      }
      throw unavailable()
    },
    async clear(path) {
      const steps = ['small', 'medium', 'large'] as const
      await Promise.all(steps.map((step) => rm(renditionPath(path, step), { force: true })))
    },
    stop: pool.stop,
  }
}
