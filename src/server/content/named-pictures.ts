import { imagesInMarkdown } from '../../shared/contracts/content.ts'

/** What there is of the pictures that Markdown names, by their digests: what a thread without the database is given. */
export function namedPictures<Picture>(
  markdown: string,
  find: (sha256: string) => Picture | null,
): Map<string, Picture> {
  const pictures = new Map<string, Picture>()
  for (const sha256 of new Set(imagesInMarkdown(markdown))) {
    const picture = find(sha256)
    if (picture !== null) pictures.set(sha256, picture)
  }
  return pictures
}
