import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from '../operations/logging.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { checkCertificate, rereadCertificate } from './certificate.ts'
import type { CertificateFiles } from './certificate.ts'
import { createConnections } from './connections.ts'
import { http, https } from './node-http.ts'
import { findPortHolder } from './port-holder.ts'
import { hasBody, holdContinue, limitUnreadBody } from './read-body.ts'

/** Where a service listens. */
export interface Place {
  host: string
  /** 0 takes any free port. */
  port: number
  tls: CertificateFiles | null
}

/** A port that cannot be had, with who has it where the system tells. */
export class PortError extends Error {
  override readonly name = 'PortError'

  /** Whether another program has it. */
  get isTaken(): boolean {
    return this.cause instanceof Error && 'code' in this.cause && this.cause.code === 'EADDRINUSE'
  }
}

/** An address that this computer does not have. */
export class HostError extends PortError {}

/** A port that is open for one service, with its connections. */
export interface OpenPort {
  readonly place: Place
  /** Takes no connection from now on; resolves when all is answered, or after `timeoutMs`. */
  close(timeoutMs: number): Promise<void>
}

export interface OpenPortOptions {
  name: string
  log: Logger
  /** What every answer of this service carries, refusals of broken requests included. */
  headers: Record<string, string>
  /** Milliseconds over which a client must read at the minimum rate what is sent to it. */
  paceWindowMs: number
  /** `isClosing` where this is the last answer of its connection. */
  onRequest(req: IncomingMessage, res: ServerResponse, isClosing: boolean): void
}

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

/** Opens a port. Throws what `explainListenError` explains. */
export function openPort(place: Place, options: OpenPortOptions): Promise<OpenPort> {
  const { name, log, headers, paceWindowMs } = options
  const { tls } = place
  let isClosing = false
  // Throws for a bad certificate; nothing that would keep the process alive may have begun before.
  const server =
    tls === null
      ? http.createServer(serverOptions)
      : https.createServer({ ...serverOptions, ...checkCertificate(tls) })
  const connections = createConnections(paceWindowMs)

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
  // Whatever else is expected in `Expect` is not known here and is no reason to refuse.
  server.on('checkExpectation', onRequest)
  server.on('clientError', (error: Error, socket: Socket) =>
    answerBrokenRequest(error, socket, connections.lastAnswer(socket), headers),
  )

  const close = async (timeoutMs: number): Promise<void> => {
    isClosing = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // Connections become idle one after the other; each is closed as soon as its answer is out. One on which
    // nothing was ever asked is not idle for Node.
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
    server.listen(place.port, place.host, () => {
      server.removeAllListeners('error')
      server.on('error', (error) => log.error({ err: error, service: name }, 'the listener reports an error'))
      const timer = tls === null ? undefined : rereadCertificate(tls, () => server as TlsServer, log)
      resolve({
        place: { ...place, port: (server.address() as AddressInfo).port },
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
  { host, port }: Place,
): Promise<Error> {
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
    return new HostError(
      `${host} is no address of this computer, so the ${name} cannot start. Choose another address.`,
      { cause: error },
    )
  }
  return error instanceof Error ? error : new Error(String(error))
}
