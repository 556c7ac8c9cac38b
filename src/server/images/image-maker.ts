import { rm } from 'node:fs/promises'
import { renditionSteps } from '../../shared/contracts/images.ts'
import { DomainError } from '../../shared/errors.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import { createWorkerPool } from '../processes/worker-pool.ts'
import { imageAnswerSchema, renditionPath } from './image-messages.ts'
import type { ImageAnswer, ImageExamination } from './image-messages.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'
import { texts } from './images.texts.ts'

export type { ImageExamination } from './image-messages.ts'
export { renditionPath } from './image-messages.ts'

export interface ImageMakerOptions {
  startProcess: () => HelperProcess
  /**
   * Milliseconds after which an image's process is killed. A decoding process gives up earlier, after a limit of CPU
   * time (`image-process.ts`), however long that takes on a busy machine.
   */
  timeoutMs?: number
  /** Milliseconds without a sign of life after which it is killed: a blocked process can't enforce its own limits. */
  silenceMs?: number
  /** Milliseconds after which an idle process is ended. */
  idleMs?: number
}

interface ImageJob {
  path: string
  isAnonymous: boolean
}

const unavailable = (cause?: unknown): DomainError =>
  new DomainError('STORAGE_UNAVAILABLE', unavailableTexts.images, { retryAfter: 5, cause })

/**
 * A queue of images to examine in helper processes, which are ended when idle: one for editors and one for anonymous
 * uploads, which can't keep editors waiting. More would make little faster, and each needs the memory of an image.
 */
export function createImageMaker({
  startProcess,
  timeoutMs = 300_000,
  silenceMs = 10_000,
  idleMs = 1_000,
}: ImageMakerOptions) {
  const processes = 2
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
      // A process that is about to end still holds the memory of its last image.
      if (running.length + (isEnding ? 1 : 0) >= processes) return -1
      return waiting.findIndex((job) => running.every(({ isAnonymous }) => isAnonymous !== job.isAnonymous))
    },
    isSpent: (answer) => answer.ok === false && answer.isStuck === true,
    stopping: () => new DomainError('STOPPING', unavailableTexts.imagesStopping),
  })

  return {
    /**
     * Examines the image at `path` and writes its renditions next to it (`renditionPath`). Resolves with the problem if
     * the image is invalid, takes too long or crashes the process. Rejects with STORAGE_UNAVAILABLE if no process is
     * available or the renditions could not be written, and with STOPPING after `stop`.
     */
    async examine(path: string, isAnonymous: boolean): Promise<ImageExamination> {
      const outcome = await pool.run({ path, isAnonymous })
      switch (outcome.kind) {
        case 'answer':
          if (outcome.answer.ok === null) throw unavailable(new Error(outcome.answer.failed))
          return outcome.answer
        case 'timeout':
          return { ok: false, problem: texts.tooSlow }
        case 'gone':
          return { ok: false, problem: texts.crashed }
        case 'unstarted':
          break
      }
      throw unavailable()
    },
    /** Removes renditions that were not moved away. */
    async clear(path: string): Promise<void> {
      await Promise.all(renditionSteps.map((step) => rm(renditionPath(path, step), { force: true })))
    },
    stop: pool.stop,
  }
}

export type ImageMaker = ReturnType<typeof createImageMaker>
