import { imagesInMarkdown } from '../../shared/contracts/content.ts'

/** Maximum number of different images in a text; each needs a database query. */
const maxImages = 500

/** Looks up the images that Markdown refers to, by their digests, for the worker, which has no database. */
export function findReferencedImages<Image>(
  markdown: string,
  find: (sha256: string) => Image | null,
): Map<string, Image> {
  const images = new Map<string, Image>()
  for (const sha256 of [...new Set(imagesInMarkdown(markdown))].slice(0, maxImages)) {
    const image = find(sha256)
    if (image !== null) images.set(sha256, image)
  }
  return images
}
