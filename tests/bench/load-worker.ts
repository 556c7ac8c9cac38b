// The load generator: keep-alive connections that send one request after another. It runs in a thread of its own.
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'
import type { FromLoadWorker, Load, Order, ToLoadWorker } from './load.ts'

const headEnd = Buffer.from('\r\n\r\n')

interface Connection {
  socket: Socket
  /** Sends a request and resolves when the response is complete. */
  send(request: string | Uint8Array): Promise<void>
}

let opened = 0

/** Each connection comes from another network, because searches from a single one would soon be refused. */
function nextAddress(): string {
  opened = (opened + 1) % 65_024
  return `127.${1 + Math.floor(opened / 256)}.${opened % 256}.1`
}

/** Rejects a response whose status differs or whose length is not announced. */
function open(url: URL, expected: number): Connection {
  let head: Buffer | null = Buffer.alloc(0)
  /** Bytes of the body that have not arrived. */
  let left = 0
  let response: PromiseWithResolvers<void> | null = null
  const read = (bytes: Buffer): void => {
    if (head === null) left -= bytes.length
    else {
      head = Buffer.concat([head, bytes])
      const end = head.indexOf(headEnd)
      if (end === -1) return
      const text = head.toString('latin1', 0, end)
      if (Number(text.slice(9, 12)) !== expected) throw new Error(`Expected ${expected}: ${head.toString()}`)
      const length = expected === 304 ? 0 : Number(/^content-length: (\d+)/im.exec(text)?.[1])
      left = length - (head.length - end - headEnd.length)
      head = null
    }
    if (left === 0) response?.resolve()
    else if (!(left > 0)) throw new Error('The length of the body differs from Content-Length')
  }
  const callback = (size: number, buffer: Uint8Array): boolean => {
    try {
      read(Buffer.from(buffer.buffer, buffer.byteOffset, size))
    } catch (error) {
      socket.destroy(error as Error)
    }
    return true
  }
  const onread = { buffer: Buffer.alloc(262_144), callback }
  const to = { host: url.hostname, port: Number(url.port), localAddress: nextAddress() }
  const socket = connect({ ...to, noDelay: true, onread })
  socket.on('error', (error) => response?.reject(error))
  socket.on('close', () => response?.reject(new Error('The server closed the connection')))
  const send = (request: string | Uint8Array): Promise<void> => {
    head = Buffer.alloc(0)
    response = Promise.withResolvers()
    socket.write(request)
    return response.promise
  }
  return { socket, send }
}

/**
 * Keeps this thread busy until the returned function is called. Otherwise it would sleep whenever the server is slower, and
 * waking it costs the server's processor time, which a client on another computer does not.
 */
function stayAwake(): () => void {
  let isOver = false
  const spin = (): void => {
    if (!isOver) setImmediate(spin)
  }
  spin()
  return () => {
    isOver = true
  }
}

async function run(order: Order): Promise<Load> {
  const { url, requests, connections = 4, seconds, isRepeated = true, status = 200, everyMs = 0 } = order
  const latencies: number[] = []
  let next = 0
  const start = performance.now()
  const drive = async (): Promise<void> => {
    const { socket, send } = open(new URL(url), status)
    for (;;) {
      const sentAt = performance.now()
      const request = requests[isRepeated ? next % requests.length : next]
      if (request === undefined || sentAt - start >= seconds * 1000) break
      next += 1
      await send(request)
      const took = performance.now() - sentAt
      latencies.push(took)
      if (everyMs > took) await new Promise((resolve) => setTimeout(resolve, everyMs - took))
    }
    socket.destroy()
  }
  const sleep = everyMs === 0 ? stayAwake() : null
  try {
    await Promise.all(Array.from({ length: connections }, drive))
  } finally {
    sleep?.()
  }
  return { requests: latencies.length, seconds: (performance.now() - start) / 1000, latencies }
}

const port = parentPort
if (port === null) throw new Error('load-worker.ts must run in a worker thread')
const reply = (message: FromLoadWorker): void => port.postMessage(message)
port.on('message', ({ id, order }: ToLoadWorker) => {
  run(order).then(
    (load) => reply({ id, load }),
    (error: unknown) => reply({ id, error: String(error) }),
  )
})
