import { Worker } from 'node:worker_threads'

const lookEveryMs = 50

const watch = `
  const { workerData } = require('node:worker_threads')
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData.bytes) process.kill(process.pid, 'SIGKILL')
  }, workerData.lookEveryMs)
`

/**
 * Kills this process as soon as it holds more memory than `bytes`, native memory included. A thread looks, for the main
 * one may be deep in native code. (SQLite's own `hard_heap_limit` has no effect here: better-sqlite3 compiles SQLite
 * without memory statistics.)
 */
export function limitMemory(bytes: number): void {
  new Worker(watch, {
    eval: true,
    execArgv: [],
    workerData: { bytes, lookEveryMs },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  }).unref()
}
