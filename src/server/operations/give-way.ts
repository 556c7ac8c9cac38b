import { performance } from 'node:perf_hooks'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

/** Milliseconds of work after which other work gets its share. */
const sliceMs = 5
/** Milliseconds of other work, if there is any, for each millisecond of the long one. */
const longRest = 19
/** Below this part of the time, the event loop has nothing else to do that would be delayed. */
const busy = 0.5

/**
 * For long work that nobody waits for urgently. Returns a function to be awaited between its steps, each of which takes a
 * few milliseconds: an idle process goes on at once, a busy one gives it a twentieth of its time.
 */
export function createGiveWay(): () => Promise<void> {
  let worked = 0
  let since = performance.now()
  return async () => {
    worked += performance.now() - since
    if (worked < sliceMs) await nextTurn()
    else {
      await waitForOthers(worked * longRest)
      worked = 0
    }
    since = performance.now()
  }
}

/** Runs a step after all earlier ones of the same share. */
type Share = <T>(step: () => T | Promise<T>) => Promise<T>

/**
 * For work that a client waits for, in steps of a few milliseconds. All steps of a share together take at most one part in
 * `rest + 1` of a busy process's time; an idle process starts the next step at once.
 */
export function createShare(rest: number): Share {
  let turn = Promise.resolve()
  return (step) => {
    let worked = 0
    const done = turn.then(async () => {
      const before = performance.eventLoopUtilization()
      try {
        return await step()
      } finally {
        // Not the elapsed time, because waiting for a lock is not work.
        worked = performance.eventLoopUtilization(before).active
      }
    })
    turn = done.then(
      () => waitForOthers(worked * rest),
      () => waitForOthers(worked * rest),
    )
    return done
  }
}

/** Waits until the event loop is hardly used, or has been used for so many milliseconds. */
async function waitForOthers(ms: number): Promise<void> {
  const before = performance.eventLoopUtilization()
  for (;;) {
    // Each wait is measured.
    await delay(1)
    const { utilization, active } = performance.eventLoopUtilization(before)
    if (utilization < busy || active >= ms) return
  }
}
