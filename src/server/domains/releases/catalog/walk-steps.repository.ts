/** A row read by a step: an id, and 1 if it belongs to the list. */
export interface Candidate {
  id: number
  isFound: number
}

/** `candidates` is the limit with which the rows were read. */
export function toStep(
  rows: readonly Candidate[],
  candidates: number,
): { ids: number[]; next: number | null } {
  return {
    ids: rows.filter(({ isFound }) => isFound === 1).map(({ id }) => id),
    next: rows.length < candidates ? null : (rows.at(-1)?.id ?? null),
  }
}

/** Ids of releases that may match a search, newest first. Parameters: the grams, an exclusive upper id, the limit. */
export const searchCandidates = `SELECT rowid AS id FROM release_grams
  WHERE release_grams MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?`
