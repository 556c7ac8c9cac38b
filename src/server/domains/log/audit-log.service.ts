import { setImmediate } from 'node:timers/promises'
import { deskPageSize } from '../../../shared/list-page.ts'
import type { AuditEntry, AuditQuery } from '../../../shared/contracts/desk-audit-log.ts'
import type { ExportedFile } from '../../../shared/csv.ts'
import type { Database } from '../../db/database.ts'
import type { WalkedList } from '../releases/catalog/list-walks.service.ts'
import { createReviewWalks, toStep } from '../releases/queue/review-walks.service.ts'
import { auditLogRepository } from './audit-log.repository.ts'
import type { AuditFilter, AuditPlace } from './audit-log.repository.ts'
import { auditSearch, csvHead, exportName, kindsOf, timesOf, toCsv, toNdjson } from './audit-log.rules.ts'

type ReadStep = WalkedList['step']

/** Entries per query, which then takes a few milliseconds. */
const sliceSize = 500

interface AuditPage {
  items: AuditEntry[]
  total: number
}

/** The audit log: every change, who made it, and from where. */
export function createAuditLog(database: Database) {
  const repository = auditLogRepository(database.reader)
  const walks = createReviewWalks(database)

  const filterOf = (query: AuditQuery): AuditFilter => {
    const { kind, person, about } = query
    return { kinds: kind === undefined ? undefined : kindsOf(kind), person, about, ...timesOf(query) }
  }
  const startOf = ({ to }: AuditFilter): AuditPlace => ({ at: to, id: Number.MAX_SAFE_INTEGER })

  /**
   * Yields batches from newest to oldest and lets other work run in between. Events added in the meantime are not
   * included.
   */
  async function* walk(query: AuditQuery): AsyncGenerator<AuditEntry[]> {
    const filter = filterOf(query)
    const isFound = auditSearch(query.q)
    let after = startOf(filter)
    for (;;) {
      database.assertAvailable()
      const slice = repository.listAfter(filter, after, sliceSize)
      yield isFound === null ? slice : slice.filter(isFound)
      const last = slice.at(-1)
      if (last === undefined || slice.length < sliceSize) return
      after = last
      await setImmediate()
    }
  }

  const listOf = (query: AuditQuery): WalkedList => {
    const filter = filterOf(query)
    const isFound = auditSearch(query.q)
    const toNext = <Row extends AuditPlace>(
      rows: readonly Row[],
      limit: number,
      isListed: ((row: Row) => boolean) | null,
    ): ReturnType<ReadStep> => {
      const last = rows.at(-1)
      const step = toStep(rows, limit, isListed)
      return last === undefined ? step : { ...step, rest: stepAfter(last) }
    }
    const stepAfter =
      (after: AuditPlace): ReadStep =>
      (_id, candidates) =>
        isFound === null
          ? toNext(repository.listIds(filter, after, candidates), candidates, null)
          : toNext(repository.listAfter(filter, after, sliceSize), sliceSize, isFound)
    return { key: JSON.stringify([filter, query.q]), step: stepAfter(startOf(filter)) }
  }

  async function* write(
    query: AuditQuery,
    head: string,
    toText: (entries: AuditEntry[]) => string,
  ): AsyncGenerator<string> {
    if (head !== '') yield head
    for await (const entries of walk(query)) {
      // The first piece must not be empty.
      if (entries.length > 0) yield toText(entries)
    }
  }

  return {
    async listAuditLog({ offset, ...query }: AuditQuery & { offset: number }): Promise<AuditPage> {
      database.assertAvailable()
      const ids = await walks.find(listOf(query))
      return { items: repository.listByIds(ids.slice(offset, offset + deskPageSize)), total: ids.length }
    },

    exportAuditLog(ending: 'csv' | 'ndjson', query: AuditQuery): ExportedFile {
      database.assertAvailable()
      const chunks = ending === 'csv' ? write(query, csvHead, toCsv) : write(query, '', toNdjson)
      return { fileName: exportName(query, ending, new Date()), chunks }
    },
  }
}

export type AuditLog = ReturnType<typeof createAuditLog>
