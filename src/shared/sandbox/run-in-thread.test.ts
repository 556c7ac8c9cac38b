import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { evilModule } from '../../../tests/support/fixtures/evil-modules.ts'
import { defaultRunLimits } from './run-limits.ts'
import type { RunProgress } from './sandbox-run.ts'

// The runner blocks its thread. The owner of the thread terminates it and keeps the progress reported so far.
const thread = `
  import { parentPort, workerData } from 'node:worker_threads'
  import { runModule } from ${JSON.stringify(new URL('./run-module.ts', import.meta.url).href)}
  const run = runModule(workerData, (progress) => parentPort.postMessage(progress))
  parentPort.postMessage({ over: run.end })`

type Heard = Partial<RunProgress> & { over?: string }

/** Terminates the thread after a number of progress reports, and returns them. */
async function runAndEnd(bytes: Uint8Array<ArrayBuffer>, reports: number): Promise<Heard[]> {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(thread)}`), {
    workerData: { bytes, stdin: new Uint8Array(), args: [], limits: defaultRunLimits },
  })
  const heard: Heard[] = []
  await new Promise<void>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('online', () => {
      if (reports === 0) resolve()
    })
    worker.on('message', (message: Heard) => {
      heard.push(message)
      if (heard.length >= reports) resolve()
    })
  })
  await worker.terminate()
  return heard
}

test('an infinite loop is terminated with its thread, and its earlier calls are known', async () => {
  const heard = await runAndEnd(await evilModule('loop'), 2)
  expect(heard.at(-1)).toMatchObject({ calls: [{ name: 'fd_write', count: 1, refused: 0 }], stdoutBytes: 6 })
  expect(Buffer.concat(heard.map(({ moreStdout }) => moreStdout ?? new Uint8Array())).toString()).toBe(
    'hello\n',
  )
})

test('so are a loop in the start function and one that keeps growing the memory', async () => {
  expect(await runAndEnd(await evilModule('startLoop'), 0)).toEqual([])
  expect(await runAndEnd(await evilModule('growForever'), 1)).toMatchObject([
    { calls: [], peakMemoryBytes: 65_536 },
  ])
})
