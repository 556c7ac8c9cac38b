import { useQueryClient } from '@tanstack/react-query'
import type { DeskProject, ProjectRow, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import type { PagedRowList } from '../../components/list/paged-rows.tsx'
import { asApiError } from '../../lib/server/api-error.ts'
import { useLeftRows, walkRows } from '../../lib/list/decided-rows.ts'
import type { RowWalk } from '../../lib/list/decided-rows.ts'
import { byId, joined } from '../../lib/list/paged-list.ts'
import { showToast } from '../../lib/state/toasts.ts'
import { useFollow, usePagedList } from '../../lib/list/use-paged-list.ts'
import { isOtherOrder } from './project-order.ts'
import type { NewOrder } from './project-order.ts'
import type { ShowcaseFilter } from './showcase-filter.ts'
import { deskProjectQuery, projectPageQuery, useOrderProjects } from './showcase.api.ts'

export interface Projects extends PagedRowList<ProjectRow>, RowWalk<ProjectRow> {
  rows: readonly ProjectRow[]
  counts: Record<ProjectStatus, number> | undefined
  /** What came since the rows were put in place, in numbers and as another order. */
  news: { added: number; isOtherOrder: boolean }
  showNews(): void
  /** Puts the rows in place again as soon as they have been read again: after a change made here. */
  follow(): void
  /** Puts them in another order here and on the public page. */
  reorder(order: NewOrder<ProjectRow>): void
  /** Takes a row out at once that is deleted. */
  remove(id: number): void
  loading: boolean
  error: unknown
  retry(): void
}

const none: readonly ProjectRow[] = []

/** The projects of one status, in the order in which they wait or are shown. */
export function useProjects(filter: ShowcaseFilter): Projects {
  const client = useQueryClient()
  const list = usePagedList({
    page: (offset) => projectPageQuery(filter, offset),
    placement: byId,
    count: (page) => countFor(filter, page),
  })
  const order = useOrderProjects()
  const { window, inSight } = list
  const rows = useLeftRows(list, deskProjectQuery, updateRow)
  const settled = !list.isFetching && !order.isPending
  const moved = filter.view === 'approved' && settled && isOtherOrder(rows, joined(list.reads).rows)
  const follow = useFollow(list, () => client.invalidateQueries({ queryKey: ['content', 'projects'] }))

  return {
    ...walkRows({ rows, start: window.start, total: window.total, inSight, recent: none, isWaiting }),
    total: window.total,
    recent: none,
    origin: window.origin,
    look: list.look,
    rows,
    counts: list.last?.counts,
    news: { added: list.news, isOtherOrder: moved },
    showNews: list.showNews,
    follow,
    reorder(wanted) {
      list.arrange(wanted.rows)
      order.mutate(
        { id: wanted.id, before: wanted.before },
        {
          onError(error) {
            follow()
            showToast({ kind: 'error', text: `The order was not changed. ${asApiError(error).message}` })
          },
        },
      )
    },
    remove(id) {
      list.arrange(rows.filter((row) => row.id !== id))
      follow()
    },
    loading: list.loading,
    error: list.error,
    retry: list.retry,
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

/** Whatever is decided, what is new among the pending ones is exactly what was submitted. */
function countFor(
  { view }: ShowcaseFilter,
  { counts, submitted }: { counts: Record<ProjectStatus, number>; submitted: number },
): number {
  return view === 'pending' ? submitted : counts[view]
}
