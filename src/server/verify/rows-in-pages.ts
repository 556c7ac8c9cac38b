import type { OnProgress } from '../backup/progress.ts'

/** Rows per page. */
const rowsAtOnce = 50

/** Reads a list in pages and reports the progress. */
export function* rowsInPages<Row extends { id: number }>(
  list: (afterId: number, limit: number) => Row[],
  progress?: { what: string; count: number; onProgress: OnProgress },
): Generator<Row, void, undefined> {
  let seen = 0
  for (let page = list(0, rowsAtOnce); page.length > 0; page = list(page.at(-1)?.id ?? 0, rowsAtOnce)) {
    yield* page
    seen += page.length
    progress?.onProgress(`${progress.what} ${seen} of ${progress.count}`)
  }
}
