/**
 * Answers ready to send, valid for one generation of the catalog. Only what is asked for twice within a
 * while is kept: a walk over the whole catalog then costs nothing but the reads, and pushes nothing out.
 */
export function createByteCache(maxBytes: number) {
  const kept = new Map<string, Buffer>()
  const asked = new Set<string>()
  let bytes = 0

  return {
    get: (key: string): Buffer | undefined => kept.get(key),

    offer(key: string, value: Buffer): void {
      if (!asked.delete(key)) {
        if (asked.size >= 8192) asked.clear()
        asked.add(key)
        return
      }
      kept.set(key, value)
      bytes += value.length
      for (const [oldest, old] of kept) {
        if (bytes <= maxBytes) break
        kept.delete(oldest)
        bytes -= old.length
      }
    },

    clear(): void {
      kept.clear()
      asked.clear()
      bytes = 0
    },

    get bytes(): number {
      return bytes
    },
  }
}
