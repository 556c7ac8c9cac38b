import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import type { Exposition } from './prometheus-text.ts'

/** Milliseconds between two samples of the event loop's delay. */
const resolutionMs = 20

/** The usual metrics of a process, under their usual names. */
export function createProcessMetrics() {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  // A recorded delay includes the time between two samples.
  const lag = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000)

  return {
    start: (): unknown => delays.enable(),
    end: (): unknown => delays.disable(),

    async writeTo(exposition: Exposition): Promise<void> {
      const { user, system } = process.cpuUsage()
      const { rss, heapUsed, external } = process.memoryUsage()
      const files = await countOpenFiles()
      const { gauge, counter } = exposition
      counter(
        'process_cpu_seconds_total',
        'User and system processor time, in seconds.',
        (user + system) / 1e6,
      )
      gauge('process_resident_memory_bytes', 'Resident memory, in bytes.', rss)
      gauge('process_open_fds', 'Open file descriptors; on Linux only.', files)
      gauge(
        'process_start_time_seconds',
        'Start of the process, in seconds since 1970.',
        performance.timeOrigin / 1000,
      )
      gauge('nodejs_heap_size_used_bytes', 'Used part of the JavaScript heap, in bytes.', heapUsed)
      gauge('nodejs_external_memory_bytes', 'Memory of buffers and other native objects, in bytes.', external)
      if (delays.count === 0) return
      gauge(
        'nodejs_eventloop_lag_p99_seconds',
        'The 99th percentile of the event loop delay since the last scrape.',
        lag(delays.percentile(99)),
      )
      gauge(
        'nodejs_eventloop_lag_max_seconds',
        'The longest event loop delay since the last scrape.',
        lag(delays.max),
      )
      delays.reset()
    },
  }
}

async function countOpenFiles(): Promise<number | null> {
  try {
    // One of them is the open folder itself.
    return (await readdir('/proc/self/fd')).length - 1
  } catch {
    return null
  }
}
