import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { agentPageSize } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import type { JsonRoute } from '../../../../shared/route-call.ts'
import { useStore } from '../../../lib/state/store.ts'
import { pausedSince, whileFollowed } from '../agent-live.ts'
import { agentProjectQuery, agentRead } from '../agents.api.ts'
import { useTablePlace } from '../../../lib/app/address.ts'
import { pagesAround } from '../../../lib/list/still-list.ts'
import type { ListPage } from '../../../lib/list/still-list.ts'
import { useStillList } from '../../../lib/list/use-still-list.ts'

/** A page of a list as the server gives it. */
export interface TableAnswer extends ListPage<unknown> {
  stamp: AgentStamp
}
export type RowOf<Answer extends TableAnswer> = Answer['items'][number]

export type TableRoute<Answer> = JsonRoute<undefined, z.ZodObject, undefined, z.ZodType<Answer>>

interface Options<Answer extends TableAnswer> {
  route: TableRoute<Answer>
  /** Another query has other rows. */
  query: Record<string, string>
  /** What tells a row from all others. */
  keyOf: (row: RowOf<Answer>) => string
  /** Whether the address has the place of the first row in sight: of several lists on a page only one can. */
  inAddress?: boolean
  /** Whether rows are only added before the first one, as to a log that shows its newest ones first. */
  newestFirst?: boolean
}

/** Rows of any number, of which those in sight are read. They follow the database, and none moves unasked. */
export function useTableRows<Answer extends TableAnswer>({
  route,
  query,
  keyOf,
  inAddress = true,
  newestFirst = false,
}: Options<Answer>) {
  const folder = useQuery(agentProjectQuery).data?.folder ?? null
  // What is in sight stays in sight when it becomes known, or changes, of which project the rows are.
  const view = JSON.stringify([route.path, query])
  const paused = useStore(pausedSince) !== null
  const { start, look } = useTablePlace(view, inAddress)
  const [sight, setSight] = useState({ view, first: start, last: start })
  const { first, last } = sight.view === view ? sight : { first: start, last: start }
  const still = useStillList<RowOf<Answer>>({
    identity: JSON.stringify([folder, view]),
    keyOf,
    pageSize: agentPageSize,
    newestFirst,
  })
  // The first page counts.
  const offsets = [...new Set([0, ...pagesAround(first, last, agentPageSize)])]
  const pages = useQueries({
    queries: offsets.map((offset) =>
      whileFollowed(agentRead(route, { ...query, offset: offset === 0 ? 0 : offset + still.drift }), paused),
    ),
  })
  const failed = pages.find(({ error }) => error !== null)
  return {
    ...still.take(
      pages.flatMap(({ data, dataUpdatedAt, isFetching }, index) =>
        data === undefined
          ? []
          : [{ offset: offsets[index] ?? 0, page: data, source: data, isFetching, readAt: dataUpdatedAt }],
      ),
    ),
    /** The newest answer, for what it says beside the rows. */
    answer: pages[0]?.data,
    view,
    start,
    /** Tells which places are in sight, so that their rows are read. */
    look(from: number, to: number): void {
      look(from)
      setSight({ view, first: from, last: to })
    },
    error: failed?.error ?? null,
    refetch: (): void => void (failed ?? pages[0])?.refetch(),
  }
}
