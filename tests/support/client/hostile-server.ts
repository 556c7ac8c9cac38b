import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A received request. */
export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  /** The number of body bytes received so far. */
  bodyBytes: number
  /** The body, once it is complete. */
  body: Buffer | null
}

export type Behavior = (request: IncomingMessage, response: ServerResponse) => void

export interface HostileServer {
  url: string
  /** All received requests, oldest first. */
  seen: SeenRequest[]
  /** Sets the behavior for requests with a matching path. All others are forwarded. */
  when(path: RegExp, behavior: Behavior): void
  /** Clears all requests and behaviors. */
  reset(): void
  stop(): Promise<void>
}

export interface HostileOptions {
  /** The real registry that other requests are forwarded to. */
  registry: string
  tls?: { cert: string; key: string }
}

/** A server between a client and the real registry that misbehaves when a test says so. */
export async function startHostileServer({ registry, tls }: HostileOptions): Promise<HostileServer> {
  const seen: SeenRequest[] = []
  let behaviors: { path: RegExp; behavior: Behavior }[] = []
  const listener: RequestListener = (request, response) => {
    note(request, seen)
    const path = request.url ?? ''
    const chosen = behaviors.findLast((one) => one.path.test(path))
    const behavior = chosen?.behavior ?? passOn(registry)
    behavior(request, response)
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  // Only behaviors that read the body send 100 Continue.
  server.on('checkContinue', listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    when(path, behavior) {
      behaviors = [...behaviors, { path, behavior }]
    },
    reset() {
      behaviors = []
      seen.length = 0
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function note(request: IncomingMessage, seen: SeenRequest[]): void {
  const { method = '', url = '', headers } = request
  const one: SeenRequest = { method, path: url, headers, bodyBytes: 0, body: null }
  seen.push(one)
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => {
    pieces.push(piece)
    one.bodyBytes += piece.length
  })
  request.on('end', () => (one.body = Buffer.concat(pieces)))
  request.on('error', () => {})
  request.pause()
}

/** Accepts the body and discards it. */
const takeBody = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.headers.expect !== undefined) response.writeContinue()
  request.resume()
}

/** Forwards the request to another server and returns its response. */
export function passOn(
  to: string,
  change: (answer: IncomingMessage, response: ServerResponse) => void = (answer, response) => {
    response.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
    answer.pipe(response)
  },
): Behavior {
  return (request, response) => {
    const { method, url, headers } = request
    const { expect, ...passed } = headers
    const outgoing = httpRequest(`${to}${url}`, { method, headers: passed, agent: false })
    outgoing.on('response', (answer) => change(answer, response))
    outgoing.on('error', () => response.destroy())
    response.on('close', () => outgoing.destroy())
    if (expect !== undefined) response.writeContinue()
    request.pipe(outgoing)
  }
}

/** Forwards the request and changes the JSON of the response. */
export const changeJson = <T>(to: string, change: (body: T) => unknown): Behavior =>
  passOn(to, (answer, response) => {
    const pieces: Buffer[] = []
    answer.on('data', (piece: Buffer) => pieces.push(piece))
    answer.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as T
      response.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/json' })
      response.end(JSON.stringify(change(body)))
    })
  })

/** Sends any response. */
export const answerWith =
  (status: number, body: string | Uint8Array, headers: Record<string, string | number> = {}): Behavior =>
  (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }

/** Sends an error response of a registry. */
export const refuseWith = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  error = `The registry says ${code}.`,
): Behavior => answerWith(status, JSON.stringify({ error, code }), headers)

/** Reads the whole request, then closes the connection after this part of a response. */
export const cutAfter =
  (answer: string): Behavior =>
  (request, response) => {
    request.on('end', () => response.socket?.write(answer, () => response.socket?.destroy()))
    takeBody(request, response)
  }

/** Closes the connection after this many bytes of the body. */
export const cutInBody =
  (bytes: number): Behavior =>
  (request, response) => {
    let taken = 0
    request.on('data', (piece: Buffer) => {
      taken += piece.length
      if (taken >= bytes) response.socket?.destroy()
    })
    takeBody(request, response)
  }

/** Reads everything and never responds. */
export const neverResponds: Behavior = (request, response) => takeBody(request, response)

/** Sends a byte from time to time, forever. */
export const sendsSlowly =
  (everyMs: number, head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n'): Behavior =>
  (request, response) => {
    takeBody(request, response)
    const { socket } = response
    socket?.write(head)
    const timer = setInterval(() => socket?.write(' '), everyMs)
    socket?.on('close', () => clearInterval(timer))
  }

/** Sends data for as long as the client reads. */
export const endless: Behavior = (request, response) => {
  takeBody(request, response)
  response.writeHead(200, { 'content-type': 'application/json' })
  const piece = Buffer.alloc(65_536, ' ')
  const go = (): void => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', go)
  response.on('error', () => {})
  go()
}
