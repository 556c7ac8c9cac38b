import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface RawAnswer {
  status: number
  /** With lowercase names. */
  headers: Record<string, string>
  body: string
}

/** A client that sends exactly the given bytes, for requests that no HTTP client would send. */
export interface RawClient {
  readonly socket: Socket
  /** Resolves when the operating system has accepted the bytes. A closed connection is not an error. */
  send(data: string | Uint8Array): Promise<void>
  /** Closes the sending direction only. */
  end(): void
  /** The next complete response, including interim ones (1xx). Rejects when the connection ends or after 10 s. */
  answer(): Promise<RawAnswer>
  destroy(): void
}

const patienceMs = 10_000

/** `localAddress` is the address that the server sees, such as 127.0.0.2 on Linux. */
export async function connectRaw(url: string, localAddress?: string): Promise<RawClient> {
  const { hostname, port } = new URL(url)
  const socket = connect({
    host: hostname,
    port: Number(port),
    allowHalfOpen: true,
    ...(localAddress === undefined ? {} : { localAddress }),
  })
  let received = Buffer.alloc(0)
  let ended = false
  let wake = (): void => {}
  const ending = (): void => {
    ended = true
    wake()
  }
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    wake()
  })
  socket.on('end', ending)
  socket.on('close', ending)
  socket.on('error', ending)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })

  const take = (): RawAnswer | null => {
    const headEnd = received.indexOf('\r\n\r\n')
    if (headEnd < 0) return null
    const [first = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const end = headEnd + 4 + Number(headers['content-length'] ?? 0)
    if (received.length < end) return null
    const body = received.subarray(headEnd + 4, end).toString()
    received = received.subarray(end)
    return { status: Number(first.split(' ')[1]), headers, body }
  }

  return {
    socket,
    send: (data) => new Promise((resolve) => void socket.write(data, () => resolve())),
    end: () => void socket.end(),
    async answer() {
      const deadline = performance.now() + patienceMs
      for (;;) {
        const answer = take()
        if (answer !== null) return answer
        if (ended) throw new Error('The connection ended before a response')
        const left = deadline - performance.now()
        if (left <= 0) throw new Error('No response in time')
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    },
    destroy: () => void socket.destroy(),
  }
}

/** The request line and headers as text, with the final empty line. */
export function requestHead(
  method: string,
  url: string,
  headers: Record<string, string | number> = {},
): string {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`
}
