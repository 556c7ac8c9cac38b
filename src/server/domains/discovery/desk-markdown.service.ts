import type { HtmlBlock, MarkdownKind } from '../../../shared/contracts/desk-markdown.ts'
import type { Image } from '../../../shared/contracts/images.ts'
import type { MarkdownReader } from '../../content/markdown-reader.ts'
import { namedPictures } from '../../content/named-pictures.ts'
import type { Audience, DeskImage } from '../../content/render-options.ts'

/** Who reads each kind of text in the desk, and whether it can show pictures of the library, as in public. */
const kinds: Record<MarkdownKind, { audience: Audience; showsPictures: boolean }> = {
  readme: { audience: 'reviewer', showsPictures: false },
  description: { audience: 'reviewer', showsPictures: true },
  post: { audience: 'author', showsPictures: true },
}

export interface DeskMarkdownParts {
  images: { findImage(sha256: string): Image | null }
  markdown: Pick<MarkdownReader, 'renderBlocks'>
}

/** Renders texts for the desk, with the desk's own copies of pictures. */
export function createDeskMarkdown({ images, markdown }: DeskMarkdownParts) {
  const deskImage = (sha256: string): DeskImage | null => {
    const image = images.findImage(sha256)
    return image === null ? null : { sha256, width: image.width, height: image.height }
  }
  return {
    /** Throws MARKDOWN_UNAVAILABLE. */
    renderMarkdown(kind: MarkdownKind, text: string): Promise<HtmlBlock[]> {
      const { audience, showsPictures } = kinds[kind]
      return markdown.renderBlocks(text, {
        audience,
        ...(showsPictures ? { pictures: namedPictures(text, deskImage) } : {}),
      })
    },
  }
}
