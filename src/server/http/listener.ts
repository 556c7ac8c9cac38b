import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { DomainError } from '../../shared/errors.ts'
import type { Logger } from '../logging.ts'
import { errorBody, sendError } from './error-handler.ts'
import { findPortHolder } from './port-holder.ts'
import { hasBody, holdContinue, limitUnreadBody } from './read-body.ts'
import { statusOf } from './statuses.ts'

export type ListenerState = 'starting' | 'running' | 'stopping' | 'stopped' | 'failed'

/** One of the two services. */
export interface Listener {
  readonly name: string
  /** `http://127.0.0.1:4280`; the configured port until the service listens. */
  readonly url: string
  readonly state: ListenerState
  readonly error: Error | null
  /** Throws PortError where the port cannot be had. */
  start(): Promise<void>
  /** Finishes what is in flight, refuses what is new, and ends what takes longer than 10 s. */
  stop(): Promise<void>
}

export interface ListenerOptions {
  name: string
  host: string
  /** 0 takes any free port. */
  port: number
  tls: { cert: string; key: string } | null
  log: Logger
  /** What every answer of this service carries, refusals of broken requests included. */
  headers?: Record<string, string>
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Ends the answers that never end by themselves; called when `stop` begins. */
  onStop?(): void
  /** Milliseconds for requests in flight after `stop`. */
  stopTimeoutMs?: number
}

/** A port that cannot be had, with who has it where the system tells. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/** A certificate that cannot be used. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError'
}

const defaultStopTimeoutMs = 10_000
/** Milliseconds between two looks at the certificate's files. */
const certificateCheckMs = 2000

const serverOptions: ServerOptions = {
  // A token that is far too long still gets its 401 instead of a bare 431.
  maxHeaderSize: 65_536,
  headersTimeout: 20_000,
  // The slowest upload that is waited for; a body that stops altogether ends much earlier.
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 10_000,
  // Node would answer without a body; a request without Host gets an ErrorResponse like every other.
  requireHostHeader: false,
}

export function createListener(options: ListenerOptions): Listener {
  const { name, host, log } = options
  const requestPrefix = randomBytes(4).toString('hex')
  let state: ListenerState = 'stopped'
  let failure: Error | null = null
  let server: Server | TlsServer | null = null
  let port = options.port
  let certificateTimer: NodeJS.Timeout | undefined
  let requests = 0
  const answers = new WeakMap<Socket, ServerResponse>()
  const connections = new Set<Socket>()
  const headers = options.headers ?? {}

  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    requests += 1
    answers.set(req.socket, res)
    for (const [header, value] of Object.entries(headers)) res.setHeader(header, value)
    res.setHeader('X-Request-Id', `${requestPrefix}-${requests.toString(36)}`)
    if (hasBody(req)) res.once('finish', () => limitUnreadBody(req))
    if (state !== 'running') {
      res.setHeader('Connection', 'close')
      const stopping = new DomainError('STOPPING', 'This server is stopping. Try again in a few seconds.', {
        retryAfter: 5,
      })
      sendError(req, res, stopping, log)
      return
    }
    if (req.headers.host === undefined && req.httpVersion === '1.1') {
      sendError(req, res, new DomainError('BAD_REQUEST', 'The request has no Host header. Send it.'), log)
      return
    }
    options.handle(req, res)
  }

  const listen = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const created =
        options.tls === null
          ? createServer(serverOptions)
          : createTlsServer({ ...serverOptions, ...checkCertificate(options.tls) })
      created.on(options.tls === null ? 'connection' : 'secureConnection', (socket: Socket) => {
        connections.add(socket)
        socket.once('close', () => connections.delete(socket))
      })
      created.on('request', onRequest)
      created.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
        holdContinue(req)
        onRequest(req, res)
      })
      // Whatever else is expected in `Expect` is not known here and is no reason to refuse.
      created.on('checkExpectation', onRequest)
      created.on('clientError', (error: Error, socket: Socket) =>
        answerBrokenRequest(error, socket, answers.get(socket), headers),
      )
      created.once('error', reject)
      created.listen(port, host, () => {
        created.off('error', reject)
        created.on('error', (error) =>
          log.error({ err: error, service: name }, 'the listener reports an error'),
        )
        server = created
        port = (created.address() as AddressInfo).port
        resolve()
      })
    })

  return {
    name,
    get url() {
      return `${options.tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`
    },
    get state() {
      return state
    },
    get error() {
      return failure
    },

    async start() {
      if (state === 'running' || state === 'starting') return
      state = 'starting'
      failure = null
      try {
        await listen()
      } catch (error) {
        state = 'failed'
        failure = await explainListenError(error, name, host, port)
        throw failure
      }
      state = 'running'
      if (options.tls !== null)
        certificateTimer = rereadCertificate(options.tls, () => server as TlsServer, log)
      log.info({ service: name, url: this.url }, 'listening')
    },

    async stop() {
      const running = server
      if (running === null || state !== 'running') return
      state = 'stopping'
      options.onStop?.()
      clearInterval(certificateTimer)
      const closed = new Promise<void>((resolve) => running.close(() => resolve()))
      // Connections become idle one after the other; each is closed as soon as its answer is out. One on which
      // nothing was ever asked, as browsers open them beforehand, is not idle for Node.
      const closeIdle = setInterval(() => {
        running.closeIdleConnections()
        for (const socket of connections) if (!answers.has(socket)) socket.destroy()
      }, 20)
      const limit = setTimeout(
        () => running.closeAllConnections(),
        options.stopTimeoutMs ?? defaultStopTimeoutMs,
      )
      await closed
      clearInterval(closeIdle)
      clearTimeout(limit)
      server = null
      state = 'stopped'
      log.info({ service: name }, 'stopped')
    },
  }
}

async function explainListenError(error: unknown, name: string, host: string, port: number): Promise<Error> {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  const place = `${host}:${port}`
  if (code === 'EADDRINUSE') {
    const holder = await findPortHolder(port)
    const who = holder === null ? 'Another program' : `${holder.command} (process ${holder.pid})`
    return new PortError(
      `${who} listens on ${place} already, so the ${name} cannot start. Stop that program, or choose another port.`,
      { cause: error },
    )
  }
  if (code === 'EACCES') {
    return new PortError(
      `The system does not let this user listen on ${place}, so the ${name} cannot start. Choose a port above 1023.`,
      { cause: error },
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new PortError(
      `${host} is no address of this computer, so the ${name} cannot start. Choose another address.`,
      { cause: error },
    )
  }
  return error instanceof Error ? error : new Error(String(error))
}

/** Throws CertificateError where the files are not there or do not belong together. */
function checkCertificate(tls: { cert: string; key: string }): { cert: Buffer; key: Buffer } {
  try {
    const certificate = readCertificate(tls)
    createSecureContext(certificate)
    return certificate
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CertificateError(
      `The certificate cannot be used (${reason}). Correct SKILLDOCK_TLS_CERT (${tls.cert}) or SKILLDOCK_TLS_KEY (${tls.key}).`,
      { cause: error },
    )
  }
}

function readCertificate(tls: { cert: string; key: string }): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(tls.cert), key: readFileSync(tls.key) }
}

/** A renewed certificate is taken up without a restart; a broken one is reported and the old one stays. */
function rereadCertificate(
  tls: { cert: string; key: string },
  current: () => TlsServer,
  log: Logger,
): NodeJS.Timeout {
  const changedAt = (): string =>
    [tls.cert, tls.key].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ')
  let seen = changedAt()
  const timer = setInterval(() => {
    const now = changedAt()
    if (now === seen) return
    seen = now
    try {
      current().setSecureContext(readCertificate(tls))
      log.info('the certificate was read again')
    } catch (error) {
      log.error({ err: error }, 'the new certificate cannot be used; the old one stays')
    }
  }, certificateCheckMs)
  timer.unref()
  return timer
}

/**
 * What is no HTTP request gets an ErrorResponse too, as far as somebody is left to read it and no other
 * answer is on its way. `answer` is the last one of this connection.
 */
function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  answer: ServerResponse | undefined,
  headers: Record<string, string>,
): void {
  const isAnswering = answer !== undefined && answer.headersSent && !answer.writableFinished
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) {
    socket.destroy()
    return
  }
  const refusal = brokenRequest(error.code)
  const body = JSON.stringify(errorBody(refusal))
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : statusOf(refusal.code)
  const more = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n` +
      `${more.join('')}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function brokenRequest(code: string | undefined): DomainError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('HEADERS_TOO_LARGE', 'The headers of the request are too large. Shorten them.')
    case 'HPE_INVALID_EOF_STATE':
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new DomainError('BODY_INCOMPLETE', 'The request ended before it was complete. Send it again.')
    default:
      return new DomainError('BAD_REQUEST', 'This is no HTTP request that can be read.')
  }
}
