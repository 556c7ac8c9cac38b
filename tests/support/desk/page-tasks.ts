import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

interface Frame {
  parent?: string
  processId: number
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Start and elapsed time in microseconds. */
  ts: number
  dur?: number
  /** CPU time of the thread in microseconds. */
  tdur?: number
  args?: {
    name?: unknown
    data?: { frames: Frame[] } | Frame
    chrome_mojo_event_info?: { mojo_interface_tag?: string }
  }
}

/** Contains the event that lists the page's frames with their processes. */
const startCategory = 'disabled-by-default-devtools.timeline'

/** Receives what the test evaluates in the page. */
const devTools = 'blink.mojom.DevToolsSession'

/** Whether two events of the same browser overlap on the same thread. */
function overlap(one: TraceEvent, other: TraceEvent): boolean {
  const isSameThread = one.pid === other.pid && one.tid === other.tid
  return isSameThread && one.ts < other.ts + (other.dur ?? 0) && other.ts < one.ts + (one.dur ?? 0)
}

/**
 * Runs `work` and returns the CPU time of the longest task on the page's main thread meanwhile, in milliseconds. Unlike
 * elapsed time, it does not include the time of other programs. Sandboxed frames have processes and main threads of
 * their own, which don't block the page. What the test itself evaluates in the page does not count; `work` must use the
 * keyboard and the mouse, whose events are handled in tasks of their own.
 */
export async function longestTask(page: Page, work: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('no browser')
  await browser.startTracing(page, { categories: ['toplevel', '__metadata', startCategory] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const thread = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`
  // A navigation can replace the process.
  const processes = new Set(
    traceEvents
      .filter(({ name }) => name === 'TracingStartedInBrowser' || name === 'FrameCommittedInBrowser')
      .flatMap(({ args: { data } = {} }) =>
        data === undefined ? [] : 'frames' in data ? data.frames : [data],
      )
      .filter(({ parent }) => parent === undefined)
      .map(({ processId }) => processId),
  )
  const main = new Set(
    traceEvents.filter(({ pid, args }) => processes.has(pid) && args?.name === 'CrRendererMain').map(thread),
  )
  const tasks = traceEvents.filter((event) => main.has(thread(event)) && event.tdur !== undefined)
  const ofTest = tasks.filter(({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === devTools)
  const own = tasks.filter((task) => !ofTest.some((other) => overlap(task, other)))
  const longest = Math.max(...own.map(({ tdur = 0 }) => tdur / 1000))
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
    smallest = Math.min(smallest, await measure())
  }
  return smallest
}
