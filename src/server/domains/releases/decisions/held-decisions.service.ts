import type { HeldDecision, LostCause } from '../../../../shared/contracts/desk-decisions.ts'
import type { Evidence } from '../../../../shared/contracts/evidence.ts'
import type { Administrator } from '../../../../shared/contracts/people.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { isUnavailable, persist } from '../../../db/persist.ts'
import { readStoredText } from '../../../db/stored-text.ts'
import type { Logger } from '../../../operations/logging.ts'
import type { DecisionEvidence } from './decision-evidence.service.ts'
import { heldDecisionRepository } from './held-decisions.repository.ts'
import type { HeldOrder, HeldRow } from './held-decisions.repository.ts'
import { describeHeld } from './held-decisions.rules.ts'
import { releaseRepository } from '../releases.repository.ts'
import type { ReleaseRow } from '../releases.repository.ts'
import type { ReviewService } from './review-release.service.ts'

export interface HeldDecisionParts {
  database: Database
  reviews: Pick<ReviewService, 'decide' | 'isForbiddenSelfReview'>
  evidence: Pick<DecisionEvidence, 'coversGrowth'>
  log: Logger
  clock?: () => Date
}

/** Milliseconds after which what could not be carried out is tried again; twice as many after each time. */
const firstRetryMs = 250
const lastRetryMs = 10_000

/** When one held decision is due, by the clock of this process, which never jumps. */
interface Deadline {
  at: number
  timer?: NodeJS.Timeout
}

/**
 * Decisions that can still be taken back. Each is a row until it is carried out, taken back or lost, and whoever
 * takes the row away first, in a transaction, has won. Only the process that serves the folder carries any out.
 */
export function createHeldDecisions(parts: HeldDecisionParts) {
  const { database, reviews, evidence, log, clock = () => new Date() } = parts
  const repository = heldDecisionRepository(database.writer)
  const reading = heldDecisionRepository(database.reader)
  const releases = releaseRepository(database.writer)
  const deadlines = new Map<number, Deadline>()

  const forget = (releaseId: number, deadline: Deadline | undefined): void => {
    clearTimeout(deadline?.timer)
    if (deadlines.get(releaseId) === deadline) deadlines.delete(releaseId)
  }

  const remainingMs = (releaseId: number): number => {
    const left = (deadlines.get(releaseId)?.at ?? 0) - performance.now()
    // Sums of such times are a hair off, which must not become another millisecond.
    return Math.max(Math.ceil(left - 0.001), 0)
  }

  const toHeld = (row: HeldRow): HeldDecision => ({
    action: row.action,
    byId: row.decidedBy,
    by: row.by,
    undoMs: Date.parse(row.dueAt) - Date.parse(row.heldAt),
    remainingMs: remainingMs(row.releaseId),
  })

  /** Why a decision that is due must not be carried out; null where it may. */
  const findObstacle = (row: HeldRow, release: ReleaseRow): LostCause | null => {
    if (row.role !== 'administrator' || row.removedAt !== null) return 'barred'
    if (release.status !== 'pending') return 'overtaken'
    if (reviews.isForbiddenSelfReview(release, row.action, row.decidedBy)) return 'barred'
    if (row.action !== 'approved') return null
    const seen = evidenceOf(row)
    // Where nobody can read what was seen, it has to be looked at again.
    return seen !== null && evidence.coversGrowth(release, seen) ? null : 'grown'
  }

  /** Inside a transaction. */
  const carryOutRow = (row: HeldRow): void => {
    const release = releases.findById(row.releaseId)
    if (release === null)
      throw new Error(`A decision is held on release ${row.releaseId}, which is not there`)
    const obstacle = findObstacle(row, release)
    if (obstacle !== null) {
      repository.lose(row.releaseId, obstacle)
      return
    }
    repository.delete(row.releaseId)
    const { action, reason, decidedBy } = row
    reviews.decide(release, {
      action,
      reason,
      by: decidedBy,
      evidence: evidenceOf(row),
    })
  }

  const carryOut = async (releaseId: number, deadline: Deadline | undefined): Promise<void> => {
    await database.transact(() => {
      // Taken back meanwhile, and perhaps decided anew with a time of its own.
      if (deadlines.get(releaseId) !== deadline) return
      const row = repository.find(releaseId)
      if (row !== null) carryOutRow(row)
    })
    forget(releaseId, deadline)
  }

  const arm = (releaseId: number, deadline: Deadline, afterMs: number, retryMs = firstRetryMs): void => {
    const fire = (): void => {
      carryOut(releaseId, deadline).catch((error: unknown) => {
        if (!isUnavailable(error)) {
          log.error({ err: error, release: releaseId }, 'a held decision could not be carried out')
        }
        if (deadlines.get(releaseId) !== deadline) return
        arm(releaseId, deadline, retryMs, Math.min(retryMs * 2, lastRetryMs))
      })
    }
    deadline.timer = setTimeout(fire, afterMs)
    deadline.timer.unref()
  }

  return {
    /** The decision that is held on a release. */
    findHeld(releaseId: number): HeldDecision | null {
      const row = reading.find(releaseId)
      return row === null ? null : toHeld(row)
    },

    /** Inside a transaction. Throws INVALID_TRANSITION with who decides what, and when that takes effect. */
    assertNotHeld(releaseId: number, administrator: Administrator): void {
      const row = repository.find(releaseId)
      if (row === null) return
      const { sentence, next } = describeHeld(row, remainingMs(releaseId), administrator.id)
      throw new DomainError('INVALID_TRANSITION', `${sentence} ${next}`)
    },

    /** Holds what `prepare` gives for `undoMs`; it is called in the same transaction and may refuse. */
    async hold(
      releaseId: number,
      undoMs: number,
      prepare: () => Omit<HeldOrder, 'releaseId' | 'heldAt' | 'dueAt'>,
    ): Promise<void> {
      const deadline: Deadline = { at: 0 }
      try {
        await database.transact(() => {
          const now = clock()
          const order = { ...prepare(), releaseId, heldAt: now.toISOString() }
          repository.insert({ ...order, dueAt: new Date(now.getTime() + undoMs).toISOString() })
          deadline.at = performance.now() + undoMs
          deadlines.set(releaseId, deadline)
        })
      } catch (error) {
        forget(releaseId, deadline)
        throw error
      }
      arm(releaseId, deadline, undoMs)
    },

    /** Takes a decision back. Throws NOT_FOUND, INVALID_TRANSITION where none is held, FORBIDDEN for another's. */
    async undoDecision(administrator: Administrator, releaseId: number): Promise<void> {
      let deadline: Deadline | undefined
      await database.transact(() => {
        const release = releases.findById(releaseId)
        if (release === null)
          throw new DomainError('NOT_FOUND', `There is no release with the id ${releaseId}.`)
        const row = repository.find(releaseId)
        if (row === null) throw nothingToUndo(release, releases.findLastDecider(releaseId))
        if (row.decidedBy !== administrator.id) {
          const { sentence, next } = describeHeld(row, remainingMs(releaseId), administrator.id)
          throw new DomainError('FORBIDDEN', `${sentence} ${next}`)
        }
        deadline = deadlines.get(releaseId)
        repository.delete(releaseId)
      })
      forget(releaseId, deadline)
    },

    /** For a stop: carries out everything that is held, without waiting until it is due. Never throws. */
    async carryOutAll(): Promise<void> {
      try {
        for (const { releaseId } of reading.list()) {
          // One after the other, each in a transaction of its own.
          // oxlint-disable-next-line no-await-in-loop
          await persist(() => carryOut(releaseId, deadlines.get(releaseId)))
        }
      } catch (error) {
        log.error({ err: error }, 'held decisions could not be carried out; the next start tells of them')
      }
    },

    /**
     * At the start of the process that serves the folder: what another one has left behind was not carried out,
     * for that one has ended without warning.
     */
    async recover(): Promise<void> {
      const left = reading.list()
      if (left.length === 0) return
      await persist(() =>
        database.transact(() => {
          for (const { releaseId } of left) repository.lose(releaseId, 'stopped')
        }),
      )
      log.warn({ decisions: left.length }, 'the last server ended before it had carried out what it held')
    },
  }
}

export type HeldDecisions = ReturnType<typeof createHeldDecisions>

function evidenceOf({ releaseId, evidence }: HeldRow): Evidence | null {
  return readStoredText('evidence', 'held_decisions.evidence', releaseId, evidence)
}

function nothingToUndo(release: ReleaseRow, decider: string | null): DomainError {
  const { name, version, status } = release
  return new DomainError(
    'INVALID_TRANSITION',
    decider === null || status === 'pending'
      ? `No decision on ${name} ${version} is held; there is nothing to take back.`
      : `${name} ${version} is ${status} already (by ${decider}); that can no longer be taken back.`,
  )
}
