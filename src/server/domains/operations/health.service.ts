import { setTimeout as delay } from 'node:timers/promises'
import type { HealthCheckName, Readiness } from '../../../shared/contracts/health.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Logger } from '../../operations/logging.ts'
import { createRecurringTask } from '../../operations/recurring-task.ts'
import { texts } from './operations.texts.ts'
import { logTexts } from '../../operations/log.texts.ts'

/** A check of one thing that writes depend on. */
export interface HealthCheck {
  name: HealthCheckName
  /** Resolves with null, or with a sentence that says what is wrong and how to fix it. Must not throw. */
  run(): Promise<string | null>
}

interface HealthOptions {
  checks: readonly HealthCheck[]
  log: Logger
  /** Milliseconds between rounds of checks. */
  intervalMs?: number
  /** Milliseconds after which an unfinished check counts as failed. Long enough for a busy computer. */
  timeoutMs?: number
}

/** Milliseconds that `end` waits for running checks. */
const endTimeoutMs = 2000

/** A few rounds of checks. */
const retryAfterSeconds = 10

/** `databaseWrite` is missing because every write detects an unavailable database itself. */
const neededByUploads = ['storageWrite', 'freeSpace', 'helperProcesses'] as const

/** Runs the checks in the background and keeps their latest results. */
export function createHealth({ checks, log, intervalMs = 2000, timeoutMs = 30_000 }: HealthOptions) {
  const results = Object.fromEntries(checks.map(({ name }) => [name, 'ok'])) as Readiness['checks']
  /** Unfinished checks. A check that hangs is not started again. */
  const running = new Set<HealthCheckName>()
  let hasEnded = false

  const record = (name: HealthCheckName, result: string): void => {
    if (hasEnded) return
    const wasOk = results[name] === 'ok'
    results[name] = result
    if (wasOk && result !== 'ok') log.warn({ check: name }, result)
    if (!wasOk && result === 'ok') log.info({ check: name }, logTexts.checkPasses)
  }

  const runOne = async ({ name, run }: HealthCheck): Promise<void> => {
    if (running.has(name)) return
    running.add(name)
    const late = Promise.withResolvers<void>()
    const limit = setTimeout(() => {
      record(name, texts.checks.slow(timeoutMs / 1000))
      late.resolve()
    }, timeoutMs)
    const finish = async (): Promise<void> => {
      const problem = await run()
      running.delete(name)
      clearTimeout(limit)
      record(name, problem ?? 'ok')
    }
    await Promise.race([finish(), late.promise])
  }

  const check = async (): Promise<void> => {
    await Promise.all(checks.map(runOne))
  }

  const rounds = createRecurringTask(check, { firstMs: intervalMs, everyMs: intervalMs })

  return {
    /** Runs every check once and resolves when all have finished. */
    check,
    /** Runs the checks periodically until `end`. */
    start: rounds.start,
    async end(): Promise<void> {
      hasEnded = true
      await Promise.race([rounds.end(), delay(endTimeoutMs, undefined, { ref: false })])
    },
    /** The latest results. Runs no checks. */
    read: (): Readiness => ({
      ready: Object.values(results).every((result) => result === 'ok'),
      checks: { ...results },
    }),
    /** Throws STORAGE_UNAVAILABLE while uploads can't be accepted. */
    assertMayUpload(): void {
      if (neededByUploads.every((name) => results[name] === 'ok')) return
      throw new DomainError('STORAGE_UNAVAILABLE', texts.noUploads, { retryAfter: retryAfterSeconds })
    },
  }
}

export type Health = ReturnType<typeof createHealth>
