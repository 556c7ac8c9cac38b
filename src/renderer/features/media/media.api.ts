import { queryOptions } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { deskPageSize } from '../../../shared/contracts/desk-common.ts'
import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import type { ImageRow } from '../../../shared/contracts/desk-images.ts'
import { call } from '../../lib/client.ts'
import type { RowsRead } from '../../lib/list-window.ts'
import type { MediaFilter } from './media-filter.ts'

/** A picture in a list, which tells rows apart by numbers. */
export interface PictureRow extends ImageRow {
  id: number
}

export interface PictureRead extends RowsRead<PictureRow> {
  /** All of the pictures that are listed together. */
  bytes: number
}

/** 48 bits of the digest: among as many pictures as a library can have, no two share them by chance. */
const idOf = (sha256: string): number => Number.parseInt(sha256.slice(0, 12), 16)

const picturePageQuery = (use: MediaFilter['use'], offset: number) =>
  queryOptions({
    queryKey: ['content', 'images', 'page', use, offset],
    queryFn: ({ signal }) =>
      call(deskImageRoutes.listImages, { query: { use: use === 'all' ? undefined : use, offset }, signal }),
  })

/** What the library holds from one place to another, all pages of it at once. */
export const pictureRangeQuery = (client: QueryClient, use: MediaFilter['use'], from: number, to: number) =>
  queryOptions({
    queryKey: ['content', 'images', 'range', use, from, to],
    queryFn: async (): Promise<PictureRead> => {
      const count = Math.max(1, Math.ceil((to - from) / deskPageSize))
      const pages = await Promise.all(
        Array.from({ length: count }, (_, index) =>
          client.fetchQuery(picturePageQuery(use, from + index * deskPageSize)),
        ),
      )
      // One that came between two of the reads moves another one from the end of a page to the next.
      const rows = new Map(
        pages.flatMap(({ items }) => items).map((item) => [item.sha256, { ...item, id: idOf(item.sha256) }]),
      )
      const last = pages.at(-1)
      if (last === undefined) throw new Error('no page was read')
      return { from, rows: [...rows.values()], total: last.total, bytes: last.bytes }
    },
  })

/** How many pictures nothing uses, and their size together. No rows have to be sent. */
export const unusedQuery = queryOptions({
  queryKey: ['content', 'images', 'unused'],
  queryFn: async ({ signal }) => {
    const query = { use: 'unused' as const, offset: 9_999_999 }
    const { total, bytes } = await call(deskImageRoutes.listImages, { query, signal })
    return { total, bytes }
  },
})

/** Every picture that nothing uses just now, page by page. */
export async function listAllUnused(found: readonly ImageRow[] = []): Promise<readonly ImageRow[]> {
  const query = { use: 'unused' as const, offset: found.length }
  const { items } = await call(deskImageRoutes.listImages, { query })
  return items.length < deskPageSize ? [...found, ...items] : listAllUnused([...found, ...items])
}

export function deletePicture(sha256: string, signal: AbortSignal) {
  return call(deskImageRoutes.deleteImage, { params: { sha256 }, signal })
}
