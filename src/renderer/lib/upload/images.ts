import { imageReferencePrefix } from '../../../shared/contracts/content.ts'
import type { Image } from '../../../shared/contracts/images.ts'
import { formatSize } from '../format.ts'

/** `JPEG` */
export function imageKind({ type }: Pick<Image, 'type'>): string {
  return type === 'image/webp' ? 'WebP' : type.slice('image/'.length).toUpperCase()
}

/** `JPEG, 1440 × 612, 2.1 MB`, with the frames where it moves. */
export function describeImage(image: Image): string {
  const { width, height, frames, size } = image
  return [
    imageKind(image),
    `${width} × ${height}`,
    ...(frames === 1 ? [] : [`${frames} frames`]),
    formatSize(size),
  ].join(', ')
}

/** How Markdown names a picture of the library. */
export function imageMarkdown(sha256: string): string {
  return `![](${imageReferencePrefix}${sha256})`
}
