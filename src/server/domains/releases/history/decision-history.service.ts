import { setImmediate } from 'node:timers/promises'
import { deskPageSize } from '../../../../shared/contracts/desk-common.ts'
import type { HistoryEntry } from '../../../../shared/contracts/desk-history.ts'
import type { Database } from '../../../db/database.ts'
import type { WalkedList } from '../catalog/list-walks.service.ts'
import { decisionHistoryRepository, withoutId } from './decision-history.repository.ts'
import type { HistoryFilter } from './decision-history.repository.ts'
import { csvHead, exportName, historySearch, timesOf, toCsv } from './decision-history.rules.ts'
import type { HistoryQuery } from './decision-history.rules.ts'
import { createReviewWalks, toStep } from '../queue/review-walks.service.ts'

/** Entries per query, which then takes a few milliseconds. */
const sliceSize = 500

export interface HistoryPage {
  items: HistoryEntry[]
  total: number
}

export interface HistoryExport {
  /** Safe in a header. */
  fileName: string
  /** The content of the file, generated on demand. */
  pieces: AsyncIterable<string>
}

/** The events of all releases. */
export function createDecisionHistory(database: Database, clock = (): Date => new Date()) {
  const repository = decisionHistoryRepository(database.reader)
  const walks = createReviewWalks(database)

  const filterOf = (query: HistoryQuery): HistoryFilter => {
    const { kind, person } = query
    return { kind, person, ...timesOf(query) }
  }

  /**
   * Yields batches from newest to oldest and lets other work run in between. Events added in the meantime are not
   * included.
   */
  async function* walk(query: HistoryQuery): AsyncGenerator<HistoryEntry[]> {
    const filter = filterOf(query)
    const isFound = historySearch(query.q)
    let after = Number.MAX_SAFE_INTEGER
    for (;;) {
      database.assertAvailable()
      const slice = repository.listAfter(filter, after, sliceSize)
      const entries = slice.map(withoutId)
      yield isFound === null ? entries : entries.filter(isFound)
      const last = slice.at(-1)
      if (last === undefined || slice.length < sliceSize) return
      after = last.id
      // oxlint-disable-next-line no-await-in-loop
      await setImmediate()
    }
  }

  const listOf = (query: HistoryQuery): WalkedList => {
    const filter = filterOf(query)
    const isFound = historySearch(query.q)
    return {
      key: JSON.stringify([filter, query.q]),
      step: (after, candidates) =>
        isFound === null
          ? toStep(repository.listIds(filter, after, candidates), candidates, null)
          : toStep(repository.listAfter(filter, after, sliceSize), sliceSize, isFound),
    }
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
      const ids = await walks.find(listOf(query))
      return { items: repository.listByIds(ids.slice(offset, offset + deskPageSize)), total: ids.length }
    },

    exportHistory(ending: 'csv' | 'json', query: HistoryQuery): HistoryExport {
      database.assertAvailable()
      const pieces = ending === 'csv' ? csv(query) : json(query)
      return { fileName: exportName(query, ending, clock()), pieces }
    },
  }
}

export type DecisionHistory = ReturnType<typeof createDecisionHistory>
