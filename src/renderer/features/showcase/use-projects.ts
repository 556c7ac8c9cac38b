import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { ProjectRow, ProjectStatus } from '../../../shared/contracts/desk-projects.ts'
import type { PagedRowList } from '../../components/list/paged-rows.tsx'
import { asApiError } from '../../lib/api-error.ts'
import { byId, joined } from '../../lib/paged-list.ts'
import type { ListWindow } from '../../lib/paged-list.ts'
import { showToast } from '../../lib/toasts.ts'
import { useFollow, usePagedList } from '../../lib/use-paged-list.ts'
import { isOtherOrder } from './project-order.ts'
import type { NewOrder } from './project-order.ts'
import type { ShowcaseFilter } from './showcase-filter.ts'
import { deskProjectQuery, projectPageQuery, useOrderProjects } from './showcase.api.ts'

export interface Projects extends PagedRowList<ProjectRow> {
  rows: readonly ProjectRow[]
  counts: Record<ProjectStatus, number> | undefined
  /** What came since the rows were put in place, in numbers and as another order. */
  news: { added: number; isOtherOrder: boolean }
  showNews(): void
  /** Puts the rows in place anew as soon as they have been read again: for what was changed from here. */
  follow(): void
  /** Puts them in another order here and on the public page. */
  reorder(order: NewOrder<ProjectRow>): void
  /** Takes a row out at once that is deleted. */
  remove(id: number): void
  loading: boolean
  error: unknown
  retry(): void
  neighbour(id: number | null, step: 1 | -1): number | undefined
  /** The pending one after this one, else the one before it. */
  nextPending(id: number | null): number | undefined
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
  const { start } = window
  const rows = useLeftRows(window)
  const rowAt = (place: number): ProjectRow | undefined => rows[place - start]
  const placeOf = (id: number | null): number | null => {
    const index = rows.findIndex((row) => row.id === id)
    return index === -1 ? null : start + index
  }
  const settled = !list.isFetching && !order.isPending
  const moved = filter.view === 'approved' && settled && isOtherOrder(rows, joined(list.reads).rows)
  const follow = useFollow(list, () => client.invalidateQueries({ queryKey: ['content', 'projects'] }))

  return {
    total: window.total,
    rowAt,
    placeOf,
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
    neighbour(id, step) {
      const place = placeOf(id)
      return (place === null ? (rowAt(inSight.first) ?? rows[0]) : rowAt(place + step))?.id
    },
    nextPending(id) {
      const index = rows.findIndex((row) => row.id === id)
      const waits = (row: ProjectRow): boolean => row.status === 'pending' && row.id !== id
      return (rows.slice(index + 1).find(waits) ?? rows.slice(0, Math.max(0, index)).findLast(waits))?.id
    },
  }
}

/** The rows, those that the server lists no more as the projects themselves say they are now. */
function useLeftRows({ rows, left }: ListWindow<ProjectRow>): readonly ProjectRow[] {
  const gone = rows.filter(({ id }) => left.has(id)).slice(-20)
  const states = useQueries({ queries: gone.map(({ id }) => deskProjectQuery(id)) })
  const found = new Map(states.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data]])))
  return rows.map((row) => {
    const project = left.has(row.id) ? found.get(row.id) : undefined
    if (project === undefined) return row
    const { status, featured, decidedAt, decidedBy } = project
    return { ...row, status, featured, decidedAt, decidedBy }
  })
}

/** Whatever is decided, what is new among the pending ones is exactly what was submitted. */
function countFor(
  { view }: ShowcaseFilter,
  { counts, submitted }: { counts: Record<ProjectStatus, number>; submitted: number },
): number {
  return view === 'pending' ? submitted : counts[view]
}
