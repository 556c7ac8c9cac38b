import type { Finding, Judgement } from '../../../../shared/contracts/findings.ts'
import type { Reviewer } from '../../../../shared/contracts/people.ts'
import { DomainError } from '../../../../shared/errors.ts'
import { CHECKS } from '../../../../shared/findings/run-checks.ts'
import type { Database } from '../../../db/database.ts'
import { readJson } from '../../../db/stored-text.ts'
import { checksRepository } from './checks.repository.ts'
import { judgementRepository } from './judgements.repository.ts'
import { texts } from '../releases.texts.ts'

/** Dismissing findings: for all releases of a skill, for as long as the finding is unchanged. */
export function createFindingDismissals(database: Database) {
  const checks = checksRepository(database.writer)
  const judgements = judgementRepository(database.writer)

  return {
    /** Throws NOT_FOUND for a finding that the release does not have, and ALREADY_JUDGED. */
    judgeFinding(
      reviewer: Reviewer,
      releaseId: number,
      { fingerprint, reason, check }: { fingerprint: string; reason: string; check: string | null },
    ): Promise<Judgement> {
      return database.transact(() => {
        const release = checks.findRelease(releaseId)
        const stored = checks.findChecks(releaseId)?.findings ?? null
        const found = readJson('release_checks.findings', releaseId, stored) ?? []
        const finding = found.find((one) => one.fingerprint === fingerprint) ?? observable(check)
        if (release === null) throw new DomainError('NOT_FOUND', texts.noRelease(releaseId))
        if (finding === undefined) throw new DomainError('NOT_FOUND', texts.findings.none)
        const { name } = release
        const before = judgements.findActive(name, fingerprint)
        if (before !== null) {
          throw new DomainError(
            'ALREADY_JUDGED',
            texts.findings.dismissed(before.judgedBy, before.version, before.reason),
          )
        }
        const judgedAt = new Date().toISOString()
        const judgedBy = reviewer.id
        judgements.insert({ name, check: finding.check, fingerprint, reason, releaseId, judgedBy, judgedAt })
        checks.recount(name)
        const judgement = judgements.findActive(name, fingerprint)
        if (judgement === null) throw new Error('A dismissal that was just made exists')
        const { id, judgedBy: by, version } = judgement
        return { id, reason, judgedBy: by, judgedAt, version }
      })
    },

    /** Throws NOT_FOUND, even if it has already been withdrawn. */
    withdrawJudgement(reviewer: Reviewer, id: number): Promise<void> {
      return database.transact(() => {
        const name = judgements.withdraw({ id, by: reviewer.id, at: new Date().toISOString() })
        if (name === null) throw new DomainError('NOT_FOUND', texts.findings.noDismissal(id))
        checks.recount(name)
      })
    },
  }
}

export type FindingDismissals = ReturnType<typeof createFindingDismissals>

/** A finding that the desk made in a test run. The server doesn't run modules, so it can't verify it. */
function observable(check: string | null): Pick<Finding, 'check'> | undefined {
  const known = CHECKS.find(({ id, needs }) => id === check && needs.includes('runs'))
  return known === undefined ? undefined : { check: known.id }
}
