import type { Agent, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { http, https } from '../operations/node-http.ts'
import { hasBody } from './read-body.ts'
import type { OnRequest } from './request-entry.ts'

/** Holds the client's address and HTTP version. Only processes of this server reach the socket that it is read from. */
const workerHeader = 'x-skilldock-client'

/** Headers of one connection, which is not the client's. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', workerHeader])

const withoutConnection = (
  raw: readonly string[],
  isKept = (header: string) => !ofConnection.has(header),
): string[] =>
  raw.flatMap((name, at) => (at % 2 === 0 && isKept(name.toLowerCase()) ? [name, raw[at + 1] ?? ''] : []))

/** Where the process is that writes. */
interface Writer {
  /** What `http.request` needs to reach it. */
  target: { socketPath: string } | { protocol: string; host: string; port: string }
  /** The name and the value of the header that tells it who the client is. */
  clientHeader(req: IncomingMessage): [name: string, value: string]
  /** Answers a request that could not be passed on. */
  refuse(req: IncomingMessage, res: ServerResponse, error: Error): void
}

/** The server of this worker, at a Unix socket or named pipe. */
export const writerAtSocket = (socketPath: string): Writer => ({
  target: { socketPath },
  clientHeader: ({ socket, httpVersion }) => [workerHeader, `${socket.remoteAddress ?? ''} ${httpVersion}`],
  refuse: (_req, res) => void res.destroy(),
})

/** Another machine, which trusts this one as a proxy. */
export function writerAt({ protocol, hostname, port }: URL, refuse: Writer['refuse']): Writer {
  return {
    target: { protocol, host: hostname.replace(/^\[|\]$/g, ''), port },
    clientHeader({ socket, headers }) {
      const former = headers['x-forwarded-for']
      return ['X-Forwarded-For', [former, socket.remoteAddress ?? ''].filter(Boolean).join(', ')]
    },
    refuse,
  }
}

/** Passes requests to the process that writes, and its answers back. */
export function createForwarding({ target, clientHeader, refuse }: Writer): OnRequest {
  const { request, Agent } = 'protocol' in target && target.protocol === 'https:' ? https : http
  const agent: Agent = new Agent({ keepAlive: true })

  return (req, res, isClosing) => {
    const own = clientHeader(req)
    const headers = withoutConnection(
      req.rawHeaders,
      (header) =>
        header === 'transfer-encoding' || !(ofConnection.has(header) || header === own[0].toLowerCase()),
    )
    headers.push(...own)
    // Node would send a body of unknown length.
    if (!hasBody(req)) headers.push('Content-Length', '0')
    const sent = request({ agent, ...target, method: req.method, path: req.url, headers })
    let isAnswered = false
    sent.on('continue', () => res.writeContinue())
    sent.on('response', (answer: IncomingMessage) => {
      isAnswered = true
      const isLast = isClosing || answer.headers.connection === 'close'
      const kept = withoutConnection(answer.rawHeaders)
      if (isLast) kept.push('Connection', 'close')
      res.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept)
      pipeline(answer, res, (error) => {
        if (error) res.destroy()
      })
    })
    sent.on('error', (error) => {
      if (!isAnswered && !res.destroyed) refuse(req, res, error)
    })
    res.once('close', () => {
      sent.destroy()
      // After an early answer, the rest of the body is discarded.
      req.unpipe()
      req.resume()
    })
    sent.flushHeaders()
    req.pipe(sent)
  }
}

/** Makes a forwarded request appear as its client sent it. */
export function asSentByClient(next: OnRequest): OnRequest {
  return (req: IncomingMessage, res: ServerResponse, isClosing: boolean) => {
    const [address = '', version = '1.1'] = String(req.headers[workerHeader] ?? '').split(' ')
    delete req.headers[workerHeader]
    Object.defineProperty(req.socket, 'remoteAddress', { value: address, configurable: true })
    req.httpVersion = version
    next(req, res, isClosing)
  }
}
