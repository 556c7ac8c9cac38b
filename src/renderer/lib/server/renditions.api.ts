import { queryOptions } from '@tanstack/react-query'
import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import type { RenditionStep } from '../../../shared/contracts/images.ts'
import { open } from './client.ts'

/** A rendition of an image as a blob, because an `img` element cannot send the session key. */
export const renditionQuery = (sha256: string, step: RenditionStep) =>
  queryOptions({
    queryKey: ['rendition', sha256, step],
    queryFn: async ({ signal }) =>
      (await open(deskImageRoutes.getRendition, { params: { sha256, step }, signal })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
