import { useQueryClient } from '@tanstack/react-query'
import type { DeskProject, ProjectRow, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import type { PagedRowList } from '../../components/list/paged-rows.tsx'
import { asApiError } from '../../lib/server/api-error.ts'
import { useUnlistedRows, walkRows } from '../../lib/list/decided-rows.ts'
import type { RowWalk } from '../../lib/list/decided-rows.ts'
import { byKey, idOf, joined } from '../../lib/list/paged-list.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { useFollow, usePagedList } from '../../lib/list/use-paged-list.ts'
import type { ListState } from '../../lib/list/use-paged-list.ts'
import { hasOtherOrder } from './project-order.ts'
import type { NewOrder } from './project-order.ts'
import type { ShowcaseFilter } from './showcase-filter.ts'
import { deskProjectQuery, projectPageQuery, useOrderProjects } from './showcase.api.ts'
import { texts } from './showcase.texts.ts'

export interface Projects extends PagedRowList<ProjectRow>, RowWalk<ProjectRow>, ListState {
  rows: readonly ProjectRow[]
  counts: Record<ProjectStatus, number> | undefined
  /** Whether the order has changed since the rows were arranged. */
  hasOtherOrder: boolean
  /** Rearranges the rows after the next fetch, for a change made on this page. */
  follow(): void
  /** Reorders the rows here and on the public page. */
  reorder(order: NewOrder<ProjectRow>): void
  /** Removes the row of a deleted project immediately. */
  remove(id: number): void
}

const none: readonly ProjectRow[] = []

/** The projects of one status, in review order or in public order. */
export function useProjects(filter: ShowcaseFilter): Projects {
  const client = useQueryClient()
  const list = usePagedList({
    page: (offset) => projectPageQuery(filter, offset),
    placement: byKey,
    keyOf: ({ id }) => id,
    count: (page) => countFor(filter, page),
  })
  const { window, visible } = list
  const rows = useUnlistedRows(list, deskProjectQuery, updateRow)
  const follow = useFollow(list, () => client.invalidateQueries({ queryKey: ['content', 'projects'] }))
  const order = useOrderProjects((error) => {
    follow()
    showToast({ kind: 'error', text: texts.page.orderFailed(asApiError(error).message) })
  })
  const settled = !list.isFetching && !order.isPending
  const moved = filter.view === 'approved' && settled && hasOtherOrder(rows, joined(list.reads, idOf).rows)

  return {
    ...list,
    ...walkRows({ rows, start: window.start, total: window.total, visible, recent: none, isWaiting }),
    recent: none,
    rows,
    counts: list.data?.counts,
    hasOtherOrder: moved,
    follow,
    reorder(target) {
      list.arrange(target.rows)
      order.mutate({ id: target.id, before: target.before })
    },
    remove(id) {
      list.arrange(rows.filter((row) => row.id !== id))
      follow()
    },
  }
}

const isWaiting = ({ status }: ProjectRow): boolean => status === 'pending'

const updateRow = (row: ProjectRow, { status, featured, decidedAt, decidedBy }: DeskProject): ProjectRow => ({
  ...row,
  status,
  featured,
  decidedAt,
  decidedBy,
})

/** For pending projects the count of submissions, since decisions also change the count of pending ones. */
function countFor(
  { view }: ShowcaseFilter,
  { counts, submitted }: { counts: Record<ProjectStatus, number>; submitted: number },
): number {
  return view === 'pending' ? submitted : counts[view]
}
