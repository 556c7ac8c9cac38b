import { stat } from 'node:fs/promises'
import { DomainError } from '../../shared/errors.ts'
import type { HelperProcess } from '../processes/helper-process.ts'
import { createWorkerPool } from '../processes/worker-pool.ts'
import type { ReleaseFacts, ValidationResult, ValidatorAnswer } from './validator-messages.ts'
import { validatorAnswer } from './validator-messages.ts'
import { unavailableTexts } from '../operations/unavailable.texts.ts'
import { texts } from './wasm.texts.ts'

export type { ReleaseFacts, ValidationResult } from './validator-messages.ts'

/** No process was available; the module itself may be valid. */
const unavailable = (message: string): DomainError =>
  new DomainError('VALIDATOR_UNAVAILABLE', message, { retryAfter: 5 })

export interface WasmValidatorOptions {
  startProcess: () => HelperProcess
  /** Milliseconds after which a module's process is killed. */
  timeoutMs?: number
  /** Maximum number of processes. */
  processes?: number
  /** A process with more resident memory than this after a job is replaced, in bytes. */
  memoryLimit?: number
}

interface ValidateOptions {
  /** Gives priority to all other jobs, and keeps a process free for them. */
  isBackground?: boolean
  signal?: AbortSignal
}

interface ValidatorJob {
  path: string
  input: ReleaseFacts | null
  isLarge: boolean
  isBackground: boolean
}

// Checking a large module takes several times its size in memory, so two are never checked at the same time.
const largeBytes = 2 * 1024 * 1024
const mebibyte = 1024 * 1024

const refusal = (message: string): ValidationResult => ({
  ok: false,
  problems: [{ path: 'wasm', message }],
  findings: null,
})

/** A queue of releases to check in at most `processes` helper processes, one of which is kept when idle. */
export const createWasmValidator = ({
  startProcess,
  timeoutMs = 5_000,
  processes = 2,
  memoryLimit = 128 * mebibyte,
}: WasmValidatorOptions) => {
  const pool = createWorkerPool<ValidatorJob, ValidatorAnswer>({
    startProcess,
    answerSchema: validatorAnswer,
    limits: { timeoutMs },
    processes,
    memoryLimit,
    jobsPerProcess: 200,
    idleMs: 2_000,
    keepsOne: true,
    choose(waiting, running, isEnding) {
      // A process that is about to end still holds the memory of its last module.
      const isSmallOnly = isEnding || running.some(({ isLarge }) => isLarge)
      const mayStart = ({ isLarge }: ValidatorJob): boolean => !(isLarge && isSmallOnly)
      const first = waiting.findIndex((job) => !job.isBackground && mayStart(job))
      if (first >= 0 || running.length > 0) return first
      return waiting.findIndex(mayStart)
    },
    stopping: () => new DomainError('STOPPING', unavailableTexts.modulesStopping),
  })

  /**
   * Checks the module at `path`, and with `facts` the whole release. Resolves with the problems if the module is
   * invalid, takes too long or crashes the process. Rejects with the signal's reason when aborted, with
   * VALIDATOR_UNAVAILABLE if no process is available or the file can't be read, and with STOPPING after `stop`.
   */
  const validate = async (
    path: string,
    facts: ReleaseFacts | null = null,
    { isBackground = false, signal }: ValidateOptions = {},
  ): Promise<ValidationResult> => {
    signal?.throwIfAborted()
    // With a known problem, there is no file to read.
    const isRead = (facts?.problem ?? null) === null
    const isLarge = isRead && (facts?.size ?? (await stat(path)).size) > largeBytes
    signal?.throwIfAborted()
    const outcome = await pool.run({ path, input: facts, isLarge, isBackground }, signal)
    switch (outcome.kind) {
      case 'answer': {
        const { id: _id, rss: _rss, ...result } = outcome.answer
        if (result.ok === null) throw unavailable(unavailableTexts.moduleUnread)
        return result
      }
      case 'timeout':
        return refusal(texts.tooSlow(timeoutMs / 1000))
      case 'gone':
        return refusal(texts.crashed)
      case 'unstarted':
        break
    }
    throw unavailable(unavailableTexts.modules)
  }

  return { warmUp: pool.warmUp, validate, stop: pool.stop }
}

export type WasmValidator = ReturnType<typeof createWasmValidator>
