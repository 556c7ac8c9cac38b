import { LRUCache } from 'lru-cache'

/** Maximum size of the cached pages, in bytes. */
const defaultMaxBytes = 16 * 1024 * 1024

/**
 * Caches pages until `validFor` changes. It contains the public URL and, if a page depends on them, the generation of
 * the catalog or the state of all public data, so that what was revoked or edited is gone with the next request.
 */
export function createPageStore(maxBytes = defaultMaxBytes) {
  const pages = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length })
  let stamp = ''

  return {
    async get(validFor: string, key: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
      if (validFor !== stamp) pages.clear()
      stamp = validFor
      const cached = pages.get(key)
      if (cached !== undefined) return cached
      const page = await make()
      // The data may have changed while the page was being made.
      if (validFor === stamp) pages.set(key, page)
      return page
    },
  }
}
