import { verifyReleasesRepository } from '../domains/releases/history/verify-releases.repository.ts'
import { gramsOf } from '../domains/releases/releases.rules.ts'
import type { Check, CheckContext } from './run-checks.ts'
import { rowsInPages } from './rows-in-pages.ts'
import { searchIndexRepository } from './search-index.repository.ts'

/** Releases per pass over the index, at 16 bytes of memory each. */
const releasesAtOnce = 500_000

/**
 * Checks the search index against its texts. The index is ordered by term, not by release, so each release's entries
 * are counted and their hashes summed up, regardless of their order.
 */
export const searchIndexCheck: Check = {
  name: 'search index',
  *find(context) {
    const wrong = countWrong(context)
    if (wrong === 0) return
    yield {
      problem: `search index: ${wrong} ${wrong === 1 ? 'release is' : 'releases are'} indexed with the wrong text`,
      repair: () => rebuild(context),
    }
  },
}

function countWrong({ connection, onProgress }: CheckContext): number {
  const index = searchIndexRepository(connection)
  const last = index.lastId()
  let wrong = 0
  for (let first = 0; first <= last; first += releasesAtOnce) {
    const size = Math.min(releasesAtOnce, last - first + 1)
    const counts = new Int32Array(size)
    const sums = new Uint32Array(size)
    const add = (id: number, term: string, step: 1 | -1): void => {
      counts[id - first] = (counts[id - first] ?? 0) + step
      sums[id - first] = (sums[id - first] ?? 0) + step * hash(term)
    }
    let seen = 0
    for (const { id, term } of index.readEntries(first, first + size - 1)) {
      add(id, term, 1)
      seen += 1
      if (seen % 100_000 === 0) onProgress(`search index ${seen} entries`)
    }
    const rows = verifyReleasesRepository(connection)
    const inRange = (after: number, limit: number) =>
      rows.listTexts(Math.max(after, first - 1), limit).filter(({ id }) => id < first + size)
    for (const { id, text } of rowsInPages(inRange)) {
      for (const term of gramsOf(text).split(' ')) if (term !== '') add(id, term, -1)
    }
    for (let at = 0; at < size; at += 1) if (counts[at] !== 0 || sums[at] !== 0) wrong += 1
  }
  return wrong
}

function rebuild({ connection }: CheckContext): void {
  const index = searchIndexRepository(connection)
  const rows = verifyReleasesRepository(connection)
  index.clear()
  for (const { id, text } of rowsInPages(rows.listTexts)) index.insert(id, gramsOf(text))
}

/** FNV-1a, 32 bits. */
function hash(term: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < term.length; at += 1) {
    value = Math.imul(value ^ term.charCodeAt(at), 0x01000193)
  }
  return value >>> 0
}
