import { useQueryClient } from '@tanstack/react-query'
import { byId } from '../../lib/list/paged-list.ts'
import type { Places } from '../../lib/list/paged-list.ts'
import { useFollow, usePagedList } from '../../lib/list/use-paged-list.ts'
import type { MediaFilter } from './media-filter.ts'
import { picturePageQuery } from './media.api.ts'
import type { PictureRow } from './media.api.ts'

export interface Pictures {
  total: number
  /** Of all that are listed. */
  bytes: number
  rowAt(place: number): PictureRow | undefined
  find(sha256: string | null): PictureRow | undefined
  /** Whether one that still stands in its place is in the library no more, or in another list. */
  isGone(row: PictureRow): boolean
  look(places: Places): void
  /** How many came since the rows were put in place. */
  news: number
  showNews(): void
  /** Puts the rows in place anew as soon as they have been read again: for what was changed from here. */
  follow(): void
  loading: boolean
  error: unknown
  retry(): void
}

/** The pictures of the library, newest first, of which those in sight are read. */
export function usePictures(use: MediaFilter['use']): Pictures {
  const client = useQueryClient()
  const list = usePagedList({ page: (offset) => picturePageQuery(use, offset), placement: byId })
  const follow = useFollow(list, () => client.invalidateQueries({ queryKey: ['content', 'images'] }))
  const { rows, left } = list.window
  return {
    ...list,
    follow,
    bytes: list.last?.bytes ?? 0,
    find: (sha256) => rows.find((row) => row.sha256 === sha256),
    isGone: ({ id }) => left.has(id),
  }
}
