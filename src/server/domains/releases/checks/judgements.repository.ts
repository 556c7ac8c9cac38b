import type { Judgement } from '../../../../shared/contracts/findings.ts'
import type { Connection } from '../../../db/database.ts'
import { preparedOnce } from '../../../db/prepared-once.ts'

export interface NewJudgement {
  name: string
  check: string
  fingerprint: string
  reason: string
  releaseId: number
  judgedBy: number
  judgedAt: string
}

export interface ActiveJudgement extends Judgement {
  name: string
  check: string
  fingerprint: string
}

const active = `SELECT j.name, j.check_id AS "check", j.fingerprint, j.id, j.reason, coalesce(p.name, p.subject) AS judgedBy,
    j.judged_at AS judgedAt, r.version
  FROM judgements j JOIN people p ON p.id = j.judged_by JOIN releases r ON r.id = j.release_id
  WHERE j.withdrawn_at IS NULL AND`

/** All SQL about dismissed findings. */
export const judgementRepository = preparedOnce((connection: Connection) => {
  const listOfNames = connection.prepare<[string], ActiveJudgement>(
    `${active} j.name IN (SELECT value FROM json_each(?))`,
  )
  const findActive = connection.prepare<[string, string], ActiveJudgement>(
    `${active} j.name = ? AND j.fingerprint = ?`,
  )
  const insert = connection.prepare<[NewJudgement]>(
    `INSERT INTO judgements (name, check_id, fingerprint, reason, release_id, judged_by, judged_at)
     VALUES (@name, @check, @fingerprint, @reason, @releaseId, @judgedBy, @judgedAt)`,
  )
  const withdraw = connection
    .prepare<[number, string, number], string>(
      `UPDATE judgements SET withdrawn_by = ?, withdrawn_at = ? WHERE id = ? AND withdrawn_at IS NULL
       RETURNING name`,
    )
    .pluck()

  return {
    /** The active dismissals for releases of these names. */
    listActive: (names: readonly string[]) => listOfNames.all(JSON.stringify(names)),
    findActive: (name: string, fingerprint: string) => findActive.get(name, fingerprint) ?? null,
    insert: (judgement: NewJudgement) => insert.run(judgement),
    /** Returns the skill name of the dismissal; null if there is no active one with this id. */
    withdraw: (id: number, by: number, at: string) => withdraw.get(by, at, id) ?? null,
  }
})
