import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DomainError } from '../../shared/errors.ts'
import type { Logger } from '../operations/logging.ts'
import { sendError } from './error-handler.ts'
import { offerErrorPage } from './error-page.ts'
import type { MakeErrorPage } from './error-page.ts'
import { explainListenError, openPort, PortError } from './open-port.ts'
import type { OpenPort, Place } from './open-port.ts'
import { hasBody } from './read-body.ts'
import { findRepeatedHeader } from './repeated-header.ts'
import { noteRequest } from './request-log.ts'
import { createServiceMeter } from './service-meter.ts'
import type { ServiceFigures } from './service-meter.ts'

export type { Place } from './open-port.ts'

export type ListenerState = 'starting' | 'running' | 'stopping' | 'stopped' | 'failed'

/** One of the two services. */
export interface Listener {
  readonly name: string
  /** `http://127.0.0.1:4280`; the configured port until the service listens. */
  readonly url: string
  readonly port: number
  readonly state: ListenerState
  readonly error: Error | null
  /** Whether it does not listen because another program has its port. */
  readonly portTaken: boolean
  /** Since when it listens; null where it does not. */
  readonly startedAt: Date | null
  figures(): ServiceFigures
  /** Gives the listener what it serves; to be called once, before the first start. */
  serve(application: Application): void
  /** Calls the watcher whenever the state or the place is another one. */
  onChange(watcher: () => void): void
  /** Calls the watcher with how many requests with a body are in flight, whenever that has changed. */
  watchUploads(watcher: (count: number) => void): void
  /** Throws PortError where the port cannot be had, CertificateError where the certificate cannot be used. */
  start(): Promise<void>
  /** Finishes what is in flight, refuses what is new, and ends what takes longer than 6 s. */
  stop(): Promise<void>
  /**
   * Listens at another place from now on; what is in flight at the old one is finished there. Where it does not
   * listen now, the place counts for the next start. Throws as `start` does, and then listens where it did.
   */
  move(place: Place): Promise<void>
}

/** What answers the requests of a listener. */
export interface Application {
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Shows people what is refused; without it every refusal is an ErrorResponse. */
  errorPage?: MakeErrorPage
  /** Ends the answers that never end by themselves; called when a stop begins. */
  endStreams?(): void
}

export interface ListenerOptions {
  name: string
  place: Place
  /** The port of an earlier run, for a place that leaves the choice to the system. */
  formerPort?: number | null
  log: Logger
  /** Whether each request gets a line in the log, or only what is more than a quick read that went well. */
  requestLines: 'all' | 'notable'
  /** What every answer of this service carries, refusals of broken requests included. */
  headers?: Record<string, string>
  /** Milliseconds for requests in flight after `stop`. */
  stopTimeoutMs?: number
  /** Milliseconds over which a client must read at the minimum rate what is sent to it. */
  paceWindowMs: number
}

/** Leaves time for all that ends behind the listeners: the whole stop takes 10 s at most. */
const defaultStopTimeoutMs = 6000

export function createListener(options: ListenerOptions): Listener {
  const { name, log, paceWindowMs } = options
  const requestPrefix = randomBytes(4).toString('hex')
  const headers = options.headers ?? {}
  const stopTimeoutMs = options.stopTimeoutMs ?? defaultStopTimeoutMs
  const meter = createServiceMeter()
  const closing = new Set<Promise<void>>()
  let place = options.place
  let state: ListenerState = 'stopped'
  let failure: Error | null = null
  let opened: OpenPort | null = null
  let startedAt: Date | null = null
  /** What the system chose once is asked for again, so that addresses stay good. */
  let chosenPort = options.formerPort ?? 0
  let requests = 0
  let uploads = 0
  let application: Application | null = null
  const watchers: (() => void)[] = []
  const tellWatchers = (): void => {
    for (const watcher of watchers) watcher()
  }
  const uploadWatchers: ((count: number) => void)[] = []
  const countUploads = (change: 1 | -1): void => {
    uploads += change
    for (const watcher of uploadWatchers) watcher(uploads)
  }

  const become = (next: ListenerState): void => {
    state = next
    startedAt = next === 'running' ? new Date() : null
    tellWatchers()
  }

  const onRequest = (req: IncomingMessage, res: ServerResponse, isClosing: boolean): void => {
    requests += 1
    const requestId = `${requestPrefix}-${requests.toString(36)}`
    noteRequest({ service: name, requestId, log, lines: options.requestLines, meter }, req, res)
    for (const [header, value] of Object.entries(headers)) res.setHeader(header, value)
    if (application?.errorPage !== undefined) offerErrorPage(req, application.errorPage)
    res.setHeader('X-Request-Id', requestId)
    if (isClosing) res.setHeader('Connection', 'close')
    if (application === null || state !== 'running') {
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
    const repeated = findRepeatedHeader(req)
    if (repeated !== null) {
      const message = `The request has more than one ${repeated} header. Send it once.`
      sendError(req, res, new DomainError('BAD_REQUEST', message), log)
      return
    }
    if (hasBody(req)) {
      countUploads(1)
      res.once('close', () => countUploads(-1))
    }
    application.handle(req, res)
  }

  const open = async (wanted: Place): Promise<OpenPort> => {
    const exact = { ...wanted, port: wanted.port === 0 ? chosenPort : wanted.port }
    try {
      const port = await openPort(exact, { name, log, headers, paceWindowMs, onRequest })
      if (wanted.port === 0) chosenPort = port.place.port
      return port
    } catch (error) {
      throw await explainListenError(error, name, exact)
    }
  }

  const close = (port: OpenPort): Promise<void> => {
    const closed = port.close(stopTimeoutMs).finally(() => closing.delete(closed))
    closing.add(closed)
    return closed
  }

  const listener: Listener = {
    name,
    get url() {
      const { host, tls } = opened?.place ?? place
      return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${listener.port}`
    },
    get port() {
      return opened?.place.port ?? (place.port === 0 ? chosenPort : place.port)
    },
    get state() {
      return state
    },
    get error() {
      return failure
    },
    get portTaken() {
      return state === 'failed' && failure instanceof PortError && failure.isTaken
    },
    get startedAt() {
      return startedAt
    },
    figures: meter.read,
    serve(served) {
      application = served
    },
    onChange: (watcher) => void watchers.push(watcher),
    watchUploads: (watcher) => void uploadWatchers.push(watcher),

    async start() {
      if (state === 'running' || state === 'starting') return
      failure = null
      become('starting')
      try {
        opened = await open(place)
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
        become('failed')
        log.error({ service: name }, failure.message)
        throw failure
      }
      become('running')
      log.info({ service: name, url: listener.url }, 'listening')
    },

    async stop() {
      const running = opened
      if (running === null || state !== 'running') {
        await Promise.all(closing)
        return
      }
      become('stopping')
      application?.endStreams?.()
      await Promise.all([close(running), ...closing])
      opened = null
      become('stopped')
      log.info({ service: name }, 'stopped')
    },

    async move(next) {
      const from = opened
      if (from === null || state !== 'running') {
        place = next
        return
      }
      // Where the choice is the system's again, its last one is good still, or else the port of now.
      if (next.port === 0 && chosenPort === 0) chosenPort = from.place.port
      const nextPort = next.port === 0 ? chosenPort : next.port
      // Two cannot have one port, whatever the address: then the old place is given up first.
      const isSamePort = nextPort === from.place.port
      if (isSamePort) void close(from)
      try {
        opened = await open(next)
      } catch (error) {
        if (isSamePort) await reopen(from.place)
        throw error
      }
      place = next
      if (!isSamePort) void close(from)
      become('running')
      log.info({ service: name, url: listener.url }, 'listening at another place')
    },
  }

  /** Goes back to where it listened before. */
  const reopen = async (former: Place): Promise<void> => {
    try {
      opened = await open(former)
      tellWatchers()
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      opened = null
      become('failed')
      throw failure
    }
  }

  return listener
}
