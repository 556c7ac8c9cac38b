import { useQueryClient } from '@tanstack/react-query'
import { byKey } from '../../lib/list/paged-list.ts'
import type { Places } from '../../lib/list/paged-list.ts'
import { useFollow, usePagedList } from '../../lib/list/use-paged-list.ts'
import type { MediaFilter } from './media-filter.ts'
import { imagePageQuery } from './media.api.ts'
import type { ImageListRow } from './media.api.ts'

export interface Images {
  total: number
  /** Total size of all listed images. */
  bytes: number
  rowAt(index: number): ImageListRow | undefined
  find(sha256: string | null): ImageListRow | undefined
  /** Whether a row that is still shown was deleted or belongs to another list now. */
  isRemoved(row: ImageListRow): boolean
  loadVisible(places: Places): void
  /** Images added since the rows were arranged. */
  news: number
  showNews(): void
  /** Rearranges the rows after the next fetch, for a change made on this page. */
  follow(): void
  isPending: boolean
  error: unknown
  refetch(): void
}

/** The images of the library, newest first. Only the pages around the visible ones are fetched. */
export function useImages(use: MediaFilter['use']): Images {
  const client = useQueryClient()
  const list = usePagedList({
    page: (offset) => imagePageQuery(use, offset),
    placement: byKey,
    keyOf: ({ id }) => id,
  })
  const follow = useFollow(list, () => client.invalidateQueries({ queryKey: ['content', 'images'] }))
  const { rows, left } = list.window
  return {
    ...list,
    follow,
    bytes: list.last?.bytes ?? 0,
    find: (sha256) => rows.find((row) => row.sha256 === sha256),
    isRemoved: ({ id }) => left.has(id),
  }
}
