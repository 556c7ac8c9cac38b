export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Does one thing after the other, whatever comes of each. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
