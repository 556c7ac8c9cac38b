import { setImmediate } from 'node:timers/promises'
import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import type { HistoryEntry } from '../../../shared/contracts/desk-history.ts'
import type { Database } from '../../db/database.ts'
import { decisionHistoryRepository, sliceSize, withoutId } from './decision-history.repository.ts'
import type { HistoryFilter } from './decision-history.repository.ts'
import { csvHead, exportName, historySearch, timesOf, toCsv } from './decision-history.rules.ts'
import type { HistoryQuery } from './decision-history.rules.ts'

export interface HistoryPage {
  items: HistoryEntry[]
  total: number
}

export interface HistoryExport {
  /** Safe in a header. */
  fileName: string
  /** Pieces of the file, each made when it is asked for. */
  pieces: AsyncIterable<string>
}

/** What happened to all releases: who, what, when, why. */
export function createDecisionHistory(database: Database, clock = (): Date => new Date()) {
  const repository = decisionHistoryRepository(database.reader)

  const filterOf = (query: HistoryQuery): HistoryFilter => {
    const { kind, person } = query
    return { kind, person, ...timesOf(query) }
  }

  /** Goes from the newest to the oldest, in slices between which everybody else has a turn. What comes meanwhile is newer. */
  async function* walk(query: HistoryQuery): AsyncGenerator<HistoryEntry[]> {
    const filter = filterOf(query)
    const isFound = historySearch(query.q)
    const place = { at: filter.to, id: Number.MAX_SAFE_INTEGER }
    for (;;) {
      database.assertAvailable()
      const slice = repository.listSlice(filter, place)
      const entries = slice.map(withoutId)
      yield isFound === null ? entries : entries.filter(isFound)
      const behind = slice.at(-1)
      if (behind === undefined || slice.length < sliceSize) return
      place.at = behind.at
      place.id = behind.id
      // oxlint-disable-next-line no-await-in-loop
      await setImmediate()
    }
  }

  const search = async (query: HistoryQuery, offset: number): Promise<HistoryPage> => {
    const items: HistoryEntry[] = []
    let total = 0
    for await (const found of walk(query)) {
      const from = Math.max(0, offset - total)
      items.push(...found.slice(from, from + deskPageSize - items.length))
      total += found.length
    }
    return { items, total }
  }

  async function* csv(query: HistoryQuery): AsyncGenerator<string> {
    yield csvHead
    for await (const entries of walk(query)) yield toCsv(entries)
  }

  async function* json(query: HistoryQuery): AsyncGenerator<string> {
    let before = '['
    for await (const entries of walk(query)) {
      if (entries.length === 0) continue
      yield `${before}\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}`
      before = ','
    }
    yield before === '[' ? '[]\n' : '\n]\n'
  }

  return {
    async listHistory({ offset, ...query }: HistoryQuery & { offset: number }): Promise<HistoryPage> {
      database.assertAvailable()
      if (historySearch(query.q) !== null) return search(query, offset)
      const filter = filterOf(query)
      return { items: repository.listPage(filter, offset), total: repository.count(filter) }
    },

    exportHistory(ending: 'csv' | 'json', query: HistoryQuery): HistoryExport {
      database.assertAvailable()
      const pieces = ending === 'csv' ? csv(query) : json(query)
      return { fileName: exportName(query, ending, clock()), pieces }
    },
  }
}

export type DecisionHistory = ReturnType<typeof createDecisionHistory>
