import type { PlacedImage } from '../../shared/contracts/content.ts'
import type { Image, Rendition, RenditionStep } from '../../shared/contracts/images.ts'
import { findReferencedImages } from '../content/referenced-images.ts'
import type { ShownImage } from '../content/render-options.ts'
import type { Html } from './html.ts'
import { html } from './html.ts'
import type { PageHead } from './layout.ts'
import { mediaPath } from './site.ts'
import type { Site } from './site.ts'

/** Null if the image or all of its renditions are missing. */
export type FindImage = (sha256: string) => Image | null

/** Width of an image in running text. */
const textSizes = '(max-width: 752px) calc(100vw - 32px), 720px'

const renditionOf = (image: Image, step: RenditionStep): Rendition | undefined =>
  image.renditions.find((rendition) => rendition.step === step) ?? image.renditions.at(-1)

/** An image's renditions; a small image has the same rendition for several steps. */
function shownImage(site: Site, image: Image, sizes: string): ShownImage | null {
  const source = renditionOf(image, 'medium')
  if (source === undefined) return null
  const copies = [...new Map(image.renditions.map((rendition) => [rendition.width, rendition])).values()]
  const srcset = copies
    .map((rendition) => `${site.base}${mediaPath(rendition)} ${rendition.width}w`)
    .join(', ')
  return {
    src: `${site.base}${mediaPath(source)}`,
    width: source.width,
    height: source.height,
    ...(copies.length > 1 ? { srcset, sizes } : {}),
  }
}

/** The images in a Markdown text. */
export function imagesInText(site: Site, find: FindImage, markdown: string): Map<string, ShownImage> {
  return findReferencedImages(markdown, (sha256) => {
    const image = find(sha256)
    return image === null ? null : shownImage(site, image, textSizes)
  })
}

interface ImageUse {
  /** Value of the `sizes` attribute (default: that of running text). */
  sizes?: string
  /** Visible without scrolling. */
  isFirst?: boolean
}

/** A placed image; null if it no longer exists. */
export function imageElement(
  site: Site,
  find: FindImage,
  placed: PlacedImage | null,
  use: ImageUse = {},
): Html | null {
  const image = placed === null ? null : find(placed.sha256)
  const shown = image === null ? null : shownImage(site, image, use.sizes ?? textSizes)
  if (placed === null || shown === null) return null
  const { src, width, height, srcset, sizes } = shown
  return html`<img
    src="${src}"
    ${srcset !== undefined && html` srcset="${srcset}" sizes="${sizes}"`}
    alt="${placed.alt}"
    width="${width}"
    height="${height}"
    ${use.isFirst === true ? html` fetchpriority="high"` : html` loading="lazy"`}
    decoding="async"
  />`
}

/** The largest rendition, for link previews. */
export function previewOf(
  site: Site,
  find: FindImage,
  placed: PlacedImage | null,
): NonNullable<PageHead['image']> | null {
  const image = placed === null ? null : find(placed.sha256)
  const largest = image === null ? undefined : renditionOf(image, 'large')
  if (placed === null || largest === undefined) return null
  const { width, height } = largest
  return { url: `${site.url}${mediaPath(largest)}`, alt: placed.alt, width, height }
}
