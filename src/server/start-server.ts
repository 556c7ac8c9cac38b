import type { HelperKind, News } from '../shared/services-messages.ts'
import { createAgentsReader } from './agents/agents-reader.ts'
import { restoreInPlace } from './backup/restore-in-place.ts'
import { createScheduledBackups } from './backup/scheduled-backups.ts'
import { createApplications } from './composition/applications.ts'
import type { ServerParts } from './composition/server-parts.ts'
import { createServices } from './composition/services.ts'
import { createMarkdownReader } from './content/markdown-reader.ts'
import {
  FolderInUseError,
  dataPaths,
  initializeDataFolder,
  lockForServing,
} from './data-folder/data-folder.ts'
import type { DataPaths } from './data-folder/data-folder.ts'
import { announce, readRunning, removeRunning } from './data-folder/running-file.ts'
import { removePreparations } from './data-folder/unfinished-restore.ts'
import { openDatabase } from './db/database.ts'
import type { Database } from './db/database.ts'
import type { FileLock } from './db/file-lock.ts'
import type { DeliveryTiming } from './domains/notifications/deliveries.service.ts'
import { createHealthChecks } from './domains/operations/health-checks.service.ts'
import { createHealth } from './domains/operations/health.service.ts'
import { catalogRepository } from './domains/releases/catalog/catalog.repository.ts'
import { createListener } from './http/listener.ts'
import type { Listener } from './http/listener.ts'
import { defaultPaceWindowMs } from './http/pace.ts'
import type { RateLimitChanges } from './http/rate-limits.ts'
import { transportHeaders } from './http/replies.ts'
import { createImageMaker } from './images/image-maker.ts'
import type { ImageMaker } from './images/image-maker.ts'
import { watchCorruptValues } from './operations/corrupt-values.ts'
import { createLogFile } from './operations/log-file.ts'
import type { LogLines } from './operations/log-lines.ts'
import type { Logger } from './operations/logging.ts'
import { createServiceControl } from './operations/service-control.ts'
import type { ServiceControl } from './operations/service-control.ts'
import type { HelperProcess } from './processes/helper-process.ts'
import { watchHelpers } from './processes/helper-watch.ts'
import { ownEnvironment } from './settings/config.ts'
import type { Config, Environment } from './settings/config.ts'
import { createLiveSettings, listenAddressOf } from './settings/live-settings.ts'
import type { LiveSettings } from './settings/live-settings.ts'
import type { Replication, ReplicationParts } from './replication/replication.ts'
import { sweepStores } from './composition/sweeping.ts'
import { countAll } from './backup/stored-files.ts'
import { adoptStorage } from './backup/adopt-storage.ts'
import { openFileStores } from './storage/open-stores.ts'
import type { FileStore } from './storage/file-store.ts'
import { createCheckpoints } from './domains/log/log-checkpoints.service.ts'
import { recordSettings } from './domains/log/record-settings.service.ts'
import { readLogKey } from './storage/log-checkpoint.ts'
import { noteKeyOf } from './storage/note-key.ts'
import { createReleaseRecords } from './domains/releases/records/release-records.service.ts'
import { createAttestationKeys } from './storage/attestation-key.ts'
import { readSigningKey } from './storage/signing-key.ts'
import type { SigningKey } from './storage/signing-key.ts'
import { createWasmValidator } from './wasm/wasm-validator.ts'
import type { WasmValidator } from './wasm/wasm-validator.ts'
import { logTexts } from './operations/log.texts.ts'
import { texts } from './data-folder/data-folder.texts.ts'

export type { Config } from './settings/config.ts'
export type { Listener } from './http/listener.ts'

export interface ServerOptions {
  config: Config
  log: Logger
  /** Holds the latest lines of `log`. */
  logLines: LogLines
  /** Default: the environment of this process. */
  environment?: Environment
  /** The ports of the previous run, reused if the settings let the system choose (port 0). */
  formerPorts?: { registry: number | null; dashboard: number | null }
  /** Starts a process that reads untrusted files: forked headless, a utility process in the app. */
  startHelper(kind: HelperKind, mayWrite?: string): HelperProcess<object>
  /** Checks every JSON reply against its contract; for tests and development. */
  checkReplies?: boolean
  /** Milliseconds over which a transfer must average the minimum rate. */
  paceWindowMs?: number
  /** Milliseconds in which a client must send all headers of a request. */
  headersTimeoutMs?: number
  /** Rate limits other than the usual ones. */
  rateLimits?: RateLimitChanges
  /** Replaces the clock and the delays of deliveries, for tests. */
  deliveryTiming?: Partial<DeliveryTiming>
  /** Milliseconds that requests in flight get to finish after `stop`. */
  stopTimeoutMs?: number
  /** Processes that answer public reads: how many, their script, and where their log lines go. */
  workers?: { count: number; entry: string; writeLine(line: string): void }
  /** Holds the built desk. Without it, the desk's address answers that it is not built. */
  deskFolder?: string
  /** Holds the built client and its install script. Without it, this registry does not serve them. */
  clientFolder?: string
  /** Script of the worker that parses Markdown. */
  markdownEntry: string
  /** Milliseconds that one text may take. */
  markdownLimitMs?: number
  /** Milliseconds between two heartbeats of an event stream. */
  heartbeatMs?: number
  /** Fills a registry with the demo and returns its administrator's subject. Without it, no demo is offered. */
  fillDemo?(parts: DemoParts): Promise<string>
}

/** The parts of the running server that the demo is created with. */
interface DemoParts {
  database: Database
  files: FileStore
  validator: WasmValidator
  signingKey: SigningKey
  imageFiles: FileStore
  imageMaker: ImageMaker
}

export interface Server {
  readonly registry: Listener
  readonly local: Listener
  /** The current settings, which can be changed while the services run. */
  readonly settings: Pick<LiveSettings, 'config' | 'save' | 'onChange'>
  /** Starts, stops or restarts a service. */
  control: ServiceControl['order']
  /** Calls the watcher when a service's state or address, or a setting, changes. */
  watch(watcher: () => void): void
  /** Reports the queue: once immediately, then on every change until `stop`. */
  watchNews(onNews: (news: News) => void): void
  /**
   * Writes the addresses to the running file and the ready file, and starts the work that waits until both
   * services accept requests. Call it when both listen.
   */
  announce(): void
  /**
   * Replaces this registry with a backup, as long as it has no people. The services are stopped afterwards.
   * Throws a Refusal if nothing was changed.
   */
  restoreBackup(file: string, onProgress: (text: string) => void): Promise<void>
  /** Throws if the database cannot be read. */
  assertReadable(): void
  /** Stops both listeners gracefully, then everything they use. Safe to call again. */
  stop(): Promise<void>
}

/**
 * Opens the data folder and creates both services; each listens once it is started. Throws FolderInUseError if
 * another server uses the folder. A port that is not available is the listener's own error, so that the other
 * listener can still run.
 */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { config } = options
  const paths = dataPaths(config.dataFolder)
  initializeDataFolder(paths)
  const lock = lockForServing(paths)
  if (lock === null) throw new FolderInUseError(texts.inUse(config.dataFolder, readRunning(paths.running)))

  // A program that waits for the ready file must not read the addresses of the previous run.
  if (config.readyFile !== null) removeRunning(config.readyFile)
  let database: Database | null = null
  let replication: Replication | null = null
  try {
    removePreparations(paths.folder)
    database = openDatabase(paths.database, {
      lock,
      onLockLost: () => options.log.error({ file: paths.serverLock }, logTexts.lockLost),
    })
    const signingKey = readSigningKey(paths.signingKey)
    await adoptStorage(paths, config.storage, signingKey.kid, countAll(database.reader))
    replication = await openReplication(config, { paths, database, log: options.log })
    return await openServices(options, { paths, lock, database, signingKey, replication })
  } catch (error) {
    // Its process would keep this one alive.
    await replication?.end()
    database?.close()
    lock.release()
    throw error
  }
}

interface OpenFolder {
  paths: DataPaths
  lock: FileLock
  database: Database
  signingKey: SigningKey
  replication: Replication | null
}

/** The services on an open data folder; `stop` releases the folder. */
async function openServices(
  options: ServerOptions,
  { paths, lock, database, signingKey, replication }: OpenFolder,
): Promise<Server> {
  const { config, log, fillDemo } = options
  const { paceWindowMs = defaultPaceWindowMs, headersTimeoutMs, stopTimeoutMs } = options
  const environment = options.environment ?? ownEnvironment()
  const corruptValues = watchCorruptValues(log)
  const logFile = createLogFile({ log })
  logFile.choose(config['log.file'])
  options.logLines.copyTo(logFile)

  const { packages: files, pictures: imageFiles } = await openFileStores(paths, config.storage)
  await Promise.all([files.clear(), imageFiles.clear()])
  if (config.storage === null) await sweepStores({ database, files, imageFiles, log })
  const attestationKeys = createAttestationKeys(signingKey, () => live.config['attestation.key'])
  const logKey = readLogKey(paths.logKey)
  const checkpoints = createCheckpoints({ database, key: logKey, file: paths.logCheckpoint, log })
  checkpoints.start()
  const records = createReleaseRecords({
    database,
    folder: paths.records,
    key: noteKeyOf(signingKey),
    origin: logKey.origin,
    log,
  })
  records.start()

  const workers =
    options.workers === undefined
      ? null
      : (await import('./composition/workers.ts')).createWorkers({
          ...options.workers,
          log,
          countDownload: (releaseId) => services.countDownload(releaseId),
          setup: () => ({
            settings: workerSettings(),
            deskFolder: options.deskFolder ?? null,
            clientFolder: options.clientFolder ?? null,
            markdownEntry: options.markdownEntry,
            checkReplies: options.checkReplies ?? false,
            paceWindowMs,
          }),
        })
  const workerSettings = () => ({
    config: live.config,
    registryUrl: registry.url,
    publicKeys: attestationKeys.publicKeys(),
  })
  const listening = {
    log,
    paceWindowMs,
    ...(headersTimeoutMs === undefined ? {} : { headersTimeoutMs }),
    ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }),
  }
  const publicUrl = (): string => live.config.publicUrl ?? registry.url
  const registry = createListener({
    ...listening,
    name: 'registry',
    requestLines: 'notable',
    address: listenAddressOf(config),
    formerPort: options.formerPorts?.registry ?? null,
    headers: () => transportHeaders(publicUrl()),
    ...(workers === null ? {} : { openPort: workers.openPort }),
  })
  const local = createListener({
    ...listening,
    name: 'dashboard',
    requestLines: 'all',
    address: { host: '127.0.0.1', port: config.dashboardPort, tls: null },
    formerPort: options.formerPorts?.dashboard ?? null,
    headers: () => ({ 'Cross-Origin-Resource-Policy': 'same-origin' }),
  })
  const control = createServiceControl({ registry, local, log })
  const live = createLiveSettings({
    config,
    environment,
    assertWritable: database.assertWritable,
    record: (changes, write) => recordSettings(database, changes, write),
    moveRegistry: control.moveRegistry,
  })

  const helpers = watchHelpers(options.startHelper)
  const validator = createWasmValidator({ startProcess: () => helpers.start('modules') })
  const imageMaker = createImageMaker({ startProcess: () => helpers.start('images') })
  const markdown = createMarkdownReader({
    entry: options.markdownEntry,
    log,
    ...(options.markdownLimitMs === undefined ? {} : { limitMs: options.markdownLimitMs }),
  })
  const agents = createAgentsReader({
    startProcess: () => options.startHelper('agents', paths.agentsMirror),
    folder: live.config.workspace,
    mirror: paths.agentsMirror,
    log,
  })
  live.onChange(() => agents.choose(live.config.workspace))
  live.onChange(() => logFile.choose(live.config['log.file']))
  const health = createHealth({
    checks: createHealthChecks({
      database,
      stores: [files, imageFiles],
      dataFolder: paths.folder,
      checkHelpers: helpers.check,
    }),
    log,
  })
  await health.check()

  const backups = createScheduledBackups({
    paths,
    config: live.config,
    startProcess: () => options.startHelper('backups'),
    log,
  })

  const parts: ServerParts = {
    registry,
    local,
    control,
    live,
    environment,
    database,
    files,
    imageFiles,
    signingKey,
    attestationKeys,
    logKey,
    checkpoints,
    validator,
    imageMaker,
    markdown,
    agents,
    health,
    backups,
    replication,
    log,
    logLines: options.logLines,
    corruptValues,
    publicUrl,
    checkReplies: options.checkReplies ?? false,
    paceWindowMs,
    rateLimits: options.rateLimits ?? {},
    deliveryTiming: options.deliveryTiming ?? {},
    deskFolder: options.deskFolder ?? null,
    clientFolder: options.clientFolder ?? null,
    fillDemo:
      fillDemo === undefined
        ? null
        : () => fillDemo({ database, files, validator, signingKey, imageFiles, imageMaker }),
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
  }
  const services = await createServices(parts)
  const applications = createApplications(parts, services)
  registry.serve(applications.registry)
  local.serve(applications.local)

  const watchers: (() => void)[] = []
  let isAnnounced = false
  const announceNow = (): void => {
    const address = live.config.tlsCert === null ? registry.url : publicUrl()
    announce(live.config, { registry: address, dashboard: local.url })
  }
  const announceAgain = (): void => {
    if (!isAnnounced || !lock.isHeld() || registry.state !== 'running' || local.state !== 'running') return
    try {
      announceNow()
    } catch (error) {
      // The change is in effect, so it must not be reported as failed.
      log.error({ err: error }, logTexts.notAnnounced)
    }
  }
  const changed = (): void => {
    workers?.send(workerSettings())
    announceAgain()
    for (const watcher of watchers) watcher()
  }
  registry.onChange(changed)
  local.onChange(changed)
  live.onChange(changed)
  live.onChange(() => replication?.filesChanged())
  const unwatch: (() => void)[] = []

  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    isAnnounced = false
    for (const end of unwatch) end()
    // Settle right away, since the caller may kill this process before the slowest download ends, and again
    // below for anything that arrived in between. A hanging agents request must not hold up the listeners.
    await Promise.all([services.settle(), control.stopAll(), services.endAgents().then(agents.end)])
    await workers?.end()
    await services.settle()
    await services.end()
    await Promise.all([validator.stop(), imageMaker.stop(), markdown.end()])
    // Without the lock, the file may belong to the server that now uses the folder.
    if (lock.isHeld()) removeRunning(paths.running)
    corruptValues.end()
    await records.end()
    await checkpoints.end()
    await replication?.end()
    database.close()
    lock.release()
    await logFile.end()
  }
  const stopOnce = (): Promise<void> => {
    stopping ??= stop()
    return stopping
  }
  return {
    registry,
    local,
    settings: live,
    control: control.order,
    watch: (watcher) => void watchers.push(watcher),
    watchNews: (onNews) => void unwatch.push(services.watchNews(onNews)),
    announce() {
      isAnnounced = true
      announceNow()
      services.start()
    },
    restoreBackup: (file, onProgress) =>
      restoreInPlace({ file, paths, database, stop: stopOnce, onProgress }),
    assertReadable() {
      database.assertAvailable()
      catalogRepository(database.reader).generation()
    },
    stop: stopOnce,
  }
}

/** Null unless the database is replicated; only then is its code loaded. */
async function openReplication(
  { replication, storage }: Config,
  parts: Pick<ReplicationParts, 'paths' | 'database' | 'log'>,
): Promise<Replication | null> {
  if (replication === null || storage === null) return null
  const { createReplication } = await import('./replication/replication.ts')
  return createReplication({ ...parts, ...replication, location: storage })
}

/** Opens the data folder and starts both services. If one of them cannot listen, neither is left running. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const server = await openServer(options)
  try {
    await server.registry.start()
    await server.local.start()
    server.announce()
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}
