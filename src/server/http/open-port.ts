import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { settingDeclarations } from '../../shared/settings.ts'
import { codeOf } from '../../shared/errors.ts'
import type { Logger } from '../operations/logging.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { checkCertificate, rereadCertificate } from './certificate.ts'
import type { CertificateFiles } from './certificate.ts'
import { connectionLimits, createConnections } from './connections.ts'
import { http, https } from '../operations/node-http.ts'
import { findPortHolder } from './port-holder.ts'
import { hasBody, holdContinue, limitUnreadBody } from './read-body.ts'
import type { OnRequest } from './request-entry.ts'
import type { RequestMeter } from './service-meter.ts'
import { texts } from './http.texts.ts'
import { logTexts } from '../operations/log.texts.ts'

/** The address that a service listens on. */
export interface ListenAddress {
  host: string
  /** 0 takes any free port. */
  port: number
  tls: CertificateFiles | null
}

/** A port that is not available; the message names the program that uses it, if known. */
export class PortError extends Error {
  override readonly name = 'PortError'

  /** Whether another program uses it. */
  get isTaken(): boolean {
    return codeOf(this.cause) === 'EADDRINUSE'
  }
}

/** An address that this computer does not have. */
export class HostError extends PortError {}

/** An open port of a service, with its connections. */
export interface OpenPort {
  readonly address: ListenAddress
  /** Accepts no more connections; resolves when all requests are answered, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>
}

interface OpenPortOptions {
  name: string
  log: Logger
  /** Headers of every answer, including those to invalid HTTP. */
  headers(): Record<string, string>
  /** Milliseconds over which a client must read its answers at the minimum rate. */
  paceWindowMs: number
  /** Milliseconds in which a client must send all headers of a request. */
  headersTimeoutMs?: number
  onRequest: OnRequest
  /** Listens on this Unix socket or named pipe instead. */
  path?: string
}

/** Opens a port and counts the answers that other processes give. */
export type OpenPortWith = (
  address: ListenAddress,
  options: OpenPortOptions & { meter: RequestMeter },
) => Promise<OpenPort>

export const defaultHeadersTimeoutMs = 20_000

const maxHeaders = 200

const serverOptions: ServerOptions = {
  // A token that is far too long still gets a 401 instead of a 431 without a body.
  maxHeaderSize: 65_536,
  // For the slowest allowed upload; a stalled body is cut off much earlier.
  requestTimeout: 15 * 60_000,
  keepAliveTimeout: 10_000,
  // Node would answer without a body; the listener answers with an ErrorResponse.
  requireHostHeader: false,
}

/** Opens a port. Throws system errors, which `explainListenError` turns into messages. */
export function openPort(address: ListenAddress, options: OpenPortOptions): Promise<OpenPort> {
  const { name, log, headers, paceWindowMs, headersTimeoutMs = defaultHeadersTimeoutMs } = options
  const { tls } = address
  let isClosing = false
  const limits: ServerOptions = {
    ...serverOptions,
    headersTimeout: headersTimeoutMs,
    // Also closes connections that have not sent a request in time.
    connectionsCheckingInterval: headersTimeoutMs / 4,
  }
  // Throws for an invalid certificate, so nothing that keeps the process alive may be started before it.
  const server =
    tls === null
      ? http.createServer(limits)
      : https.createServer({ ...limits, handshakeTimeout: 20_000, ...checkCertificate(tls) })
  // A request with more is refused with 431.
  server.maxHeadersCount = maxHeaders
  // Includes connections whose TLS handshake has not ended.
  server.maxConnections = 2 * connectionLimits.total
  const connections = createConnections(paceWindowMs, connectionLimits, (client) =>
    log.warn({ service: name, client }, logTexts.clientRefused),
  )

  const onRequest = (req: IncomingMessage, res: ServerResponse): void => {
    if (hasBody(req)) res.once('finish', () => limitUnreadBody(req))
    connections.inTurn(req, res, () => options.onRequest(req, res, isClosing))
  }
  server.on(tls === null ? 'connection' : 'secureConnection', connections.add)
  server.on('request', onRequest)
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    holdContinue(req)
    onRequest(req, res)
  })
  // Unknown values of `Expect` are ignored.
  server.on('checkExpectation', onRequest)
  server.on('clientError', (error: Error, socket: Socket) =>
    answerBrokenRequest(error, socket, connections.lastAnswer(socket), headers()),
  )

  const close = async (timeoutMs: number): Promise<void> => {
    isClosing = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // Closes each connection as soon as it is idle. Node does not count a connection without any request as idle.
    const closeIdle = setInterval(() => {
      server.closeIdleConnections()
      connections.closeUnused()
    }, 20)
    const limit = setTimeout(() => server.closeAllConnections(), timeoutMs)
    await closed
    connections.end()
    clearInterval(closeIdle)
    clearTimeout(limit)
  }

  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      connections.end()
      reject(error)
    })
    const { path } = options
    server.listen(path === undefined ? { port: address.port, host: address.host } : { path }, () => {
      server.removeAllListeners('error')
      server.on('error', (error) => log.error({ err: error, service: name }, logTexts.listenerError))
      const timer = tls === null ? undefined : rereadCertificate(tls, () => server as TlsServer, log)
      resolve({
        address: path === undefined ? { ...address, port: (server.address() as AddressInfo).port } : address,
        close(timeoutMs) {
          clearInterval(timer)
          return close(timeoutMs)
        },
      })
    })
  })
}

export async function explainListenError(
  error: unknown,
  name: string,
  { host, port }: ListenAddress,
): Promise<Error> {
  const code = codeOf(error) ?? ''
  const address = `${host}:${port}`
  const service = texts.listening.service(name)
  const { variable } = settingDeclarations[name === 'dashboard' ? 'dashboardPort' : 'port']
  if (code === 'EADDRINUSE') {
    const holder = await findPortHolder(port)
    const who =
      holder === null ? texts.listening.otherProgram : texts.listening.program(holder.command, holder.pid)
    return new PortError(texts.listening.portInUse(address, who, service, variable), { cause: error })
  }
  if (code === 'EACCES') {
    return new PortError(texts.listening.notAllowed(address, service, variable), { cause: error })
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new HostError(texts.listening.otherHost(host, service), { cause: error })
  }
  return error instanceof Error ? error : new Error(String(error))
}
