/** A row of a step: an id, and 1 where it belongs to the list. */
export interface Candidate {
  id: number
  isFound: number
}

/** `candidates`: how many rows there were at most. */
export function toStep(
  rows: readonly Candidate[],
  candidates: number,
): { ids: number[]; next: number | null } {
  return {
    ids: rows.filter(({ isFound }) => isFound === 1).map(({ id }) => id),
    next: rows.length < candidates ? null : (rows.at(-1)?.id ?? null),
  }
}

/** The ids of releases whose text may hold what is searched, before an id; newest first. Parameters: the grams, the id, how many. */
export const searchCandidates = `SELECT rowid AS id FROM release_grams
  WHERE release_grams MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`
