import type { OnProgress } from '../backup/progress.ts'

/** Rows of a page. */
const rowsAtOnce = 50

/** Rows of a list that is read in pages, with progress. */
export function* rowsInPages<Row extends { id: number }>(
  list: (afterId: number, limit: number) => Row[],
  say?: { what: string; count: number; onProgress: OnProgress },
): Generator<Row, void, undefined> {
  let seen = 0
  for (let page = list(0, rowsAtOnce); page.length > 0; page = list(page.at(-1)?.id ?? 0, rowsAtOnce)) {
    yield* page
    seen += page.length
    say?.onProgress(`${say.what} ${seen} of ${say.count}`)
  }
}
