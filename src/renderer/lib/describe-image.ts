import { imageReferencePrefix } from '../../shared/contracts/content.ts'
import type { Image } from '../../shared/contracts/images.ts'
import { formatSize } from './format.ts'

/** `JPEG` */
export function imageKind({ type }: Pick<Image, 'type'>): string {
  return type === 'image/webp' ? 'WebP' : type.slice('image/'.length).toUpperCase()
}

/** `JPEG, 1440 × 612, 2.1 MB`, with the number of frames if it is animated. */
export function describeImage(image: Image): string {
  const { width, height, frames, size } = image
  return [
    imageKind(image),
    `${width} × ${height}`,
    ...(frames === 1 ? [] : [`${frames} frames`]),
    formatSize(size),
  ].join(', ')
}

/** The Markdown for an image in the media library. */
export function imageMarkdown(sha256: string): string {
  return `![](${imageReferencePrefix}${sha256})`
}
