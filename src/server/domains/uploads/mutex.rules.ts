export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>

/** Runs one task at a time, in order. A task that fails does not affect the next one. */
export function createMutex(): RunExclusive {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
