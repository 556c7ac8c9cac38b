import { LRUCache } from 'lru-cache'
import type { ListPage } from '../../shared/list-page.ts'

/** The bytes of a page, which may be one of a list. */
export type Stored = Buffer | ListPage<Buffer>

/** Maximum size of the cached pages, in bytes. */
const defaultMaxBytes = 16 * 1024 * 1024

/**
 * Caches pages until `validFor` changes. It contains the public URL and, if a page depends on them, the generation of
 * the catalog or the state of all public data, so that what was revoked or edited is gone with the next request.
 */
export function createPageStore(maxBytes = defaultMaxBytes) {
  const pages = new LRUCache<string, Stored>({
    maxSize: maxBytes,
    sizeCalculation: (page) => (Buffer.isBuffer(page) ? page : page.body).length,
  })
  let stamp = ''

  return {
    /** All values of one key have the type that `make` returns. */
    async get<T extends Stored>(validFor: string, key: string, make: () => T | Promise<T>): Promise<T> {
      if (validFor !== stamp) pages.clear()
      stamp = validFor
      const cached = pages.get(key) as T | undefined
      if (cached !== undefined) return cached
      const page = await make()
      // The data may have changed while the page was being made.
      if (validFor === stamp) pages.set(key, page)
      return page
    },
  }
}
