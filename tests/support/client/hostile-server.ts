import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A request as it has arrived here. */
export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  /** Bytes of its body so far. */
  bodyBytes: number
  /** The body, once it is whole. */
  body: Buffer | null
}

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

export interface HostileServer {
  url: string
  /** Every request that has arrived, oldest first. */
  seen: SeenRequest[]
  /** Requests for a path that matches are answered so from now on; the others are passed on. */
  when(path: RegExp, behaviour: Behaviour): void
  /** Forgets all requests and behaviours. */
  reset(): void
  stop(): Promise<void>
}

export interface HostileOptions {
  /** What stands behind it and answers what is not to be answered badly. */
  registry: string
  tls?: { cert: string; key: string }
}

/** A server between a client and the real registry that answers badly where a test says so. */
export async function startHostileServer({ registry, tls }: HostileOptions): Promise<HostileServer> {
  const seen: SeenRequest[] = []
  let behaviours: { path: RegExp; behaviour: Behaviour }[] = []
  const listener: RequestListener = (request, response) => {
    note(request, seen)
    const path = request.url ?? ''
    const chosen = behaviours.findLast((one) => one.path.test(path))
    const behaviour = chosen?.behaviour ?? passOn(registry)
    behaviour(request, response)
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  // Whoever waits for 100 is told so only by a behaviour that takes the body.
  server.on('checkContinue', listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    when(path, behaviour) {
      behaviours = [...behaviours, { path, behaviour }]
    },
    reset() {
      behaviours = []
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

/** The body that the client waits to be asked for, to be thrown away. */
const takeBody = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.headers.expect !== undefined) response.writeContinue()
  request.resume()
}

/** Hands the request to another server and its answer back. */
export function passOn(
  to: string,
  change: (answer: IncomingMessage, response: ServerResponse) => void = (answer, response) => {
    response.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
    answer.pipe(response)
  },
): Behaviour {
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

/** The real answer with something in its JSON changed. */
export const changeJson = <T>(to: string, change: (body: T) => unknown): Behaviour =>
  passOn(to, (answer, response) => {
    const pieces: Buffer[] = []
    answer.on('data', (piece: Buffer) => pieces.push(piece))
    answer.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as T
      response.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/json' })
      response.end(JSON.stringify(change(body)))
    })
  })

/** An answer of any kind. */
export const answerWith =
  (status: number, body: string | Uint8Array, headers: Record<string, string | number> = {}): Behaviour =>
  (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }

/** A refusal as registries give it. */
export const refuseWith = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  error = `The registry says ${code}.`,
): Behaviour => answerWith(status, JSON.stringify({ error, code }), headers)

/** Takes the whole request, then cuts the connection after so much of an answer. */
export const cutAfter =
  (answer: string): Behaviour =>
  (request, response) => {
    request.on('end', () => response.socket?.write(answer, () => response.socket?.destroy()))
    takeBody(request, response)
  }

/** Cuts the connection when so many bytes of the body have come. */
export const cutInBody =
  (bytes: number): Behaviour =>
  (request, response) => {
    let taken = 0
    request.on('data', (piece: Buffer) => {
      taken += piece.length
      if (taken >= bytes) response.socket?.destroy()
    })
    takeBody(request, response)
  }

/** Takes everything and never says a word. */
export const saysNothing: Behaviour = (request, response) => takeBody(request, response)

/** Says now and then a byte, for ever. */
export const drips =
  (everyMs: number, head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n'): Behaviour =>
  (request, response) => {
    takeBody(request, response)
    const { socket } = response
    socket?.write(head)
    const timer = setInterval(() => socket?.write(' '), everyMs)
    socket?.on('close', () => clearInterval(timer))
  }

/** Goes on for as long as somebody reads. */
export const endless: Behaviour = (request, response) => {
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
