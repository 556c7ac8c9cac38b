import { Worker } from 'node:worker_threads'

const checkMs = 50

const watch = `
  const { workerData } = require('node:worker_threads')
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData.bytes) process.kill(process.pid, 'SIGKILL')
  }, workerData.checkMs)
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
    workerData: { bytes, checkMs },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  }).unref()
}
