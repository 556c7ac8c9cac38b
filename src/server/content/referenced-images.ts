import { imagesInMarkdown } from '../../shared/contracts/content.ts'

/** Maximum number of different images in a text; each needs a database query. */
const maxImages = 500

/** Looks up the images that Markdown refers to, by their digests, for the worker, which has no database. */
export function findReferencedImages<Picture>(
  markdown: string,
  find: (sha256: string) => Picture | null,
): Map<string, Picture> {
  const pictures = new Map<string, Picture>()
  for (const sha256 of [...new Set(imagesInMarkdown(markdown))].slice(0, maxImages)) {
    const picture = find(sha256)
    if (picture !== null) pictures.set(sha256, picture)
  }
  return pictures
}
