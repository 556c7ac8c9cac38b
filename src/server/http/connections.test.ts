import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createConnections } from './connections.ts'

const open = async () => {
  const connections = createConnections(60_000, { total: 4, perClient: 2, refusedMs: 300 })
  const server = createServer((req, res) => {
    connections.inTurn(req, res, () => req.url === '/quick' && res.end())
  })
  server.on('connection', connections.add)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    connections.end()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return async (localAddress: string, path?: string): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    socket.on('error', () => {})
    const accepted = once(server, 'connection')
    await Promise.all([once(socket, 'connect'), accepted])
    if (path === undefined) return socket
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    if (path === '/quick') await once(socket, 'data')
    else await once(server, 'request')
    return socket
  }
}
const isClosed = (socket: Socket): Promise<boolean> =>
  Promise.race([
    once(socket.resume(), 'close').then(() => true),
    new Promise<boolean>((resolve) => void setTimeout(resolve, 200, false)),
  ])
const areClosed = (sockets: readonly Socket[]): Promise<boolean[]> => Promise.all(sockets.map(isClosed))

test.runIf(process.platform === 'linux')(
  'a client with too many connections loses its oldest idle one, and others lose none',
  async () => {
    const from = await open()
    const other = await from('127.0.0.3')
    const own = [await from('127.0.0.2', '/quick'), await from('127.0.0.2'), await from('127.0.0.2')]
    expect(await areClosed([other, ...own])).toEqual([false, true, false, false])
  },
)

test.runIf(process.platform === 'linux')(
  'a connection with a request in progress is not closed; if there are only such, new ones are refused',
  async () => {
    const from = await open()
    const own = [await from('127.0.0.2', '/slow'), await from('127.0.0.2', '/slow'), await from('127.0.0.2')]
    expect(await areClosed(own)).toEqual([false, false, true])
  },
)

test.runIf(process.platform === 'linux')('the total is limited in the same way', async () => {
  const from = await open()
  const sockets = [await from('127.0.0.2', '/slow')]
  for (const at of [3, 4, 5, 6]) sockets.push(await from(`127.0.0.${at}`))
  expect(await areClosed(sockets)).toEqual([false, true, false, false, false])
})

test.runIf(process.platform === 'linux')(
  'a client that sends more pipelined requests than may wait is disconnected and refused for a while; others are not',
  async () => {
    const from = await open()
    const [other, idle, flooding] = [
      await from('127.0.0.3'),
      await from('127.0.0.2'),
      await from('127.0.0.2'),
    ]
    flooding.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(102))
    expect(await areClosed([flooding, idle, await from('127.0.0.2')])).toEqual([true, true, true])
    expect(await areClosed([other, await from('127.0.0.3')])).toEqual([false, false])
    await expect.poll(async () => isClosed(await from('127.0.0.2')), { timeout: 10_000 }).toBe(false)
  },
)
