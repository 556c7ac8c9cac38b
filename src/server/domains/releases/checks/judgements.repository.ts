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

export interface StandingJudgement extends Judgement {
  name: string
  check: string
  fingerprint: string
}

const standing = `SELECT j.name, j.check_id AS "check", j.fingerprint, j.id, j.reason, coalesce(p.name, p.subject) AS judgedBy,
    j.judged_at AS judgedAt, r.version
  FROM judgements j JOIN people p ON p.id = j.judged_by JOIN releases r ON r.id = j.release_id
  WHERE j.withdrawn_at IS NULL AND`

/** All SQL about findings that were judged harmless. */
export const judgementRepository = preparedOnce((connection: Connection) => {
  const listOfNames = connection.prepare<[string], StandingJudgement>(
    `${standing} j.name IN (SELECT value FROM json_each(?))`,
  )
  const findStanding = connection.prepare<[string, string], StandingJudgement>(
    `${standing} j.name = ? AND j.fingerprint = ?`,
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
    /** Those that stand for releases of these names. */
    listStanding: (names: readonly string[]) => listOfNames.all(JSON.stringify(names)),
    findStanding: (name: string, fingerprint: string) => findStanding.get(name, fingerprint) ?? null,
    insert: (judgement: NewJudgement) => insert.run(judgement),
    /** The name that it was for; null where there is none that stands. */
    withdraw: (id: number, by: number, at: string) => withdraw.get(by, at, id) ?? null,
  }
})
