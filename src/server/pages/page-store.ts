/** Bytes that are kept. */
const keptBytes = 16 * 1024 * 1024

/**
 * What was made is kept while the same is asked for as valid: a page of releases for one generation of the catalog and
 * one address of the site, so that what was revoked is gone with the next request.
 */
export function createPageStore(maxBytes = keptBytes) {
  const pages = new Map<string, Buffer>()
  let bytes = 0
  let stamp = ''

  return {
    async get(validFor: string, key: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
      if (validFor !== stamp) {
        pages.clear()
        bytes = 0
        stamp = validFor
      }
      const kept = pages.get(key)
      if (kept !== undefined) return kept
      const page = await make()
      // While it was made, what it is made of may have changed.
      if (validFor !== stamp || pages.has(key)) return page
      pages.set(key, page)
      bytes += page.length
      for (const [oldest, old] of pages) {
        if (bytes <= maxBytes) break
        pages.delete(oldest)
        bytes -= old.length
      }
      return page
    },
  }
}
