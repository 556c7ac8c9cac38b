import { createApps } from './app.ts'
import type { Config } from './config.ts'
import { dataPaths, initializeDataFolder, lockForServing } from './data-folder.ts'
import type { DataPaths } from './data-folder.ts'
import { openDatabase } from './db/database.ts'
import type { Database } from './db/database.ts'
import type { FileLock } from './db/file-lock.ts'
import { createReleaseRepository } from './domains/releases/releases.repository.ts'
import { createListener } from './http/listener.ts'
import type { Listener } from './http/listener.ts'
import { defaultBodyIdleMs } from './http/read-body.ts'
import type { Logger } from './logging.ts'
import { readRunning, removeRunning, writeAtomically } from './running-file.ts'
import { createLocalFileStore } from './storage/local-file-store.ts'
import { readSigningKey } from './storage/signing-key.ts'
import { createWasmValidator } from './wasm/wasm-validator.ts'
import type { ValidatorProcess } from './wasm/wasm-validator.ts'

export type { Config } from './config.ts'
export type { Listener } from './http/listener.ts'

export interface ServerOptions {
  config: Config
  log: Logger
  /** Starts the process that checks modules: forked headless, a second utility process in the app. */
  startValidator(): ValidatorProcess
  /** Check every JSON reply against its contract: in tests and development. */
  checkReplies?: boolean
  /** Milliseconds without a byte after which a body counts as stopped. */
  bodyIdleMs?: number
  /** Milliseconds for requests in flight after `stop`. */
  stopTimeoutMs?: number
  /** Holds the built desk; without it the desk's address says that there is none. */
  deskFolder?: string
  /** Milliseconds between two heartbeats of an event stream. */
  heartbeatMs?: number
}

export interface Server {
  readonly registry: Listener
  readonly loopback: Listener
  /** Begins with the work that waits until both services accept requests. */
  beginBacklog(): void
  /** Stops both listeners gracefully, then everything behind them. Safe to call again. */
  stop(): Promise<void>
}

/** Another server serves this data folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
}

/**
 * Opens the data folder and makes both services, listening as soon as each is started. Throws
 * FolderInUseError where another server has the folder. A port that cannot be had is the listener's own
 * error, so that the other one can go on.
 */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { config } = options
  const paths = dataPaths(config.dataFolder)
  initializeDataFolder(paths)
  const lock = lockForServing(paths)
  if (lock === null) throw new FolderInUseError(describeHolder(config.dataFolder, readRunning(paths.running)))

  // Whoever waits for the file must not take the addresses of the last time for those of this one.
  if (config.readyFile !== null) removeRunning(config.readyFile)
  let database: Database | null = null
  try {
    database = openDatabase(paths.database)
    return await openServices(options, paths, lock, database)
  } catch (error) {
    database?.close()
    lock.release()
    throw error
  }
}

/** The services on an open data folder; `stop` gives the folder back. */
async function openServices(
  options: ServerOptions,
  paths: DataPaths,
  lock: FileLock,
  database: Database,
): Promise<Server> {
  const { config, log } = options
  const files = await createLocalFileStore(paths.packages)
  const swept = await files.sweep(createReleaseRepository(database.reader).isDigestUsed)
  if (swept > 0) log.info({ files: swept }, 'removed files that no release uses')
  const validator = createWasmValidator({ startProcess: options.startValidator })

  const made: { registry?: Listener; loopback?: Listener } = {}
  const serviceOf = (name: keyof typeof made): Listener => {
    const listener = made[name]
    if (listener === undefined) throw new Error(`The ${name} listener is not there yet`)
    return listener
  }
  const apps = await createApps({
    config,
    database,
    files,
    validator,
    log,
    signingKey: readSigningKey(paths.signingKey),
    checkReplies: options.checkReplies ?? false,
    bodyIdleMs: options.bodyIdleMs ?? defaultBodyIdleMs,
    publicUrl: () => config.publicUrl ?? serviceOf('registry').url,
    registry: () => serviceOf('registry'),
    dashboard: () => serviceOf('loopback'),
    deskFolder: options.deskFolder ?? null,
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
  })
  const shared = {
    log,
    ...(options.stopTimeoutMs === undefined ? {} : { stopTimeoutMs: options.stopTimeoutMs }),
  }
  const tls =
    config.tlsCert === null || config.tlsKey === null ? null : { cert: config.tlsCert, key: config.tlsKey }
  const registry = createListener({
    ...shared,
    name: 'registry',
    host: config.host,
    port: config.port,
    tls,
    handle: apps.registry,
  })
  const loopback = createListener({
    ...shared,
    name: 'dashboard',
    host: '127.0.0.1',
    port: config.dashboardPort,
    tls: null,
    headers: { 'Cross-Origin-Resource-Policy': 'same-origin' },
    handle: apps.loopback,
    onStop: apps.endStreams,
  })
  Object.assign(made, { registry, loopback })
  const listeners = [registry, loopback]

  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    // At once, for whoever stops this process may not wait for the slowest download, and then what came meanwhile.
    await Promise.all([apps.settle(), ...listeners.map((listener) => listener.stop())])
    await apps.settle()
    await apps.backlog.end()
    await validator.stop()
    removeRunning(paths.running)
    database.close()
    lock.release()
  }
  return {
    registry,
    loopback,
    beginBacklog: apps.backlog.start,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/** Opens the data folder and starts both services; where one of them cannot listen, neither is left running. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const server = await openServer(options)
  try {
    await server.registry.start()
    await server.loopback.start()
    announce(options.config, server)
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

/** `running.json` for the other commands, the ready file, and what waits for them; to be called when both listen. */
export function announce(config: Config, server: Server): void {
  const registry =
    config.tlsCert !== null && config.publicUrl !== null ? config.publicUrl : server.registry.url
  const addresses = { registry, dashboard: server.loopback.url }
  writeAtomically(dataPaths(config.dataFolder).running, {
    ...addresses,
    pid: process.pid,
    startedAt: new Date().toISOString(),
  })
  if (config.readyFile !== null) writeAtomically(config.readyFile, addresses)
  server.beginBacklog()
}

function describeHolder(folder: string, running: ReturnType<typeof readRunning>): string {
  const who =
    running === null
      ? 'Another Skilldock'
      : `Another Skilldock (process ${running.pid}, started ${running.startedAt}, registry ${running.registry})`
  return `${who} serves the data folder ${folder} already. Stop it first, or set SKILLDOCK_DATA to another folder.`
}
