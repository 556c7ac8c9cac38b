import { queryOptions } from '@tanstack/react-query'
import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import { open } from '../server/client.ts'

export type RenditionStep = 'small' | 'medium' | 'large'

/** Bytes of the desk's own copy of an image, which an `img` element cannot request with the session key. */
export const renditionQuery = (sha256: string, step: RenditionStep) =>
  queryOptions({
    queryKey: ['rendition', sha256, step],
    queryFn: async ({ signal }) =>
      (await open(deskImageRoutes.getRendition, { params: { sha256, step }, signal })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
