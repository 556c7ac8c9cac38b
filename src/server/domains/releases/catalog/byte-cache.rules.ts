import { LRUCache } from 'lru-cache'

/**
 * A cache of serialized responses, valid for one generation of the catalog. A response is stored only when it is
 * requested a second time, so that a crawl of the whole catalog does not evict anything.
 */
export function createByteCache(maxBytes: number) {
  const cached = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length })
  const requestedOnce = new LRUCache<string, true>({ max: 8192 })

  return {
    has: (key: string): boolean => cached.has(key),

    get: (key: string): Buffer | undefined => cached.get(key),

    offer(key: string, value: Buffer): void {
      if (requestedOnce.delete(key)) cached.set(key, value)
      else requestedOnce.set(key, true)
    },

    clear(): void {
      cached.clear()
      requestedOnce.clear()
    },
  }
}
