import { queryOptions } from '@tanstack/react-query'
import { deskPageSize } from '../../../shared/list-page.ts'
import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import type { ImageRow } from '../../../shared/contracts/desk-images.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery } from '../../lib/server/route-query.ts'
import type { MediaFilter } from './media-filter.ts'

export const imagePageQuery = (use: MediaFilter['use'], offset: number) =>
  routeQuery(['content', 'images', 'page', use, offset], deskImageRoutes.listImages, {
    query: { use: use === 'all' ? undefined : use, offset },
  })

/** The number of unused images and their total size. The offset is past the last row, so that no rows are sent. */
export const unusedQuery = queryOptions({
  queryKey: ['content', 'images', 'unused'],
  queryFn: async ({ signal }) => {
    const query = { use: 'unused' as const, offset: 9_999_999 }
    const { total, bytes } = await call(deskImageRoutes.listImages, { query, signal })
    return { total, bytes }
  },
})

/** All images that are not in use, fetched page by page. */
export async function listAllUnused(found: readonly ImageRow[] = []): Promise<readonly ImageRow[]> {
  const query = { use: 'unused' as const, offset: found.length }
  const { items } = await call(deskImageRoutes.listImages, { query })
  return items.length < deskPageSize ? [...found, ...items] : listAllUnused([...found, ...items])
}

export function deleteImage(sha256: string, signal: AbortSignal) {
  return call(deskImageRoutes.deleteImage, { params: { sha256 }, signal })
}
