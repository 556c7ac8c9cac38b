import type { HeldDecision, LostCause, LostDecision } from '../../../../shared/contracts/desk-decisions.ts'
import type { Evidence } from '../../../../shared/contracts/evidence.ts'
import type { Reviewer } from '../../../../shared/contracts/people.ts'
import { may } from '../../../../shared/may.ts'
import { DomainError } from '../../../../shared/errors.ts'
import type { Database } from '../../../db/database.ts'
import { isUnavailable, persist } from '../../../db/persist.ts'
import { readJson } from '../../../db/stored-text.ts'
import type { Logger } from '../../../operations/logging.ts'
import type { DecisionEvidence } from './decision-evidence.service.ts'
import { heldDecisionRepository } from './held-decisions.repository.ts'
import type { NewHeldDecision, HeldRow } from './held-decisions.repository.ts'
import { releaseRepository } from '../releases.repository.ts'
import type { ReleaseRow } from '../releases.repository.ts'
import type { ReviewService } from './review-release.service.ts'
import { texts } from '../releases.texts.ts'
import { logTexts } from '../../../operations/log.texts.ts'

interface HeldDecisionParts {
  database: Database
  reviews: Pick<ReviewService, 'decide' | 'findRefusal'>
  evidence: Pick<DecisionEvidence, 'coversGrowth'>
  log: Logger
}

/** Milliseconds until a failed decision is tried again; doubled after every failure. */
const firstRetryMs = 250
const lastRetryMs = 10_000

/** When a held decision is due, by the monotonic clock. */
interface Deadline {
  at: number
  timer?: NodeJS.Timeout
}

/**
 * Decisions that can still be undone. Each is a row until it takes effect, is undone or is lost; the first transaction
 * to delete the row wins. Only the process that serves the data folder carries decisions out.
 */
export function createHeldDecisions(parts: HeldDecisionParts) {
  const { database, reviews, evidence, log } = parts
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
    // Rounding errors in sums of such times must not add another millisecond.
    return Math.max(Math.ceil(left - 0.001), 0)
  }

  const toHeld = (row: HeldRow): HeldDecision => ({
    action: row.action,
    byId: row.decidedBy,
    by: row.by,
    undoMs: Date.parse(row.dueAt) - Date.parse(row.heldAt),
    remainingMs: remainingMs(row.releaseId),
  })

  /** Who decided what, when it takes effect, and what `reader` can do about it. */
  const describe = (row: HeldRow, reader: Reviewer): string => {
    const isOwn = row.decidedBy === reader.id
    const who = isOwn ? texts.decisions.you : row.by
    const next = isOwn ? texts.decisions.undoFirst : texts.decisions.onlyOther(row.by)
    return `${texts.decisions.held(who, row, Math.ceil(remainingMs(row.releaseId) / 1000))} ${next}`
  }

  /** Why a decision that is due must not take effect, or null. */
  const findObstacle = (row: HeldRow, release: ReleaseRow): LostCause | null => {
    if (!may(row.role, 'reviewer') || row.removedAt !== null) return 'barred'
    if (release.status !== 'pending') return 'overtaken'
    if (reviews.findRefusal(release, row.action, row.decidedBy) !== null) return 'barred'
    if (row.action !== 'approved') return null
    const seen = evidenceOf(row)
    // With damaged evidence, the capabilities must be confirmed again.
    return seen !== null && evidence.coversGrowth(release, seen) ? null : 'grown'
  }

  /** Inside a transaction. */
  const carryOutRow = (row: HeldRow): void => {
    const release = releases.findById(row.releaseId)
    if (release === null)
      throw new Error(`A decision is held on release ${row.releaseId}, which does not exist`)
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
      // Undone in the meantime, and perhaps decided again with another deadline.
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
          log.error({ err: error, release: releaseId }, logTexts.decisionFailed)
        }
        if (deadlines.get(releaseId) !== deadline) return
        arm(releaseId, deadline, retryMs, Math.min(retryMs * 2, lastRetryMs))
      })
    }
    deadline.timer = setTimeout(fire, afterMs)
    deadline.timer.unref()
  }

  return {
    /** The held decision on a release, or null. */
    findHeld(releaseId: number): HeldDecision | null {
      const row = reading.find(releaseId)
      return row === null ? null : toHeld(row)
    },

    /** Inside a transaction. Throws INVALID_TRANSITION; the message says who decided what and when it takes effect. */
    assertNotHeld(releaseId: number, reviewer: Reviewer): void {
      const row = repository.find(releaseId)
      if (row !== null) throw new DomainError('INVALID_TRANSITION', describe(row, reviewer))
    },

    /** Holds the decision from `prepare` for `undoMs`. `prepare` is called in the same transaction and may throw. */
    async hold(
      releaseId: number,
      undoMs: number,
      prepare: () => Omit<NewHeldDecision, 'releaseId' | 'heldAt' | 'dueAt'>,
    ): Promise<void> {
      const deadline: Deadline = { at: 0 }
      try {
        await database.transact(() => {
          const now = new Date()
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

    /** Throws NOT_FOUND, INVALID_TRANSITION if no decision is held, FORBIDDEN if it is another reviewer's. */
    async undoDecision(reviewer: Reviewer, releaseId: number): Promise<void> {
      let deadline: Deadline | undefined
      await database.transact(() => {
        const release = releases.findById(releaseId)
        if (release === null) throw new DomainError('NOT_FOUND', texts.noRelease(releaseId))
        const row = repository.find(releaseId)
        if (row === null) throw nothingToUndo(release, releases.findLastDecider(releaseId))
        if (row.decidedBy !== reviewer.id) throw new DomainError('FORBIDDEN', describe(row, reviewer))
        deadline = deadlines.get(releaseId)
        repository.delete(releaseId)
      })
      forget(releaseId, deadline)
    },

    /** Decisions of this reviewer that did not take effect, until they dismiss them. */
    listLostDecisions(reviewer: Reviewer): LostDecision[] {
      database.assertAvailable()
      return reading.listLost(reviewer.id)
    },

    /** Throws NOT_FOUND, including for another reviewer's decision or one that was already dismissed. */
    dismissLostDecision(reviewer: Reviewer, id: number): Promise<void> {
      return database.transact(() => {
        if (repository.dismissLost({ id, personId: reviewer.id, at: new Date().toISOString() })) return
        throw new DomainError('NOT_FOUND', texts.decisions.noLost(id))
      })
    },

    /**
     * On shutdown: carries out all held decisions without waiting until they are due. One that fails stays held, and is
     * lost at the next start. Never throws.
     */
    async carryOutAll(): Promise<void> {
      const attempt = async (releaseId: number): Promise<void> => {
        try {
          await persist(() => carryOut(releaseId, deadlines.get(releaseId)))
        } catch (error) {
          if (isUnavailable(error)) throw error
          log.error({ err: error, release: releaseId }, logTexts.decisionFailed)
        }
      }
      try {
        for (const { releaseId } of reading.list()) {
          // One after the other, each in its own transaction.
          await attempt(releaseId)
        }
      } catch (error) {
        log.error({ err: error }, logTexts.decisionsFailed)
      }
    },

    /**
     * At the start of the process that serves the data folder: decisions that are still held were not carried out
     * because the previous process ended unexpectedly. They become lost decisions.
     */
    async recover(): Promise<void> {
      const left = reading.list()
      if (left.length === 0) return
      await persist(() =>
        database.transact(() => {
          for (const { releaseId } of left) repository.lose(releaseId, 'stopped')
        }),
      )
      log.warn({ decisions: left.length }, logTexts.decisionsLeft)
    },
  }
}

export type HeldDecisions = ReturnType<typeof createHeldDecisions>

function evidenceOf({ releaseId, evidence }: HeldRow): Evidence | null {
  return readJson('held_decisions.evidence', releaseId, evidence)
}

function nothingToUndo(release: ReleaseRow, decider: string | null): DomainError {
  return new DomainError(
    'INVALID_TRANSITION',
    decider === null || release.status === 'pending'
      ? texts.decisions.nothingToUndo(release)
      : texts.decisions.tookEffect(release, decider),
  )
}
