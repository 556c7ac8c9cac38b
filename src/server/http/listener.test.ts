import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../../tests/support/server/free-port.ts'
import { createLogger } from '../operations/logging.ts'
import { createListener } from './listener.ts'
import { openPort } from './open-port.ts'
import type { OpenPortWith } from './open-port.ts'

test('a start right after a move uses the new address, even if a start at the old one is in progress', async () => {
  const [taken, free] = [await findFreePort(), await findFreePort()]
  const holder = createServer().listen(taken, '127.0.0.1')
  await once(holder, 'listening')
  onTestFinished(() => void holder.close())
  const at = (port: number) => ({ host: '127.0.0.1', port, tls: null })
  const listener = createListener({
    name: 'desk',
    address: at(taken),
    log: createLogger({ write: () => {} }),
    requestLines: 'notable',
    paceWindowMs: 1000,
  })
  const first = listener.start().catch((error: unknown) => error)
  await listener.move(at(free))
  await listener.start()
  onTestFinished(() => listener.stop())
  expect(await first).toMatchObject({ name: 'PortError' })
  expect(listener).toMatchObject({ state: 'running', url: `http://127.0.0.1:${free}`, error: null })
})

describe('a stop closes what is being opened', () => {
  const any = { host: '127.0.0.1', port: 0, tls: null }

  /** A listener whose openings, except for the first `passed`, wait for `proceed`. */
  const gated = (passed: number) => {
    const gate = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const open = new Set<number>()
    let openings = 0
    const openSlowly: OpenPortWith = async (address, options) => {
      openings += 1
      if (openings > passed) {
        waiting.resolve()
        await gate.promise
      }
      const port = await openPort(address, options)
      open.add(port.address.port)
      return {
        ...port,
        async close(timeoutMs) {
          await port.close(timeoutMs)
          open.delete(port.address.port)
        },
      }
    }
    const listener = createListener({
      name: 'registry',
      address: any,
      log: createLogger({ write: () => {} }),
      requestLines: 'notable',
      paceWindowMs: 1000,
      openPort: openSlowly,
    })
    return { listener, open, opening: waiting.promise, proceed: () => gate.resolve() }
  }

  test('by a start', async () => {
    const { listener, open, opening, proceed } = gated(0)
    const started = listener.start()
    await opening
    const stopped = listener.stop()
    proceed()
    await Promise.all([started, stopped])
    expect(listener.state).toBe('stopped')
    expect([...open]).toEqual([])
  })

  test('by a move, even if a request at the old address is still being answered', async () => {
    const { listener, open, opening, proceed } = gated(1)
    const request = Promise.withResolvers<ServerResponse>()
    listener.serve({ handle: (_req, res) => request.resolve(res) })
    await listener.start()
    const answered = fetch(listener.url)
    const response = await request.promise
    const moved = listener.move({ ...any, port: await findFreePort() })
    await opening
    const stopped = listener.stop()
    proceed()
    await moved
    response.end()
    await Promise.all([answered, stopped])
    expect(listener.state).toBe('stopped')
    expect([...open]).toEqual([])
  })
})
