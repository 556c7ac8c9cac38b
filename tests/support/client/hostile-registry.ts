import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A server that answers with whatever bytes, and does with the connection whatever it likes. */
export interface HostileRegistry {
  url: string
  /** The first line of every request so far. */
  requests: string[]
  close(): Promise<void>
}

export type Misbehaviour = (socket: Socket, requestLine: string) => void

/** Calls `misbehave` with each connection once a request has come. */
export async function startHostileRegistry(misbehave: Misbehaviour): Promise<HostileRegistry> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // What a client does that was treated so is its own matter.
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

/** The bytes of an answer as a well-behaved server would send them. */
export function answerBytes(
  status: string,
  body: Buffer | string,
  headers: Record<string, string> = {},
): Buffer {
  const named = { 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close', ...headers }
  const head = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head.join('')}\r\n`), Buffer.from(body)])
}
