import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { isRunning } from '../../files/is-running.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { Refusal } from '../data-folder/refusal.ts'
import type { Logger } from '../operations/logging.ts'
import { http } from '../operations/node-http.ts'
import { logTexts } from '../operations/log.texts.ts'
import { ownEnvironment } from '../settings/config.ts'
import type { BucketLocation } from '../storage/bucket.ts'
import { replicaOf } from './fence.ts'
import { replicationTexts as texts } from './replication.texts.ts'

/** The version whose files and answers this code was written for. */
const litestreamVersion = '0.5.17'

/** Milliseconds that one confirmation may take. */
const syncMs = 10_000
const betweenSyncsMs = 10
/** Milliseconds before a process that ended is started again; twice as long each time, up to a limit. */
const firstPauseMs = 100
const longestPauseMs = 5000
/** Milliseconds after which a former or stopped process is killed. */
const endMs = 3000

const syncedSchema = z.object({ txid: z.number(), replicated_txid: z.number() })
type Synced = z.infer<typeof syncedSchema>
const infoSchema = z.object({ pid: z.int().min(2) })

/** One replica of one database. */
interface Replica {
  /** The database file. */
  database: string
  location: BucketLocation
  epoch: number
}

interface Litestream {
  /**
   * Resolves when everything that was committed before is in the bucket, with the number of the last transaction there.
   * Throws if it cannot be confirmed.
   */
  sync(): Promise<number>
  end(): Promise<void>
}

type Paths = Pick<DataPaths, 'database' | 'litestreamConfig' | 'litestreamSocket'>

/** Runs `litestream replicate` until `end`, again whenever it ends. */
export async function startLitestream(
  paths: Paths,
  {
    program,
    location,
    epoch,
    log,
  }: { program: string; location: BucketLocation; epoch: number; log: Logger },
): Promise<Litestream> {
  const { litestreamSocket: socket, litestreamConfig: file } = paths
  await endFormerProcess(socket)
  writeConfig(file, socket, { database: paths.database, location, epoch })
  let child: ChildProcess | null = null
  let isEnding = false
  let pauseMs = firstPauseMs
  const start = (): void => {
    if (isEnding) return
    rmSync(socket, { force: true })
    const startedAt = performance.now()
    const started = run(program, ['replicate', '-config', file], location)
    child = started
    passLines(started, log)
    started.once('error', (error) =>
      log.error({ err: error, service: 'litestream' }, logTexts.litestreamEnded),
    )
    started.once('close', (code, signal) => {
      if (isEnding) return
      if (performance.now() - startedAt > longestPauseMs) pauseMs = firstPauseMs
      log.error({ service: 'litestream', code, signal }, logTexts.litestreamEnded)
      setTimeout(start, pauseMs).unref()
      pauseMs = Math.min(2 * pauseMs, longestPauseMs)
    })
  }
  start()
  return {
    async sync() {
      const deadline = performance.now() + syncMs
      const { txid, replicated_txid } = await askSynced(socket, paths.database)
      let replicated = replicated_txid
      // While Litestream uploads by itself, it answers before that is done.
      while (replicated < txid) {
        if (performance.now() > deadline)
          throw new Error(`litestream has replicated ${replicated} of ${txid}`)
        await delay(betweenSyncsMs)
        replicated = (await askSynced(socket, paths.database)).replicated_txid
      }
      return replicated
    },
    async end() {
      isEnding = true
      if (child !== null) await endProcess(child)
    },
  }
}

const restoredSchema = z.object({ txid: z.string().regex(/^[0-9a-f]{16}$/) })

/**
 * Restores the database of an epoch as it is in the bucket to a new file. Returns the number of its last transaction, or
 * null if the epoch has no replica.
 */
export async function restoreEpoch(
  program: string,
  { config, ...replica }: Replica & { config: string },
): Promise<number | null> {
  writeConfig(config, null, replica)
  const { database, location } = replica
  const options = [
    '-config',
    config,
    '-json',
    '-if-replica-exists',
    '-integrity-check',
    'quick',
    '-o',
    database,
  ]
  const child = run(program, ['restore', ...options, database], location)
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('no output')
  const [said, errors, [code]] = await Promise.all([
    text(stdout),
    text(stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  if (code !== 0) throw new Refusal(texts.notRestored(`${said}${errors}`.trim()))
  if (!existsSync(database)) return null
  return Number.parseInt(restoredSchema.parse(JSON.parse(said)).txid, 16)
}

/**
 * Restores the database from the newest epoch that has a replica, at most `epoch`: a machine that was promoted and lost
 * before its first snapshot has acknowledged nothing. Returns the epoch, or null if there is no replica.
 */
export async function restoreDatabase(
  program: string,
  { epoch, ...replica }: Replica & { config: string },
): Promise<number | null> {
  for (let from = epoch; from >= 1; from -= 1) {
    if ((await restoreEpoch(program, { ...replica, epoch: from })) !== null) return from
  }
  return null
}

/** Throws a Refusal if the program is missing or another version. */
export function requireLitestream(program: string): void {
  const { stdout, error } = spawnSync(program, ['version'], { encoding: 'utf8', env: childEnvironment(null) })
  if (error !== undefined) throw new Refusal(texts.noProgram(program, litestreamVersion))
  const version = stdout.trim().replace(/^v/, '')
  if (version !== litestreamVersion)
    throw new Refusal(texts.otherVersion(program, version, litestreamVersion))
}

function run(program: string, args: string[], location: BucketLocation): ChildProcess {
  return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: childEnvironment(location) })
}

/** Only what it needs: the server's environment has other secrets. */
function childEnvironment(location: BucketLocation | null): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTPS_PROXY', 'NO_PROXY']
  const environment = ownEnvironment()
  const own: NodeJS.ProcessEnv = {}
  for (const name of kept) if (environment[name] !== undefined) own[name] = environment[name]
  if (location === null) return own
  const { accessKeyId, secretAccessKey } = location
  return { ...own, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
}

/** JSON is YAML. The credentials are in the environment. */
function writeConfig(file: string, socket: string | null, { database, location, epoch }: Replica): void {
  const { bucket, prefix, endpoint, region } = location
  const replica = {
    type: 's3',
    bucket,
    path: `${prefix}${replicaOf(epoch)}`,
    endpoint,
    region,
    'force-path-style': true,
    'sync-interval': '1s',
  }
  const config = {
    logging: { type: 'json', level: 'warn', stderr: true },
    ...(socket === null ? {} : { socket: { enabled: true, path: socket } }),
    dbs: [{ path: database, replica }],
  }
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
}

/** A killed server leaves its process behind, and two of them must not replicate the same database. */
async function endFormerProcess(socket: string): Promise<void> {
  if (!existsSync(socket)) return
  const info = await ask(socket, '/info', null).catch(() => null)
  const found = infoSchema.safeParse(info)
  if (!found.success) return
  const { pid } = found.data
  process.kill(pid, 'SIGTERM')
  const deadline = performance.now() + endMs
  while (isRunning(pid) && performance.now() < deadline) await delay(20)
  if (isRunning(pid)) process.kill(pid, 'SIGKILL')
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const closed = once(child, 'close')
  const limit = setTimeout(() => child.kill('SIGKILL'), endMs)
  child.kill('SIGTERM')
  await closed
  clearTimeout(limit)
}

/** Its warnings and errors become lines of the server's log. */
function passLines(child: ChildProcess, log: Logger): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue
    createInterface({ input: stream }).on('line', (line) =>
      log.warn({ service: 'litestream', line: line.slice(0, 1000) }, logTexts.litestreamSaid),
    )
  }
}

/** Asks Litestream to copy what was committed; the numbers of the last transactions that it has read and copied. */
async function askSynced(socket: string, database: string): Promise<Synced> {
  const body = { path: database, wait: true, timeout: syncMs / 1000 }
  return syncedSchema.parse(await ask(socket, '/sync', body))
}

/** Throws unless the answer has status 200. */
async function ask(socketPath: string, path: string, body: object | null): Promise<unknown> {
  const sent = http.request({
    socketPath,
    path,
    method: body === null ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json' },
    signal: AbortSignal.timeout(syncMs + 1000),
  })
  sent.end(body === null ? undefined : JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const content = await text(answer)
  if (answer.statusCode !== 200)
    throw new Error(`litestream answered ${answer.statusCode}: ${content.slice(0, 300)}`)
  return JSON.parse(content)
}
