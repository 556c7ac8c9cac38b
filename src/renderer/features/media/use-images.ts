import { useQueryClient } from '@tanstack/react-query'
import { byKey } from '../../lib/list/paged-list.ts'
import { useFollow, usePagedList } from '../../lib/list/use-paged-list.ts'
import type { ListState, PagedList } from '../../lib/list/use-paged-list.ts'
import type { MediaFilter } from './media-filter.ts'
import { imagePageQuery } from './media.api.ts'
import type { ImageRow } from '../../../shared/contracts/desk-images.ts'

export interface Images extends PagedList<ImageRow>, ListState {
  /** Total size of all listed images. */
  bytes: number
  find(sha256: string | null): ImageRow | undefined
  /** Whether a row that is still shown was deleted or belongs to another list now. */
  isRemoved(row: ImageRow): boolean
  /** Rearranges the rows after the next fetch, for a change made on this page. */
  follow(): void
}

/** The images of the library, newest first. Only the pages around the visible ones are fetched. */
export function useImages(use: MediaFilter['use']): Images {
  const client = useQueryClient()
  const list = usePagedList({
    page: (offset) => imagePageQuery(use, offset),
    placement: byKey,
    keyOf: ({ sha256 }) => sha256,
  })
  const follow = useFollow(list, () => client.invalidateQueries({ queryKey: ['content', 'images'] }))
  const { rows, left } = list.window
  return {
    ...list,
    follow,
    bytes: list.data?.bytes ?? 0,
    find: (sha256) => rows.find((row) => row.sha256 === sha256),
    isRemoved: ({ sha256 }) => left.has(sha256),
  }
}
