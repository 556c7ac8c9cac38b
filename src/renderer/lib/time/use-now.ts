import { useSyncExternalStore } from 'react'

const listeners = new Map<number, Set<() => void>>()
const timers = new Map<number, ReturnType<typeof setInterval>>()
const values = new Map<number, number>()

function subscribe(every: number, listener: () => void): () => void {
  const set = listeners.get(every) ?? new Set()
  listeners.set(every, set)
  set.add(listener)
  if (!timers.has(every)) {
    values.set(every, Date.now())
    const tick = (): void => {
      values.set(every, Date.now())
      for (const one of set) one()
    }
    timers.set(every, setInterval(tick, every))
  }
  return () => {
    set.delete(listener)
    if (set.size > 0) return
    clearInterval(timers.get(every))
    timers.delete(every)
  }
}

const subscribers = new Map<number, (listener: () => void) => () => void>()

/** The current time in milliseconds, updated every `every` ms. Components with the same interval share a timer. */
export function useNow(every = 20_000): number {
  let subscriber = subscribers.get(every)
  if (subscriber === undefined) {
    subscriber = (listener) => subscribe(every, listener)
    subscribers.set(every, subscriber)
  }
  return useSyncExternalStore(subscriber, () => {
    const value = values.get(every)
    const now = Date.now()
    if (value !== undefined && (timers.has(every) || now - value < every)) return value
    values.set(every, now)
    return now
  })
}
