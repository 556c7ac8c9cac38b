import type { Judgement } from '../../../../shared/contracts/findings.ts'
import { repository } from '../../../db/repository.ts'

interface NewJudgement {
  name: string
  check: string
  fingerprint: string
  reason: string
  releaseId: number
  judgedBy: number
  judgedAt: string
}

interface ActiveJudgement extends Judgement {
  name: string
  check: string
  fingerprint: string
}

const active = `SELECT j.name, j.check_id AS "check", j.fingerprint, j.id, j.reason, coalesce(p.name, p.subject) AS judgedBy,
    j.judged_at AS judgedAt, r.version
  FROM judgements j JOIN people p ON p.id = j.judged_by JOIN releases r ON r.id = j.release_id
  WHERE j.withdrawn_at IS NULL AND`

/** All SQL about dismissed findings. */
export const judgementRepository = repository((sql) => ({
  /** The active dismissals for releases of these names. */
  listActive: sql.listIn<string, ActiveJudgement>(`${active} j.name IN (SELECT value FROM json_each(?))`),
  findActive: sql.find<[name: string, fingerprint: string], ActiveJudgement>(
    `${active} j.name = ? AND j.fingerprint = ?`,
  ),
  insert: sql.run<[judgement: NewJudgement]>(`
      INSERT INTO judgements (name, check_id, fingerprint, reason, release_id, judged_by, judged_at)
      VALUES (@name, @check, @fingerprint, @reason, @releaseId, @judgedBy, @judgedAt)`),
  /** Returns the skill name of the dismissal; null if there is no active one with this id. */
  withdraw: sql.findValue<[{ id: number; by: number; at: string }], string>(`
      UPDATE judgements SET withdrawn_by = @by, withdrawn_at = @at WHERE id = @id AND withdrawn_at IS NULL
      RETURNING name`),
}))
