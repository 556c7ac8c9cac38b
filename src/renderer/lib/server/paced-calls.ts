/** Maximum pause in milliseconds: a call that failed slowly must not keep the next one waiting for minutes. */
const maxPauseMs = 10_000

/**
 * Makes a call for a key each time it changes, one at a time. After changes during a call it is made once more: something
 * that changes faster than it can be read would otherwise never be shown, and calls made at the same time may arrive in
 * any order. After a call there is a pause, `pauseFactor` times as long as the call took, but at most 10 s.
 */
export function createPacedCalls<Key extends string>(
  call: (key: Key) => Promise<unknown>,
  pauseFactor: (key: Key) => number,
): (key: Key) => void {
  const busy = new Set<Key>()
  const changed = new Set<Key>()

  const callAgain = (key: Key): void => {
    if (busy.has(key)) {
      changed.add(key)
      return
    }
    busy.add(key)
    const startedAt = performance.now()
    const release = (): void => {
      busy.delete(key)
      if (changed.delete(key)) callAgain(key)
    }
    void call(key).finally(() => {
      setTimeout(release, Math.min(maxPauseMs, pauseFactor(key) * (performance.now() - startedAt)))
    })
  }
  return callAgain
}
