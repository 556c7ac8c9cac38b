/**
 * A cache of serialized responses, valid for one generation of the catalog. A response is stored only when it is
 * requested a second time, so that a crawl of the whole catalog does not evict anything.
 */
export function createByteCache(maxBytes: number) {
  const cached = new Map<string, Buffer>()
  const requestedOnce = new Set<string>()
  let bytes = 0

  return {
    get: (key: string): Buffer | undefined => cached.get(key),

    offer(key: string, value: Buffer): void {
      if (!requestedOnce.delete(key)) {
        if (requestedOnce.size >= 8192) requestedOnce.clear()
        requestedOnce.add(key)
        return
      }
      cached.set(key, value)
      bytes += value.length
      for (const [oldest, old] of cached) {
        if (bytes <= maxBytes) break
        cached.delete(oldest)
        bytes -= old.length
      }
    },

    clear(): void {
      cached.clear()
      requestedOnce.clear()
      bytes = 0
    },

    get bytes(): number {
      return bytes
    },
  }
}
