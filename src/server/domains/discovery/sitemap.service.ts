import { DomainError } from '../../../shared/errors.ts'
import { createGiveWay } from '../../operations/give-way.ts'
import type { PublicPage } from './public-pages.service.ts'
import type { PublicState } from './public-state.service.ts'
import { texts } from './discovery.texts.ts'

interface SitemapParts {
  state: PublicState
  listPublicPages(): Promise<PublicPage[]>
  /** The registry's public URL. */
  publicUrl(): string
  /** Maximum URLs per file, for tests. */
  partSize?: number
}

/** What sitemaps.org allows in one file (rulings, "Sitemap"). */
const urlsPerFile = 50_000
/** URLs to write before other work may run; a few milliseconds. */
const batchSize = 500

/** The sitemap of all public HTML pages that return 200 (rulings, "Sitemap"). */
export function createSitemap(parts: SitemapParts) {
  const { state, publicUrl } = parts
  const partSize = parts.partSize ?? urlsPerFile

  /** The sitemap, or its index followed by the parts. */
  const write = async (): Promise<Buffer[]> => {
    const { SitemapIndexStream, SitemapStream } = await import('sitemap')
    const base = publicUrl()
    const pages = await parts.listPublicPages()
    const files: Buffer[] = []
    for (let start = 0; start === 0 || start < pages.length; start += partSize) {
      const urls = pages.slice(start, start + partSize).map(({ path, lastmod }) => ({
        url: base + path,
        ...(lastmod === undefined ? {} : { lastmod }),
      }))
      // One after the other, so that other requests are not delayed.
      files.push(await collect(new SitemapStream(plainSitemap), urls))
    }
    if (files.length === 1) return files
    const index = files.map((_, number) => ({ url: `${base}/api/sitemap/${number + 1}.xml` }))
    return [await collect(new SitemapIndexStream(), index), ...files]
  }

  const files = state.cached(write)

  return {
    /** Includes the path of the public URL, which the registry may have behind a proxy. */
    getPath: (): string => new URL(`${publicUrl()}/api/sitemap.xml`).pathname,

    async getSitemap(): Promise<Buffer> {
      const [first] = await files()
      if (first === undefined) throw new Error('A sitemap has at least one file')
      return first
    },

    /** Throws NOT_FOUND if there is no such part, or if the sitemap is not split into parts. */
    async getSitemapPart(part: string): Promise<Buffer> {
      const found = /^[1-9]\d{0,5}$/.test(part) ? (await files())[Number(part)] : undefined
      if (found === undefined) {
        throw new DomainError('NOT_FOUND', texts.noSitemapPart)
      }
      return found
    },
  }
}

export type Sitemap = ReturnType<typeof createSitemap>

/** Without the namespaces for news, images and videos, which are not used. */
const plainSitemap = { xmlns: { news: false, xhtml: false, image: false, video: false } }

interface Sink<T> extends NodeJS.ReadableStream {
  write(item: T): boolean
  end(): unknown
}

async function collect<T>(stream: Sink<T>, items: readonly T[]): Promise<Buffer> {
  const chunks: Buffer[] = []
  const giveWay = createGiveWay()
  const done = new Promise<void>((resolve, reject) => {
    stream.on('data', (chunk: Buffer | string) => chunks.push(Buffer.from(chunk)))
    stream.on('end', resolve)
    stream.on('error', reject)
  })
  for (const [index, item] of items.entries()) {
    stream.write(item)
    if (index % batchSize === batchSize - 1) await giveWay()
  }
  stream.end()
  await done
  return Buffer.concat(chunks)
}
