import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkCertificate } from '../http/certificate.ts'
import { asSentByClient } from '../http/forward.ts'
import { openPort } from '../http/open-port.ts'
import type { ListenAddress, OpenPort, OpenPortWith } from '../http/open-port.ts'
import type { Logger } from '../operations/logging.ts'
import { logTexts } from '../operations/log.texts.ts'
import type { FromWorker, ToWorker, WorkerSettings, WorkerSetup } from './worker-messages.ts'

interface WorkersOptions {
  count: number
  /** The script of a worker. */
  entry: string
  log: Logger
  /** Adds a line to the log. */
  writeLine(line: string): void
  countDownload(releaseId: number): void
  setup(): Omit<WorkerSetup, 'writer' | 'workers'>
}

export interface Workers {
  /** Opens a port in every worker; they share its connections. */
  openPort: OpenPortWith
  /** Tells the workers about changed settings. */
  send(settings: WorkerSettings): void
  /** Ends the workers, after all ports are closed. */
  end(): Promise<void>
}

/** Milliseconds before a worker that ended early is replaced; twice as long each time, up to a limit. */
const firstPauseMs = 50
const longestPauseMs = 5000
/** Milliseconds after which a worker did not end early. */
const provenMs = 10_000
/** Milliseconds within which a worker must end. */
const endMs = 2000
/** Milliseconds within which it must report a closed port, after those that requests get to finish. */
const closeMs = 1000

type Kind = FromWorker['kind']
type Message<K extends Kind> = Extract<FromWorker, { kind: K }>

/** Processes that accept the registry's connections; see docs/decisions/017. */
export function createWorkers(options: WorkersOptions): Workers {
  const { count, log } = options
  const isWindows = process.platform === 'win32'
  const folder = isWindows ? null : mkdtempSync(join(tmpdir(), 'skilldock-'))
  const path = folder === null ? `\\\\.\\pipe\\skilldock-${randomUUID()}` : join(folder, 'writer')
  cluster.setupPrimary({
    exec: options.entry,
    args: [],
    execArgv: [],
    serialization: 'json',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  cluster.schedulingPolicy = cluster.SCHED_RR
  const workers = new Set<Worker>()
  /** The open ports by their ids. */
  const ports = new Map<number, ListenAddress>()
  const closing = new Set<Promise<unknown>>()
  let lastId = 0
  let pauseMs = firstPauseMs
  let isEnding = false
  let socket: Promise<OpenPort> | null = null
  let meter: Parameters<OpenPortWith>[1]['meter'] | null = null

  const tell = (worker: Worker, message: ToWorker): void => void worker.send(message, () => {})

  /** Resolves with a worker's next message of one of these kinds about a port, or with null if it exits. */
  const next = <K extends Kind>(worker: Worker, id: number, ...kinds: K[]): Promise<Message<K> | null> =>
    new Promise((resolve) => {
      const settle = (message: Message<K> | null): void => {
        worker.off('message', onMessage)
        worker.off('exit', onExit)
        resolve(message)
      }
      const onExit = (): void => settle(null)
      const onMessage = (message: FromWorker): void => {
        if ('id' in message && message.id === id && kinds.includes(message.kind as K)) {
          settle(message as Message<K>)
        }
      }
      worker.on('message', onMessage)
      worker.once('exit', onExit)
    })

  const receive = (message: FromWorker): void => {
    if (message.kind === 'line') options.writeLine(message.line)
    else if (message.kind === 'downloaded') options.countDownload(message.releaseId)
    else if (message.kind === 'answered') {
      meter?.count(message.answers)
      for (const ms of message.times) meter?.time(ms)
      meter?.routes.merge(message.routes)
    }
  }

  const openIn = async (worker: Worker, id: number, address: ListenAddress): Promise<number> => {
    const answered = next(worker, id, 'opened', 'failed')
    tell(worker, { kind: 'open', id, address })
    const answer = await answered
    if (answer?.kind === 'opened') return answer.port
    throw answer === null
      ? new Error(logTexts.workerEnded)
      : Object.assign(new Error(answer.message), { code: answer.code })
  }

  const start = (): Worker => {
    const worker = cluster.fork()
    const startedAt = performance.now()
    workers.add(worker)
    worker.on('message', receive)
    worker.once('exit', (code, signal) => {
      workers.delete(worker)
      if (isEnding) return
      if (performance.now() - startedAt > provenMs) pauseMs = firstPauseMs
      log.error({ service: 'registry', code, signal }, logTexts.workerReplaced)
      setTimeout(replace, pauseMs)
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    })
    tell(worker, { kind: 'start', setup: { ...options.setup(), writer: path, workers: count } })
    return worker
  }

  const replace = (): void => {
    // Opening a port may have started one already.
    if (isEnding || workers.size >= count) return
    const worker = start()
    Promise.all([...ports].map(([id, address]) => openIn(worker, id, address))).catch((error: unknown) => {
      log.error({ err: error, service: 'registry' }, logTexts.listenerError)
      worker.process.kill('SIGKILL')
    })
  }

  const close = async (id: number, timeoutMs: number): Promise<void> => {
    ports.delete(id)
    const accepting: Promise<unknown>[] = []
    const closed = [...workers].map((worker) => {
      accepting.push(next(worker, id, 'closing'))
      const done = next(worker, id, 'closed')
      tell(worker, { kind: 'close', id, timeoutMs })
      const limit = setTimeout(() => worker.process.kill('SIGKILL'), timeoutMs + closeMs)
      return done.finally(() => clearTimeout(limit))
    })
    const all = Promise.all(accepting)
    closing.add(all)
    void all.then(() => closing.delete(all))
    await Promise.all(closed)
  }

  return {
    async openPort(address, portOptions) {
      // Throws for an invalid certificate.
      if (address.tls !== null) checkCertificate(address.tls)
      meter = portOptions.meter
      socket ??= openPort(address, { ...portOptions, path, onRequest: asSentByClient(portOptions.onRequest) })
      await Promise.all([socket, ...closing])
      while (workers.size < count) start()
      lastId += 1
      const id = lastId
      ports.set(id, address)
      try {
        const [port = 0] = await Promise.all([...workers].map((worker) => openIn(worker, id, address)))
        return { address: { ...address, port }, close: (timeoutMs) => close(id, timeoutMs) }
      } catch (error) {
        await close(id, 0)
        throw error
      }
    },

    send(settings) {
      for (const worker of workers) tell(worker, { kind: 'settings', settings })
    },

    async end() {
      isEnding = true
      await Promise.all(
        [...workers].map(async (worker) => {
          const limit = setTimeout(() => worker.process.kill('SIGKILL'), endMs)
          const exited = once(worker, 'exit')
          tell(worker, { kind: 'end' })
          await exited
          clearTimeout(limit)
        }),
      )
      await (await socket)?.close(0)
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
    },
  }
}
