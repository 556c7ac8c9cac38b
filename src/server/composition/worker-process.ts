import process from 'node:process'
import { createMarkdownReader } from '../content/markdown-reader.ts'
import { dataPaths } from '../data-folder/data-folder.ts'
import { openDatabase } from '../db/database.ts'
import { createClientOf } from '../http/client-address.ts'
import { createForwarding, writerAtSocket } from '../http/forward.ts'
import { openPort } from '../http/open-port.ts'
import type { OpenPort } from '../http/open-port.ts'
import { transportHeaders } from '../http/replies.ts'
import { createRequestEntry } from '../http/request-entry.ts'
import type { OnRequest } from '../http/request-entry.ts'
import { createRouteCounts } from '../operations/route-counts.ts'
import { watchCorruptValues } from '../operations/corrupt-values.ts'
import { createLogger } from '../operations/logging.ts'
import { openFileStores } from '../storage/open-stores.ts'
import { createPublicReads } from './public-reads.ts'
import { createReadRequests } from './read-requests.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './worker-messages.ts'

// A worker of `serve --workers`: answers public reads from the data folder, and forwards all other requests to the
// process that writes. See docs/decisions/017.

/** Milliseconds between two reports of answered requests, and the durations kept in between. */
const reportMs = 250
const maxTimes = 1024

const send = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {})

async function createWorker(setup: WorkerSetup) {
  const { paceWindowMs } = setup
  const { config } = setup.settings
  const log = createLogger({ write: (line: string) => send({ kind: 'line', line }) })
  const paths = dataPaths(config.dataFolder)
  watchCorruptValues(log)
  const publicUrl = (): string => config.publicUrl ?? setup.settings.registryUrl
  const { packages: files, pictures: imageFiles } = await openFileStores(paths, config.storage)
  const reads = createPublicReads({
    ...setup,
    config,
    publicUrl,
    publicKeys: () => setup.settings.publicKeys,
    database: openDatabase(paths.database, { readonly: true }),
    files,
    imageFiles,
    markdown: createMarkdownReader({ entry: setup.markdownEntry, log }),
    downloads: { count: (releaseId) => send({ kind: 'downloaded', releaseId }) },
    processes: setup.workers,
  })
  const { application, answers: isOwn } = createReadRequests({
    handlers: reads.handlers,
    errorPage: reads.pages.errorPage,
    log,
    clientOf: createClientOf(() => config.trustProxy),
    urls: () => ({ listenerUrl: setup.settings.registryUrl, publicUrl: config.publicUrl }),
    checkReplies: setup.checkReplies,
    paceWindowMs,
  })

  let answers = 0
  let times: number[] = []
  const meter = {
    count: () => void (answers += 1),
    time: (ms: number) => void (times.length < maxTimes && times.push(ms)),
    routes: createRouteCounts(),
  }
  const report = (): void => {
    if (answers > 0) send({ kind: 'answered', answers, times, routes: meter.routes.take() })
    answers = 0
    times = []
  }
  setInterval(report, reportMs)

  const options = { name: 'registry', log, headers: () => transportHeaders(publicUrl()) }
  const answer = createRequestEntry({
    ...options,
    requestLines: 'notable',
    meter,
    application: () => application,
  })
  const forward = createForwarding(writerAtSocket(setup.writer))
  const onRequest: OnRequest = (req, res, isClosing) => (isOwn(req) ? answer : forward)(req, res, isClosing)

  const ports = new Map<number, OpenPort>()

  return async (message: ToWorker): Promise<void> => {
    if (message.kind === 'settings') {
      Object.assign(config, message.settings.config)
      const { registryUrl, publicKeys } = message.settings
      Object.assign(setup.settings, { registryUrl, publicKeys })
    } else if (message.kind === 'open') {
      const { id, address } = message
      try {
        const port = await openPort(address, { ...options, paceWindowMs, onRequest })
        ports.set(id, port)
        send({ kind: 'opened', id, port: port.address.port })
      } catch (error) {
        const { code = '', message: text } = error as NodeJS.ErrnoException
        send({ kind: 'failed', id, code, message: text })
      }
    } else if (message.kind === 'close') {
      const { id, timeoutMs } = message
      const closed = ports.get(id)?.close(timeoutMs)
      ports.delete(id)
      send({ kind: 'closing', id })
      await closed
      report()
      send({ kind: 'closed', id })
    } else if (message.kind === 'end') {
      report()
      process.disconnect()
    }
  }
}

// Ctrl+C reaches every process of the terminal; the process that writes ends its workers.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

let worker: ReturnType<typeof createWorker> | null = null
process.on('message', (message: ToWorker) => {
  if (message.kind === 'start') worker = createWorker(message.setup)
  else void worker?.then((handle) => handle(message))
})
