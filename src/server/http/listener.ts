import type { Logger } from '../operations/logging.ts'
import { explainListenError, openPort, PortError } from './open-port.ts'
import type { ListenAddress, OpenPort, OpenPortWith } from './open-port.ts'
import { hasBody } from './read-body.ts'
import { createRequestEntry } from './request-entry.ts'
import type { Application, OnRequest } from './request-entry.ts'
import { createServiceMeter } from './service-meter.ts'
import type { RouteCount } from '../operations/route-counts.ts'
import type { ServiceFigures } from './service-meter.ts'
import { logTexts } from '../operations/log.texts.ts'

export type { ListenAddress } from './open-port.ts'
export type { Application } from './request-entry.ts'

type ListenerState = 'starting' | 'running' | 'stopping' | 'stopped' | 'failed'

/** The HTTP listener of one of the two services. */
export interface Listener {
  readonly name: string
  /** `http://127.0.0.1:4280`; the configured port until the service listens. */
  readonly url: string
  readonly port: number
  readonly state: ListenerState
  readonly error: Error | null
  /** Whether it failed because another program uses its port. */
  readonly portTaken: boolean
  /** When it started to listen; null if it is not running. */
  readonly startedAt: Date | null
  figures(): ServiceFigures
  /** The answers by route since the start of the process. */
  routes(): RouteCount[]
  /** Sets the application to serve. Call it once, before the first start. */
  serve(application: Application): void
  /** Calls the watcher whenever the state or the address changes. */
  onChange(watcher: () => void): void
  /** Calls the watcher with the number of requests with a body in flight, whenever it changes. */
  watchUploads(watcher: (count: number) => void): void
  /** Throws PortError if the port is not available, CertificateError if the certificate is invalid. */
  start(): Promise<void>
  /** Finishes requests in flight, refuses new ones, and cuts off those that take longer than 6 s. */
  stop(): Promise<void>
  /**
   * Moves to another address; requests in flight at the old one are finished there. If it is not running, the address
   * is used at the next start. Throws like `start`, and then stays at the old address.
   */
  move(address: ListenAddress): Promise<void>
}

interface ListenerOptions {
  name: string
  address: ListenAddress
  /** The port of an earlier run, reused if the address lets the system choose (port 0). */
  formerPort?: number | null
  log: Logger
  /** Whether to log every request, or all except quick, successful reads. */
  requestLines: 'all' | 'notable'
  /** Headers of every answer, including those to invalid HTTP. */
  headers?: () => Record<string, string>
  /** Milliseconds that requests in flight get to finish after `stop`. */
  stopTimeoutMs?: number
  /** Milliseconds over which a client must read its answers at the minimum rate. */
  paceWindowMs: number
  /** Milliseconds in which a client must send all headers of a request. */
  headersTimeoutMs?: number
  /** Opens a port whose connections other processes accept. */
  openPort?: OpenPortWith
}

/** Leaves time for the rest of the server to stop: the whole stop takes at most 10 s. */
const defaultStopTimeoutMs = 6000

export function createListener(options: ListenerOptions): Listener {
  const { name, log, paceWindowMs, headersTimeoutMs } = options
  const headers = options.headers ?? (() => ({}))
  const stopTimeoutMs = options.stopTimeoutMs ?? defaultStopTimeoutMs
  const meter = createServiceMeter()
  const closing = new Set<Promise<void>>()
  let address = options.address
  let state: ListenerState = 'stopped'
  let failure: Error | null = null
  let opened: OpenPort | null = null
  let starting: Promise<void> | null = null
  let moving: Promise<void> | null = null
  let startedAt: Date | null = null
  /** A port that the system chose is reused, so that addresses stay valid. */
  let chosenPort = options.formerPort ?? 0
  let uploads = 0
  let application: Application | null = null
  const watchers: (() => void)[] = []
  const notifyWatchers = (): void => {
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
    notifyWatchers()
  }

  const enter = createRequestEntry({
    name,
    log,
    requestLines: options.requestLines,
    headers,
    meter,
    application: () => (state === 'running' ? application : null),
  })

  const onRequest: OnRequest = (req, res, isClosing) => {
    if (hasBody(req)) {
      countUploads(1)
      res.once('close', () => countUploads(-1))
    }
    enter(req, res, isClosing)
  }

  const { openPort: open = openPort } = options
  const openAt = async (target: ListenAddress): Promise<OpenPort> => {
    const exact = { ...target, port: target.port === 0 ? chosenPort : target.port }
    try {
      const port = await open(exact, {
        name,
        log,
        headers,
        paceWindowMs,
        ...(headersTimeoutMs === undefined ? {} : { headersTimeoutMs }),
        onRequest,
        meter,
      })
      if (target.port === 0) chosenPort = port.address.port
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
      const { host, tls } = opened?.address ?? address
      return `${tls === null ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${listener.port}`
    },
    get port() {
      return opened?.address.port ?? (address.port === 0 ? chosenPort : address.port)
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
    routes: meter.routes.list,
    serve(served) {
      application = served
    },
    onChange: (watcher) => void watchers.push(watcher),
    watchUploads: (watcher) => void uploadWatchers.push(watcher),

    async start() {
      if (state === 'running') return
      starting ??= startOnce().finally(() => {
        starting = null
      })
      await starting
    },

    async stop() {
      // What is being opened must be closed too.
      if (starting !== null || moving !== null) await Promise.allSettled([starting, moving])
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
      log.info({ service: name }, logTexts.stopped)
    },

    async move(next) {
      // A start in progress still tries the old address.
      await starting?.catch(() => {})
      if (opened === null || state !== 'running') {
        address = next
        return
      }
      moving = moveFrom(opened, next).finally(() => {
        moving = null
      })
      await moving
    },
  }

  const moveFrom = async (from: OpenPort, next: ListenAddress): Promise<void> => {
    // If the system chooses the port again, keep its last choice, or else the current port.
    if (next.port === 0 && chosenPort === 0) chosenPort = from.address.port
    const nextPort = next.port === 0 ? chosenPort : next.port
    // The port can't be opened twice, even at another address, so the old address is closed first.
    const isSamePort = nextPort === from.address.port
    if (isSamePort) void close(from)
    try {
      opened = await openAt(next)
    } catch (error) {
      if (isSamePort) await reopen(from.address)
      throw error
    }
    address = next
    if (!isSamePort) void close(from)
    become('running')
    log.info({ service: name, url: listener.url }, logTexts.listeningElsewhere)
  }

  const startOnce = async (): Promise<void> => {
    failure = null
    become('starting')
    try {
      opened = await openAt(address)
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      become('failed')
      log.error({ service: name }, failure.message)
      throw failure
    }
    become('running')
    log.info({ service: name, url: listener.url }, logTexts.listening)
  }

  /** Returns to the previous address. */
  const reopen = async (former: ListenAddress): Promise<void> => {
    try {
      opened = await openAt(former)
      notifyWatchers()
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      opened = null
      become('failed')
      throw failure
    }
  }

  return listener
}
