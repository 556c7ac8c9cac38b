import { useQueryClient } from '@tanstack/react-query'
import type { Places } from '../../lib/list-window.ts'
import { useFollow, useListWindow } from '../../lib/use-list-window.ts'
import type { MediaFilter } from './media-filter.ts'
import { pictureRangeQuery } from './media.api.ts'
import type { PictureRead, PictureRow } from './media.api.ts'

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
  const list = useListWindow({
    filter: use,
    range: (from, to) => pictureRangeQuery(client, use, from, to),
    count: ({ total }: PictureRead) => total,
  })
  const window = list.current?.window
  const rows = window?.rows ?? []
  return {
    total: window?.total ?? 0,
    bytes: list.current?.read.bytes ?? 0,
    rowAt: (place) => rows[place - (window?.start ?? 0)],
    find: (sha256) => rows.find((row) => row.sha256 === sha256),
    isGone: ({ id }) => window?.left.has(id) === true,
    look: list.look,
    news: list.news,
    showNews: list.showNews,
    follow: useFollow(list, () => client.invalidateQueries({ queryKey: ['content', 'images'] })),
    loading: list.current === null,
    error: list.error,
    retry: list.retry,
  }
}
