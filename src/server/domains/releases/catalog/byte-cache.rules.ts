import { LRUCache } from 'lru-cache'
import type { ListPage } from '../../../../shared/list-page.ts'

type Cached = Buffer | ListPage<Buffer>

/**
 * A cache of serialized responses, valid for one generation of the catalog. A response is stored only when it is
 * requested a second time, so that a crawl of the whole catalog does not evict anything.
 */
export function createByteCache(maxBytes: number) {
  const cached = new LRUCache<string, Cached>({
    maxSize: maxBytes,
    sizeCalculation: (value) => (Buffer.isBuffer(value) ? value : value.body).length,
  })
  const requestedOnce = new LRUCache<string, true>({ max: 8192 })

  return {
    has: (key: string): boolean => cached.has(key),

    get: (key: string): Cached | undefined => cached.get(key),

    offer(key: string, value: Cached): void {
      if (requestedOnce.delete(key)) cached.set(key, value)
      else requestedOnce.set(key, true)
    },

    clear(): void {
      cached.clear()
      requestedOnce.clear()
    },
  }
}
