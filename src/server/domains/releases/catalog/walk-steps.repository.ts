import type { Statements } from '../../../db/repository.ts'

/** The result of one short query for a part of a list. */
export interface WalkStep {
  /** In the order of the list. */
  ids: number[]
  /** The last id that was read; the next step continues after it. Null at the end of the list. */
  next: number | null
  /** A faster way to read the rest of the list. */
  rest?: ReadStep
}

/** Reads up to `candidates` rows after `after`, which is initially larger than every id. */
export type ReadStep = (after: number, candidates: number) => WalkStep

/** A row read by a step: an id, and 1 if it belongs to the list. */
export interface Candidate {
  id: number
  isFound: number
}

/** `candidates` is the limit with which the rows were read. */
export function toStep(rows: readonly Candidate[], candidates: number): WalkStep {
  return {
    ids: rows.filter(({ isFound }) => isFound === 1).map(({ id }) => id),
    next: rows.length < candidates ? null : (rows.at(-1)?.id ?? null),
  }
}

/** An index is used if it returns at most one of this many releases; otherwise, it is faster to read all texts. */
const minDistance = 8

/** Reading a text directly is several times faster than looking it up in the index. */
const textsPerCandidate = 2

/**
 * The steps of searches. `isFound` is an SQL condition on a text `t`. The index is slow if most releases contain the
 * grams: FTS5 cannot continue at an id without reading everything before it, and each text must be looked up.
 */
export function prepareSearch(sql: Statements, isFound: string) {
  const indexed = sql.list<(string | number)[], Candidate>(`
    SELECT c.id, ${isFound} AS isFound FROM (
      SELECT rowid AS id FROM release_grams WHERE release_grams MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
    ) c CROSS JOIN release_texts t ON t.release_id = c.id ORDER BY c.id DESC`)
  const all = sql.listValues<(string | number)[], number>(`
    SELECT t.release_id FROM release_texts t WHERE ${isFound} AND t.release_id < ? AND t.release_id >= ?
    ORDER BY t.release_id DESC`)

  /** `parameters` are those of `isFound`; every match contains the grams. */
  return (grams: string, parameters: readonly string[]): ReadStep =>
    (before, candidates) => {
      const rows = indexed(...parameters, grams, before, candidates)
      const step = toStep(rows, candidates)
      const distance = (rows[0]?.id ?? 0) - (step.next ?? 0)
      if (distance > rows.length * minDistance) return step
      const rest: ReadStep = (after, count) => {
        const first = after - count * textsPerCandidate
        return { ids: all(...parameters, after, first), next: first > 0 ? first : null }
      }
      return { ...step, rest }
    }
}
