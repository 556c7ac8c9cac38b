import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DomainError, messageOf } from '../../shared/errors.ts'
import { createMarkdownReader } from '../content/markdown-reader.ts'
import {
  FolderInUseError,
  dataPaths,
  lockForServing,
  makeWritableFolder,
} from '../data-folder/data-folder.ts'
import { texts as folderTexts } from '../data-folder/data-folder.texts.ts'
import { Refusal } from '../data-folder/refusal.ts'
import { writeReadyFile } from '../data-folder/running-file.ts'
import { connectionAddress } from '../http/client-address.ts'
import { sendError } from '../http/error-handler.ts'
import { createForwarding, writerAt } from '../http/forward.ts'
import { createListener } from '../http/listener.ts'
import type { Listener } from '../http/listener.ts'
import { openPort } from '../http/open-port.ts'
import { defaultPaceWindowMs } from '../http/pace.ts'
import { transportHeaders } from '../http/replies.ts'
import { watchCorruptValues } from '../operations/corrupt-values.ts'
import { logTexts } from '../operations/log.texts.ts'
import type { Logger } from '../operations/logging.ts'
import { createRecurringTask } from '../operations/recurring-task.ts'
import { readFence } from '../replication/fence.ts'
import { restoreCopy } from '../replication/followed-copy.ts'
import { now } from '../replication/lease.ts'
import { requireLitestream } from '../replication/litestream.ts'
import { everyMs, fenceTiming, retryAfter } from '../replication/replication.ts'
import { replicationTexts as texts } from '../replication/replication.texts.ts'
import { ownEnvironment } from '../settings/config.ts'
import type { Config } from '../settings/config.ts'
import { listenAddressOf } from '../settings/live-settings.ts'
import { litestreamOf } from '../settings/storage-location.ts'
import { openBucket } from '../storage/bucket.ts'
import { openFileStores } from '../storage/open-stores.ts'
import { createFollowedReads } from './followed-reads.ts'
import type { FollowedReads } from './followed-reads.ts'

interface ReaderOptions {
  config: Config
  /** The address of the machine that writes. */
  writer: URL
  log: Logger
  markdownEntry: string
  clientFolder: string | null
}

interface Reader {
  registry: Listener
  /** Throws if the copy cannot be read. */
  assertReadable(): void
  stop(): Promise<void>
}

/** Milliseconds after which no request reads a copy any longer that was replaced. */
const formerReadsMs = 60_000

/**
 * `serve --follow`: answers public reads from a copy of a replicated database, and forwards all other requests to the
 * machine that writes. See docs/decisions/039.
 */
export async function startReader(options: ReaderOptions): Promise<Reader> {
  const { config, writer, log, markdownEntry, clientFolder } = options
  const { storage: location } = config
  if (location === null) throw new Refusal(texts.followNeedsBucket)
  const paths = dataPaths(config.dataFolder)
  if (existsSync(paths.database)) throw new Refusal(folderTexts.ownRegistry(paths.folder))
  const program = litestreamOf(ownEnvironment())
  requireLitestream(program)
  makeWritableFolder(paths)
  const lock = lockForServing(paths)
  if (lock === null) throw new FolderInUseError(folderTexts.inUse(paths.folder, null))
  rmSync(paths.followed, { recursive: true, force: true })
  mkdirSync(paths.followed, { mode: 0o700 })

  const bucket = openBucket(location, fenceTiming)
  const { packages: files, pictures: imageFiles } = await openFileStores(paths, location)
  await Promise.all([files.clear(), imageFiles.clear()])
  const markdown = createMarkdownReader({ entry: markdownEntry, log })
  const corruptValues = watchCorruptValues(log)
  const parts = {
    config,
    log,
    files,
    imageFiles,
    markdown,
    clientFolder,
    registryUrl: () => registry.url,
  }

  let restored = 0
  const restore = async (epoch: number): Promise<FollowedReads> => {
    restored += 1
    const database = join(paths.followed, `${restored}.db`)
    rmSync(database, { force: true })
    const copy = await restoreCopy(program, { config: paths.litestreamConfig, database, location, epoch })
    if (copy === null) throw new Error(texts.noReplica(location.url))
    log.info({ epoch, service: 'registry' }, logTexts.followRestored)
    return createFollowedReads(database, copy, parts)
  }

  let current: FollowedReads | null = null
  /** Null until the first look. */
  const read = (): FollowedReads => {
    if (current === null) throw new Error('nothing is restored yet')
    return current
  }
  const former = new Set<FollowedReads>()
  const replaceCurrent = (next: FollowedReads): void => {
    const replaced = current
    current = next
    if (replaced === null) return
    former.add(replaced)
    setTimeout(() => former.delete(replaced) && replaced.close(), formerReadsMs).unref()
  }

  /** Afterwards, the copy has everything that was acknowledged before the look began. */
  const look = async (): Promise<void> => {
    const since = now()
    const fence = await readFence(bucket)
    if (fence === null) throw new Error(texts.neverReplicated(location.url))
    const { epoch, txid } = fence
    const follows = async (reads: FollowedReads): Promise<boolean> =>
      reads.copy.epoch === epoch && (await reads.copy.follow(bucket, txid))
    if (current === null || !(await follows(current))) {
      const next = await restore(epoch)
      if (!(await follows(next))) {
        next.close()
        throw new Error(texts.restoredTooLittle)
      }
      replaceCurrent(next)
      // Restoring may have taken longer than the lease.
      await look()
      return
    }
    current.lease.renew(since)
  }
  let problem: string | null = null
  const lookAgain = async (): Promise<void> => {
    try {
      await look()
      if (problem !== null) log.info({ service: 'registry' }, logTexts.followsAgain)
      problem = null
    } catch (error) {
      const message = messageOf(error)
      if (message !== problem) log.warn({ err: error, service: 'registry' }, logTexts.doesNotFollow)
      problem = message
    }
  }

  const forward = createForwarding(
    writerAt(writer, (req, res, cause) => {
      const error = new DomainError('STORAGE_UNAVAILABLE', texts.writerAway, { retryAfter, cause })
      sendError(req, res, error, { log, clientOf: connectionAddress })
    }),
  )
  const registry = createListener({
    name: 'registry',
    requestLines: 'notable',
    log,
    address: listenAddressOf(config),
    headers: () => transportHeaders(config.publicUrl ?? registry.url),
    paceWindowMs: defaultPaceWindowMs,
    openPort: (address, { onRequest, ...port }) =>
      openPort(address, {
        ...port,
        onRequest: (req, res, isClosing) => (read().answers(req) ? onRequest : forward)(req, res, isClosing),
      }),
  })

  const looks = createRecurringTask(lookAgain, { firstMs: everyMs, everyMs })
  const stop = async (): Promise<void> => {
    await Promise.all([registry.stop(), looks.end()])
    for (const reads of [current, ...former]) reads?.close()
    former.clear()
    await markdown.end()
    corruptValues.end()
    lock.release()
  }
  try {
    await look()
    registry.serve({
      handle: (req, res) => read().application.handle(req, res),
      errorPage: (error, status) => read().application.errorPage(error, status),
    })
    await registry.start()
  } catch (error) {
    await stop()
    throw error instanceof Refusal || registry.state === 'failed'
      ? error
      : new Refusal(String(error), { cause: error })
  }
  looks.start()
  writeReadyFile(config, { registry: registry.url })
  return { registry, assertReadable: () => read().assertReadable(), stop }
}
