import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A server that can send any bytes and do anything with the connection. */
export interface HostileRegistry {
  url: string
  /** The request lines of all requests so far. */
  requests: string[]
  close(): Promise<void>
}

export type Misbehavior = (socket: Socket, requestLine: string) => void

/** Calls `misbehave` with each connection once a request has been received. */
export async function startHostileRegistry(misbehave: Misbehavior): Promise<HostileRegistry> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // The client may react to this in any way.
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    let head = ''
    const onData = (bytes: Buffer): void => {
      head += bytes.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      socket.off('data', onData).resume()
      const line = head.slice(0, head.indexOf('\r\n'))
      requests.push(line)
      misbehave(socket, line)
    }
    socket.on('data', onData)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The bytes of a valid response. */
export function answerBytes(
  status: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
): Buffer {
  const named = { 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close', ...headers }
  const head = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n`), Buffer.from(body)])
}
