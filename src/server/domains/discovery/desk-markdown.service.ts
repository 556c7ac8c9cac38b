import type { HtmlBlock, MarkdownKind } from '../../../shared/contracts/desk-markdown.ts'
import type { Image } from '../../../shared/contracts/images.ts'
import type { MarkdownReader } from '../../content/markdown-reader.ts'
import { findReferencedImages } from '../../content/referenced-images.ts'
import type { Audience, DeskImage } from '../../content/render-options.ts'

/** The audience of each kind of text in the desk, and whether it can show media library images. */
const kinds: Record<MarkdownKind, { audience: Audience; showsImages: boolean }> = {
  readme: { audience: 'reviewer', showsImages: false },
  description: { audience: 'reviewer', showsImages: true },
  post: { audience: 'author', showsImages: true },
}

interface DeskMarkdownParts {
  images: { findImage(sha256: string): Image | null }
  markdown: Pick<MarkdownReader, 'renderBlocks'>
}

/** Renders Markdown for the desk, with the desk's URLs for images. */
export function createDeskMarkdown({ images, markdown }: DeskMarkdownParts) {
  const deskImage = (sha256: string): DeskImage | null => {
    const image = images.findImage(sha256)
    return image === null ? null : { sha256, width: image.width, height: image.height }
  }
  return {
    /** Throws MARKDOWN_UNAVAILABLE. */
    renderMarkdown(kind: MarkdownKind, text: string): Promise<HtmlBlock[]> {
      const { audience, showsImages } = kinds[kind]
      return markdown.renderBlocks(text, {
        audience,
        ...(showsImages ? { images: findReferencedImages(text, deskImage) } : {}),
      })
    },
  }
}
