import type { Agent, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { http } from './node-http.ts'
import { hasBody } from './read-body.ts'
import type { OnRequest } from './request-entry.ts'

/** Holds the client's address and HTTP version. Only processes of this server reach the socket that it is read from. */
const clientHeader = 'x-skilldock-client'

/** Headers of one connection, which is not the client's. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', clientHeader])

const withoutConnection = (raw: readonly string[], kept: string | null = null): string[] =>
  raw.flatMap((name, at) => {
    if (at % 2 === 1) return []
    const header = name.toLowerCase()
    return ofConnection.has(header) && header !== kept ? [] : [name, raw[at + 1] ?? '']
  })

/** Passes requests to the process at a Unix socket or named pipe, and its answers back. */
export function createForwarding(socketPath: string): OnRequest {
  const agent: Agent = new http.Agent({ keepAlive: true })

  return (req, res, isClosing) => {
    const headers = withoutConnection(req.rawHeaders, 'transfer-encoding')
    headers.push(clientHeader, `${req.socket.remoteAddress ?? ''} ${req.httpVersion}`)
    // Node would send a body of unknown length.
    if (!hasBody(req)) headers.push('Content-Length', '0')
    const sent = http.request({ agent, socketPath, method: req.method, path: req.url, headers })
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
    sent.on('error', () => {
      if (!isAnswered) res.destroy()
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
    const [address = '', version = '1.1'] = String(req.headers[clientHeader] ?? '').split(' ')
    delete req.headers[clientHeader]
    Object.defineProperty(req.socket, 'remoteAddress', { value: address, configurable: true })
    req.httpVersion = version
    next(req, res, isClosing)
  }
}
