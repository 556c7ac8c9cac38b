import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere), so that a free port stays free while
// parallel tests start servers and clients.
const first = 20_000
const last = 32_000

/** A free port on this computer, for servers that need a fixed port. */
export async function findFreePort(): Promise<number> {
  const port = randomInt(first, last)
  return (await isFree(port)) ? port : findFreePort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1')
    server.once('error', () => resolve(false))
    server.once('listening', () => server.close(() => resolve(true)))
  })
}
