import { imagesInMarkdown } from '../../shared/contracts/content.ts'

/** Different pictures in one text, more than anybody looks at; each one is asked for in the database. */
const mostPictures = 500

/** What there is of the pictures that Markdown names, by their digests: what a thread without the database is given. */
export function namedPictures<Picture>(
  markdown: string,
  find: (sha256: string) => Picture | null,
): Map<string, Picture> {
  const pictures = new Map<string, Picture>()
  for (const sha256 of [...new Set(imagesInMarkdown(markdown))].slice(0, mostPictures)) {
    const picture = find(sha256)
    if (picture !== null) pictures.set(sha256, picture)
  }
  return pictures
}
