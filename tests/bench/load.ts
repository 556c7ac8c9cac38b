import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What the load generator sends. */
export interface Order {
  /** The origin of the server. */
  url: string
  /** Complete requests (see `get`), sent in this order over all connections. */
  requests: readonly (string | Uint8Array)[]
  seconds: number
  /** Default: 4. */
  connections?: number
  /** Whether the list is sent again after its end (default), or the load ends. */
  isRepeated?: boolean
  /** The expected status of every response. Default: 200. */
  status?: number
  /** The minimum time between two requests of a connection. */
  everyMs?: number
}

export interface Load {
  requests: number
  /** Elapsed time. */
  seconds: number
  /** Response times in milliseconds. */
  latencies: number[]
}

export interface ToLoadWorker {
  id: number
  order: Order
}

export interface FromLoadWorker {
  id: number
  load?: Load
  error?: string
}

export interface LoadGenerator {
  /** Throws if a response has an unexpected status. Several orders can run at once. */
  run(order: Order): Promise<Load>
  stop(): Promise<unknown>
}

export function startLoadGenerator(): LoadGenerator {
  const worker = new Worker(join(import.meta.dirname, 'load-worker.ts'))
  const waiting = new Map<number, PromiseWithResolvers<Load>>()
  // The message goes to a thread.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const send = (message: ToLoadWorker): void => worker.postMessage(message)
  let last = 0
  worker.on('message', ({ id, load, error }: FromLoadWorker) => {
    const pending = waiting.get(id)
    waiting.delete(id)
    if (load === undefined) pending?.reject(new Error(`The load failed. ${error}`))
    else pending?.resolve(load)
  })
  return {
    run(order) {
      last += 1
      const pending = Promise.withResolvers<Load>()
      waiting.set(last, pending)
      send({ id: last, order })
      return pending.promise
    },
    stop: () => worker.terminate(),
  }
}

/** A complete GET request. */
export const get = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

/** A complete POST request. */
export const post = (
  path: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Uint8Array => {
  const fields = { ...headers, 'Content-Length': String(body.length) }
  return Buffer.concat([Buffer.from(get(path, fields).replace('GET', 'POST')), body])
}
