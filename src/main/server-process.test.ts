import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createServices } from './server-process.ts'

const started = vi.hoisted(() => [] as EventEmitter[])

vi.mock('electron', () => ({
  utilityProcess: {
    fork() {
      const child = Object.assign(new EventEmitter(), { postMessage() {}, kill() {} })
      started.push(child)
      return child
    },
  },
}))

const entry = '/app/server.js'

beforeEach(() => {
  started.length = 0
  vi.useFakeTimers()
})
afterEach(() => void vi.useRealTimers())

test('services that fail to start while they are being stopped stay stopped', async () => {
  const services = createServices({
    server: entry,
    modules: entry,
    images: entry,
    agents: entry,
    backups: entry,
  })
  services.start()
  const paused = services.pause()
  started[0]?.emit('message', { type: 'failed', sentence: 'The data folder is in use.' })
  started[0]?.emit('exit', 0)
  await paused
  expect(services.state()).toMatchObject({ phase: 'stopped', sentence: null, retryInSeconds: null })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(started).toHaveLength(1)
  services.start()
  expect(started).toHaveLength(2)
})
