/** Maximum pause in milliseconds: a read that failed slowly must not keep the next one waiting for minutes. */
const maxPauseMs = 10_000

/**
 * Reads a key each time it changes. A change during a read is read after it, once: something that changes faster than it
 * can be read would otherwise never be shown. After a read there is a pause, `pauseFactor` times as long as the read
 * took, but at most 10 s.
 */
export function createPacedReads(
  read: (key: string) => Promise<unknown>,
  pauseFactor: (key: string) => number,
): (key: string) => void {
  const busy = new Set<string>()
  const changed = new Set<string>()

  const readAgain = (key: string): void => {
    if (busy.has(key)) {
      changed.add(key)
      return
    }
    busy.add(key)
    const startedAt = performance.now()
    const release = (): void => {
      busy.delete(key)
      if (changed.delete(key)) readAgain(key)
    }
    void read(key).finally(() => {
      setTimeout(release, Math.min(maxPauseMs, pauseFactor(key) * (performance.now() - startedAt)))
    })
  }
  return readAgain
}
