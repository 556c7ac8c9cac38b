import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

// Below the ports that a system gives to whoever asks for any (from 32768 on Linux, from 49152 elsewhere):
// one that is free stays so, however many servers and clients the tests beside have begun meanwhile.
const first = 20_000
const last = 32_000

/** A free port of this computer, for what needs the same one again or must be told one. */
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
