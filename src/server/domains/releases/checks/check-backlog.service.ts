import { checksVersion } from '../../../../shared/findings/run-checks.ts'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import type { Database } from '../../../db/database.ts'
import { asServer } from '../../../db/log/origin.ts'
import { readJson } from '../../../db/stored-text.ts'
import type { Logger } from '../../../operations/logging.ts'
import { DamagedFileError } from '../../../storage/file-store.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import type { ReleaseFacts, ValidationResult, WasmValidator } from '../../../wasm/wasm-validator.ts'
import { checksRepository } from './checks.repository.ts'
import { createReleaseChecks } from './release-checks.service.ts'
import { readManifest, releaseRepository } from '../releases.repository.ts'
import { texts } from '../../../wasm/wasm.texts.ts'
import { logTexts } from '../../../operations/log.texts.ts'

interface BacklogParts {
  database: Database
  files: FileStore
  validator: WasmValidator
  log: Logger
  /** How to check releases that nobody waits for; by default as fast as possible. */
  pace?: Pace
}

interface Pace {
  /** Milliseconds after the start, which has more urgent work. */
  startAfterMs: number
  /** Milliseconds of rest for each millisecond of checking. */
  rest: number
}

/** Checking decided releases takes a fifteenth of the time, and the server's requests have the rest. */
export const inBackground: Pace = { startAfterMs: 5000, rest: 14 }

/** Range of ids per query. */
const idsPerQuery = 500

interface Tally {
  checked: number
  failed: number
  firstError: unknown
}

/**
 * Rechecks releases in the background, one at a time: pending ones that were checked with older checks or for which the
 * state of the registry has changed, then decided ones that were submitted before there were checks.
 */
export function createCheckBacklog({
  database,
  files,
  validator,
  log,
  pace = { startAfterMs: 0, rest: 0 },
}: BacklogParts) {
  const reading = checksRepository(database.reader)
  const writing = checksRepository(database.writer)
  const checks = createReleaseChecks(database)
  const releases = releaseRepository(database.reader)
  const stop = new AbortController()
  let running: Promise<void> | null = null
  let requested: 'all' | 'stale' | null = null
  let rest = new AbortController()

  const factsOf = (id: number): ModuleFacts | null =>
    readJson('release_modules.facts', id, reading.findFacts(id))

  const validate = async (path: string, facts: ReleaseFacts): Promise<ValidationResult> => {
    const background = { isBackground: true, signal: stop.signal }
    const result = await validator.validate(path, facts, background)
    if (result.ok || result.findings !== null) return result
    // The module could not be checked completely. The manifest is then checked without it.
    const problem = result.problems[0]?.message ?? texts.invalid
    return validator.validate(path, { ...facts, problem }, background)
  }

  const validateStored = async (sha256: string, facts: ReleaseFacts): Promise<ValidationResult> => {
    try {
      return await validate(await files.locate(sha256), facts)
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      const problem = error.damage === 'missing' ? texts.missing : texts.otherDigest
      return validate('', { ...facts, problem })
    }
  }

  const checkOne = async (id: number): Promise<void> => {
    const release = reading.findRelease(id)
    if (release === null) return
    const manifest = readManifest(release, releases.getManifest(id))
    const seen = checks.see(release)
    const facts: ReleaseFacts = {
      manifest,
      size: release.size,
      registry: seen.registry,
      module: factsOf(id),
      problem: null,
    }
    const result = await validateStored(release.sha256, facts)
    const { findings } = result
    if (findings === null) throw new Error('Checking a release did not complete')
    await database.transact(() => {
      if (result.ok) writing.saveFacts(id, JSON.stringify(result.module))
      const module = result.ok ? result.module : facts.module
      if (checks.save(id, { findings, seen, module })) requested ??= 'stale'
    })
  }

  /** A failure with one release does not stop the others. */
  const attempt = async (id: number, tally: Tally): Promise<void> => {
    if (stop.signal.aborted) return
    try {
      await checkOne(id)
      tally.checked += 1
    } catch (error) {
      tally.failed += 1
      tally.firstError ??= error
    }
    await setImmediate()
  }

  // These loops check one release at a time on purpose, so that requests do not have to wait for them.

  /** Pending releases without results of the current checks, which reviewers wait for. */
  const checkPending = async (tally: Tally): Promise<void> => {
    const outdated = inRanges((after, last) =>
      reading.listOutdated({ version: checksVersion(), after, last }),
    )
    for await (const id of outdated) await attempt(id, tally)
  }

  /** Decided releases that were never checked, at the given pace. */
  const checkDecided = async (tally: Tally): Promise<void> => {
    await restFor(pace.startAfterMs)
    for await (const id of inRanges((after, last) => reading.listNeverChecked({ after, last }))) {
      if (requested === 'stale') requested = null
      await checkStale(tally)
      const startedAt = performance.now()
      await attempt(id, tally)
      await restFor((performance.now() - startedAt) * pace.rest)
    }
  }

  /** Ends early when the server stops, and when releases must be checked again that reviewers wait for. */
  const restFor = async (ms: number): Promise<void> => {
    if (ms === 0 || requested !== null) return
    rest = new AbortController()
    const signal = AbortSignal.any([stop.signal, rest.signal])
    await delay(ms, undefined, { signal }).catch(() => undefined)
  }

  /** The ids of a list, each range read with a short query. */
  async function* inRanges(list: (after: number, last: number) => number[]): AsyncGenerator<number> {
    const last = reading.lastId()
    for (let from = 0; from < last && !stop.signal.aborted; from += idsPerQuery) {
      yield* list(from, from + idsPerQuery)
      await setImmediate()
    }
  }

  const checkStale = async (tally: Tally): Promise<void> => {
    for (let id = reading.findNextStale(0); id !== null; id = reading.findNextStale(id)) {
      await attempt(id, tally)
      if (stop.signal.aborted) return
    }
  }

  /** Logs what was checked, and the first error. */
  const pass = async (work: (tally: Tally) => Promise<void>): Promise<void> => {
    const tally: Tally = { checked: 0, failed: 0, firstError: undefined }
    try {
      await work(tally)
    } catch (error) {
      tally.firstError ??= error
    }
    if (stop.signal.aborted) return
    const { checked, failed, firstError } = tally
    if (checked > 0) log.info({ releases: checked }, logTexts.rechecked)
    // They are tried again after the next decision or at the next start.
    if (firstError !== undefined) {
      log.warn({ err: firstError, releases: failed }, logTexts.notRechecked)
    }
  }

  const run = async (): Promise<void> => {
    // The caller may be inside a transaction, which ends before the next turn.
    await setImmediate()
    while (requested !== null && !stop.signal.aborted) {
      const all = requested === 'all'
      requested = null
      await pass(async (tally) => {
        if (all) await checkPending(tally)
        await checkStale(tally)
      })
      if (all) await pass(checkDecided)
    }
  }

  const request = (what: 'all' | 'stale'): void => {
    requested = requested === 'all' ? 'all' : what
    rest.abort()
    running ??= asServer(run).finally(() => {
      running = null
      // Requested while the last results were being written.
      if (requested !== null && !stop.signal.aborted) request(requested)
    })
  }

  /** Resolves when all requested checks are done, including those requested in the meantime. */
  const settle = async (): Promise<void> => {
    if (running === null) return
    await running
    await settle()
  }

  return {
    /** Checks everything that was not checked by the current checks. */
    start: () => request('all'),

    settle,

    /** Checks the releases affected by a decision. May be called inside its transaction. */
    wake: () => request('stale'),

    /** Resolves when no check is running. The rest of the backlog waits for the next start. */
    async end(): Promise<void> {
      stop.abort()
      await running
    },
  }
}
