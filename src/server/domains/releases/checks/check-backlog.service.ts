import { checksVersion } from '../../../../shared/findings/run-checks.ts'
import { setImmediate } from 'node:timers/promises'
import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import type { Database } from '../../../db/database.ts'
import { damaged, readStoredText } from '../../../db/stored-text.ts'
import type { Logger } from '../../../operations/logging.ts'
import { DamagedFileError } from '../../../storage/file-store.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import type { ReleaseFacts, ValidationResult, WasmValidator } from '../../../wasm/wasm-validator.ts'
import { checksRepository } from './checks.repository.ts'
import { createReleaseChecks } from './release-checks.service.ts'
import { releaseRepository } from '../releases.repository.ts'

export interface BacklogParts {
  database: Database
  files: FileStore
  validator: WasmValidator
  log: Logger
}

/** Ids that are looked through at once. */
const releasesASlice = 500

interface Tally {
  checked: number
  failed: number
  firstError: unknown
}

/**
 * Checks releases that were submitted before there were checks, or before those of today, and pending ones about
 * which the registry knows something else by now: one at a time, while everything else goes on.
 */
export function createCheckBacklog({ database, files, validator, log }: BacklogParts) {
  const reading = checksRepository(database.reader)
  const writing = checksRepository(database.writer)
  const known = createReleaseChecks(database.reader)
  const checks = createReleaseChecks(database.writer)
  const releases = releaseRepository(database.reader)
  const stop = new AbortController()
  let running: Promise<void> | null = null
  let wanted: 'all' | 'stale' | null = null

  const factsOf = (id: number): ModuleFacts | null =>
    readStoredText('facts', 'release_modules.facts', id, reading.findFacts(id))

  const validate = async (path: string, facts: ReleaseFacts): Promise<ValidationResult> => {
    const background = { isBackground: true, signal: stop.signal }
    const result = await validator.validate(path, facts, background)
    if (result.ok || result.findings !== null) return result
    // The check of the module did not come to its end: what the texts show is found without it.
    const problem = result.problems[0]?.message ?? 'It is not in order.'
    return validator.validate(path, { ...facts, problem }, background)
  }

  const look = async (sha256: string, facts: ReleaseFacts): Promise<ValidationResult> => {
    try {
      return await validate(await files.locate(sha256), facts)
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      const problem =
        error.damage === 'missing' ? 'Its bytes are gone.' : 'Its bytes are not those of its digest.'
      return validate('', { ...facts, problem })
    }
  }

  const checkOne = async (id: number): Promise<void> => {
    const release = reading.findRelease(id)
    if (release === null) return
    const bytes = releases.getManifest(id)
    const manifest = readStoredText('manifest', 'release_manifests.manifest', id, bytes)
    if (manifest === null) throw damaged('PACKAGE_CORRUPT', `${release.name} ${release.version}`)
    const registry = known.findView(release)
    const facts: ReleaseFacts = {
      manifest,
      size: release.size,
      registry,
      module: factsOf(id),
      problem: null,
    }
    const result = await look(release.sha256, facts)
    const { findings } = result
    if (findings === null) throw new Error('The check of a release did not come to its end')
    await database.transact(() => {
      if (result.ok) writing.saveFacts(id, JSON.stringify(result.module))
      const module = result.ok ? result.module : facts.module
      if (checks.save(id, { findings, registry, module })) wanted ??= 'stale'
    })
  }

  /** Whatever happens with one release, the others are looked at. */
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

  // One at a time is the point of these loops: whoever publishes or reads does not wait for them.

  /** What was submitted before there were checks, or is pending since before those of today. */
  const checkUnchecked = async (tally: Tally): Promise<void> => {
    const last = reading.lastId()
    for (let from = 0; from < last && !stop.signal.aborted; from += releasesASlice) {
      for (const id of reading.listUnchecked(checksVersion(), from, from + releasesASlice)) {
        // oxlint-disable-next-line no-await-in-loop
        await attempt(id, tally)
      }
      // oxlint-disable-next-line no-await-in-loop
      await setImmediate()
    }
  }

  const checkStale = async (tally: Tally): Promise<void> => {
    for (let id = reading.findNextStale(0); id !== null; id = reading.findNextStale(id)) {
      // oxlint-disable-next-line no-await-in-loop
      await attempt(id, tally)
      if (stop.signal.aborted) return
    }
  }

  const run = async (): Promise<void> => {
    // Whoever wakes this may be inside of a transaction, which ends before the next turn.
    await setImmediate()
    const tally: Tally = { checked: 0, failed: 0, firstError: undefined }
    try {
      while (wanted !== null && !stop.signal.aborted) {
        const all = wanted === 'all'
        wanted = null
        // oxlint-disable-next-line no-await-in-loop
        if (all) await checkUnchecked(tally)
        // oxlint-disable-next-line no-await-in-loop
        await checkStale(tally)
      }
    } catch (error) {
      tally.firstError ??= error
    }
    if (stop.signal.aborted) return
    const { checked, failed, firstError } = tally
    if (checked > 0) log.info({ releases: checked }, 'checked releases again')
    // They are looked at again after the next decision, or with the next start.
    if (firstError !== undefined) {
      log.warn({ err: firstError, releases: failed }, 'releases could not be checked again')
    }
  }

  const want = (what: 'all' | 'stale'): void => {
    wanted = wanted === 'all' ? 'all' : what
    running ??= run().finally(() => {
      running = null
      // Asked for while the last ones were being written down.
      if (wanted !== null && !stop.signal.aborted) want(wanted)
    })
  }

  /** Resolves when everything is checked that was asked for, also while it ran. */
  const settle = async (): Promise<void> => {
    if (running === null) return
    await running
    await settle()
  }

  return {
    /** Begins with everything that was not checked as it would be today. */
    start: () => want('all'),

    settle,

    /** Has checked what a decision has touched; may be called inside its transaction. */
    wake: () => want('stale'),

    /** Resolves when nothing is being checked any more; what is left waits for the next start. */
    async end(): Promise<void> {
      stop.abort()
      await running
    },
  }
}
