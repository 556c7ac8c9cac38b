import type { ImageRow } from '../../../shared/contracts/desk-images.ts'

/** Where the desk shows what uses a picture. */
export function placeOfUse({ kind, id }: ImageRow['usedBy'][number]): string {
  return kind === 'post' ? `/content/blog/${id}` : `/content/showcase/${id}`
}
