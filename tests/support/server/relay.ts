import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A TCP relay to a server that counts the bytes the server sends. */
export interface Relay {
  url: string
  sent(): number
  stop(): Promise<void>
}

export async function startRelay(to: string): Promise<Relay> {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  let sent = 0
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => open.delete(one))
      one.pipe(other)
    }
    server.on('data', ({ length }) => (sent += length))
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    sent: () => sent,
    async stop() {
      for (const socket of open) socket.destroy()
      relay.close()
      await once(relay, 'close')
    },
  }
}
