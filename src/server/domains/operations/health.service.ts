import { setTimeout as delay } from 'node:timers/promises'
import type { HealthCheckName, Readiness } from '../../../shared/contracts/discovery.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Logger } from '../../operations/logging.ts'

/** One thing that a write needs. */
export interface HealthCheck {
  name: HealthCheckName
  /** Resolves with null, or with a sentence that says what is wrong and what to do. Must not throw. */
  run(): Promise<string | null>
}

export interface Health {
  /** Runs every check once and resolves when all have ended. */
  check(): Promise<void>
  /** Checks again and again, until `end`. */
  start(): void
  end(): Promise<void>
  /** The last results. Costs nothing, whoever asks. */
  read(): Readiness
  /** Throws STORAGE_UNAVAILABLE while a file that is sent could not be taken. */
  assertMayUpload(): void
}

export interface HealthOptions {
  checks: readonly HealthCheck[]
  log: Logger
  /** Milliseconds between two rounds. */
  intervalMs?: number
  /** Milliseconds after which a check that has not ended counts as failed; a busy computer alone must not reach it. */
  timeoutMs?: number
}

/** Milliseconds that a stop waits for a check that has begun. */
const patienceMs = 2000

/** Seconds that a client is asked to wait: a few rounds. */
const retryAfterSeconds = 10

/** Whether the database can be written is decided by each write itself; the file of an upload needs everything else. */
const neededByUploads = ['storageWrite', 'freeSpace', 'helperProcesses'] as const

/** Runs named checks in the background and keeps their last results. */
export function createHealth({ checks, log, intervalMs = 2000, timeoutMs = 30_000 }: HealthOptions): Health {
  const results: Record<HealthCheckName, string> = {
    databaseWrite: 'ok',
    storageWrite: 'ok',
    freeSpace: 'ok',
    helperProcesses: 'ok',
  }
  /** Checks that have not ended yet: one that hangs is not started a second time. */
  const running = new Set<HealthCheckName>()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  let hasEnded = false

  const note = (name: HealthCheckName, result: string): void => {
    if (hasEnded) return
    const wasOk = results[name] === 'ok'
    results[name] = result
    if (wasOk && result !== 'ok') log.warn({ check: name }, result)
    if (!wasOk && result === 'ok') log.info({ check: name }, 'works again')
  }

  const runOne = async ({ name, run }: HealthCheck): Promise<void> => {
    if (running.has(name)) return
    running.add(name)
    const late = Promise.withResolvers<void>()
    const limit = setTimeout(() => {
      note(
        name,
        `The check has not ended within ${timeoutMs / 1000} s. Look for a disk or a program that hangs.`,
      )
      late.resolve()
    }, timeoutMs)
    const finish = async (): Promise<void> => {
      const problem = await run()
      running.delete(name)
      clearTimeout(limit)
      note(name, problem ?? 'ok')
    }
    await Promise.race([finish(), late.promise])
  }

  const check = async (): Promise<void> => {
    await Promise.all(checks.map(runOne))
  }

  const goOn = async (): Promise<void> => {
    await check()
    if (!hasEnded) start()
  }
  const start = (): void => {
    timer = setTimeout(() => {
      round = goOn()
    }, intervalMs).unref()
  }

  return {
    check,
    start,
    async end() {
      hasEnded = true
      clearTimeout(timer)
      await Promise.race([round, delay(patienceMs, undefined, { ref: false })])
    },
    read: () => ({
      ready: Object.values(results).every((result) => result === 'ok'),
      checks: { ...results },
    }),
    assertMayUpload() {
      if (neededByUploads.every((name) => results[name] === 'ok')) return
      throw new DomainError(
        'STORAGE_UNAVAILABLE',
        'This server cannot take files at the moment; nothing was changed. Try again later.',
        { retryAfter: retryAfterSeconds },
      )
    },
  }
}
