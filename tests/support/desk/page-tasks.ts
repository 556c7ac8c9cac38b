import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

interface TraceEvent {
  pid: number
  tid: number
  /** CPU time of the thread in microseconds. */
  tdur?: number
  args?: { name?: unknown }
}

/**
 * Runs `work` and returns the CPU time of the longest task on the page's main thread meanwhile, in
 * milliseconds. Unlike elapsed time, it does not include the time of other programs.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('no browser')
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
  const main = new Set(traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(thread))
  const times = traceEvents.filter((event) => main.has(thread(event))).map(({ tdur = 0 }) => tdur / 1000)
  const longest = Math.max(...times)
  expect(longest).toBeGreaterThan(0)
  return longest
}

/** Measures up to `attempts` times until a result is within the limit, and returns the smallest. */
export async function smallestOf(
  attempts: number,
  limit: number,
  measure: () => Promise<number>,
): Promise<number> {
  let smallest = Infinity
  for (let attempt = 0; attempt < attempts && smallest > limit; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop
    smallest = Math.min(smallest, await measure())
  }
  return smallest
}
