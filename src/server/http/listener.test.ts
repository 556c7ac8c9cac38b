import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../../tests/support/server/free-port.ts'
import { createLogger } from '../operations/logging.ts'
import { createListener } from './listener.ts'

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
