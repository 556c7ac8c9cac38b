import type { Image } from '../../../shared/contracts/images.ts'
import { imageFileName, largestRendition } from '../../../shared/contracts/images.ts'
import { escapeHtml } from '../../content/escape-html.ts'
import type { MarkdownReader } from '../../content/markdown-reader.ts'
import { findReferencedImages } from '../../content/referenced-images.ts'
import type { ShownImage } from '../../content/render-options.ts'
import type { PublishedPost } from '../blog/published-posts.service.ts'
import type { PublicState } from './public-state.service.ts'

/** Rulings, "Feed". */
const postsInFeed = 50
/** Maximum number of HTML characters; posts beyond it are included with only their summary. */
const maxFeedCharacters = 2_000_000

interface FeedParts {
  state: PublicState
  posts: { listNewest(limit: number): PublishedPost[] }
  images: { findImage(sha256: string): Image | null }
  markdown: Pick<MarkdownReader, 'render'>
  /** The registry's public URL. */
  publicUrl(): string
}

/** The Atom 1.0 feed of published posts, newest first. */
export function createFeed({ state, posts, images, markdown, publicUrl }: FeedParts) {
  const write = async (): Promise<Buffer> => {
    const { Feed } = await import('feed')
    const base = publicUrl()
    const newest = posts.listNewest(postsInFeed)
    const updated = newest.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), '')
    const { hostname } = new URL(base)
    const feed = new Feed({
      id: `tag:${hostname},2026:blog`,
      title: 'Skilldock blog',
      description: 'News from this registry of WASI command modules.',
      link: `${base}/blog`,
      feedLinks: { atom: `${base}/api/blog/feed.xml` },
      generator: 'Skilldock',
      copyright: '',
      // The epoch for an empty feed.
      updated: new Date(updated === '' ? 0 : updated),
    })
    const image = (sha256: string): ShownImage | null => absoluteImage(images.findImage(sha256), base)
    let written = 0
    const render = async (post: PublishedPost): Promise<string | null> => {
      if (written > maxFeedCharacters) return null
      const referenced = findReferencedImages(post.markdown, image)
      const text = await markdown.render(post.markdown, { images: referenced })
      written += text.length
      return text
    }
    for (const post of newest) {
      const body = await render(post)
      const cover = post.cover === null ? null : image(post.cover.sha256)
      const coverHtml =
        cover === null
          ? ''
          : `<p><img src="${cover.src}" alt="${escapeHtml(post.cover?.alt ?? '')}" width="${cover.width}" height="${cover.height}"></p>\n`
      feed.addItem({
        id: `tag:${hostname},2026:post-${post.id}`,
        // The feed library treats titles and summaries as HTML.
        title: escapeHtml(post.title),
        link: `${base}/blog/${post.slug}`,
        date: new Date(post.updatedAt),
        published: new Date(post.publishedAt),
        author: [{ name: post.author.replaceAll('&', '&amp;') }],
        category: post.tags.map((term) => ({ term })),
        ...(body === null ? {} : { content: coverHtml + body }),
        ...(post.summary === '' ? {} : { description: escapeHtml(post.summary) }),
      })
    }
    return Buffer.from(withoutForbidden(feed.atom1()))
  }

  return { getFeed: state.cached(write) }
}

export type Feed = ReturnType<typeof createFeed>

/** XML 1.0 can't represent these characters; a single one would make the whole feed invalid. */
function withoutForbidden(xml: string): string {
  return xml.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
}

/** The largest rendition with an absolute URL, because feed readers are on other sites. */
function absoluteImage(image: Image | null, base: string): ShownImage | null {
  const rendition = largestRendition(image)
  if (rendition === undefined) return null
  const { sha256, type, width, height } = rendition
  return { src: `${base}/media/${imageFileName(sha256, type)}`, width, height }
}
