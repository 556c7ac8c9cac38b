import type { ImageRow } from '../../../shared/contracts/desk-images.ts'

/** The desk's path of the post or project that uses an image. */
export function pathOfUse({ kind, id }: ImageRow['usedBy'][number]): string {
  return kind === 'post' ? `/content/blog/${id}` : `/content/showcase/${id}`
}
