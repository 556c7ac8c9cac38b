import { Worker } from 'node:worker_threads'

const checkMs = 50
/** More than a process can fill in a millisecond: far from its limit, it is checked less often. */
const bytesPerMs = 4 * 1024 * 1024

const watch = `
  const { workerData } = require('node:worker_threads')
  const check = () => {
    const free = workerData.bytes - process.memoryUsage.rss()
    if (free < 0) process.kill(process.pid, 'SIGKILL')
    setTimeout(check, Math.max(workerData.checkMs, free / workerData.bytesPerMs))
  }
  check()
`

/**
 * Kills this process as soon as it holds more memory than `bytes`, native memory included. A worker thread checks,
 * because the main thread may be blocked in native code. (SQLite's `hard_heap_limit` has no effect: better-sqlite3
 * compiles SQLite without memory statistics.)
 */
export function limitMemory(bytes: number): void {
  new Worker(watch, {
    eval: true,
    execArgv: [],
    workerData: { bytes, checkMs, bytesPerMs },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  }).unref()
}
