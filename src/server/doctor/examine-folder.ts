import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { backupIntervalMs } from '../../shared/backup-intervals.ts'
import { connectionSchema, discoveryRoutes } from '../../shared/contracts/discovery.ts'
import { messageOf } from '../../shared/errors.ts'
import { unreadableTexts } from '../agents/unreadable.texts.ts'
import { databaseOf } from '../agents/project-files.ts'
import { readProject } from '../agents/read-project.ts'
import { backupStatePath, lastTested, readBackupState } from '../backup/backup-state.ts'
import { checkSigningKey } from '../backup/check-signing-key.ts'
import { storedFiles, storedSource } from '../backup/stored-files.ts'
import { checkDataFolder } from '../data-folder/check-data-folder.ts'
import type { DataPaths } from '../data-folder/data-folder.ts'
import { readRunning } from '../data-folder/running-file.ts'
import type { Running } from '../data-folder/running-file.ts'
import { assertRegistry } from '../data-folder/unfinished-restore.ts'
import { quickCheck } from '../db/compact.ts'
import type { Connection } from '../db/database.ts'
import { compareVersion, newestTime, openForInspection } from '../db/inspect.ts'
import { fragmentation, walBytes, walLimitBytes } from '../db/wal.ts'
import { mirrorRepository } from '../domains/releases/mirror/mirror.repository.ts'
import { CertificateError, certificateEnd, checkCertificate } from '../http/certificate.ts'
import { findPortState } from '../http/port-state.ts'
import { ConfigError } from '../settings/config-error.ts'
import { ownEnvironment, readConfig } from '../settings/config.ts'
import type { Config } from '../settings/config.ts'
import { findSnapshot, readFence } from '../replication/fence.ts'
import { readIdentity } from '../replication/writer-identity.ts'
import { openBucket } from '../storage/bucket.ts'
import { readSigningKey } from '../storage/signing-key.ts'
import { isSqliteError } from '../verify/run-checks.ts'
import { doctorTexts as texts } from './doctor.texts.ts'
import type { Problem } from './doctor.texts.ts'

/** Only something broken makes `skilldock doctor` fail. */
type State = 'ok' | 'warning' | 'broken'

/** One line of the report. */
export interface Finding {
  check: string
  state: State
  sentence: string
  /** What to do; null if nothing is wrong. */
  next: string | null
}

type Answer = Omit<Finding, 'check'>

/** What the checks share. */
interface Examination {
  paths: DataPaths
  now: Date
  /** The settings with which a server would start here; null if they are invalid. */
  config: Config | null
  configError: string | null
  running: Running | null
  /** The open database; null if it can't be used. */
  connection: Connection | null
  /** Why the database can't be used. */
  databaseProblem: Problem | null
}

interface Check {
  name: string
  /** Null if there is nothing to check, because another check already says why. */
  examine(on: Examination): Answer | null | Promise<Answer | null>
}

const ok = (sentence: string): Answer => ({ state: 'ok', sentence, next: null })
const warning = (problem: Problem): Answer => ({ state: 'warning', ...problem })
const broken = (problem: Problem): Answer => ({ state: 'broken', ...problem })

/** Every check, in the order of the report. None of them changes anything. */
const checks: readonly Check[] = [
  { name: 'settings', examine: examineSettings },
  { name: 'permissions', examine: examinePermissions },
  { name: 'disk space', examine: examineSpace },
  { name: 'ports', examine: examinePorts },
  { name: 'certificate', examine: examineCertificate },
  { name: 'signing key', examine: examineSigningKey },
  { name: 'database', examine: examineDatabase },
  { name: 'write-ahead log', examine: ({ connection, paths }) => connection && examineLog(paths.database) },
  { name: 'fragmentation', examine: ({ connection }) => connection && examineFragmentation(connection) },
  { name: 'clock', examine: ({ connection, now }) => connection && examineClock(connection, now) },
  { name: 'files', examine: ({ connection, paths }) => connection && examineFiles(paths, connection) },
  { name: 'backups', examine: examineBackups },
  { name: 'mirror', examine: ({ connection, now }) => connection && examineMirror(connection, now) },
  { name: 'replication', examine: examineReplication },
  { name: 'server', examine: examineServer },
  { name: 'public address', examine: examinePublicAddress },
  { name: 'proxy', examine: examineProxy },
  { name: 'agent project', examine: examineAgents },
]

export const checkNames = ['folder', ...checks.map(({ name }) => name)]

/** Free bytes below which a disk is nearly full. */
const lowBytes = 1_000_000_000

/** Share of unused pages from which rewriting the database is recommended, and the pages that make it worthwhile. */
const highFragmentation = 0.25
const worthwhilePages = 64

const dayMs = 24 * 3_600_000
/** Milliseconds before the end of a certificate from which it must be renewed. */
const renewalMs = 14 * dayMs
/** Milliseconds that stored times may be ahead of the clock: clocks are corrected by small steps all the time. */
const clockToleranceMs = 60_000
const answerTimeoutMs = 10_000

/**
 * Says what is wrong with a data folder, whether or not a server uses it, without reading every byte as `verify` does.
 * Changes nothing.
 */
export async function examineFolder(paths: DataPaths, now = new Date()): Promise<Finding[]> {
  const folder: Finding = { check: 'folder', ...(await examineWritable(paths)) }
  if (await hasNothing(paths.folder)) return [folder]
  const examination = {
    paths,
    now,
    running: readRunning(paths.running),
    ...readSettings(),
    ...openDatabase(paths),
  }
  try {
    const findings = [folder]
    // In order, because they share one connection to the database.
    for (const { name, examine } of checks) {
      const answer = await examine(examination)
      if (answer !== null) findings.push({ check: name, ...answer })
    }
    return findings
  } finally {
    examination.connection?.close()
  }
}

function readSettings(): Pick<Examination, 'config' | 'configError'> {
  try {
    return { config: readConfig(ownEnvironment()), configError: null }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: null, configError: error.message }
  }
}

function openDatabase(paths: DataPaths): Pick<Examination, 'connection' | 'databaseProblem'> {
  try {
    assertRegistry(paths)
  } catch (error) {
    return { connection: null, databaseProblem: texts.database.unfinished(messageOf(error)) }
  }
  let connection: Connection | undefined
  try {
    connection = openForInspection(paths.database)
    const version = compareVersion(connection)
    if (version === 'same') {
      const [damage] = quickCheck(connection)
      return { connection, databaseProblem: damage === undefined ? null : texts.database.damaged(damage) }
    }
    connection.close()
    return { connection: null, databaseProblem: texts.database[version] }
  } catch (error) {
    connection?.close()
    if (!isSqliteError(error)) throw error
    return { connection: null, databaseProblem: texts.database.unreadable(error.message) }
  }
}

async function examineWritable({ folder }: DataPaths): Promise<Answer> {
  const { state, reason } = await checkDataFolder(folder, folder)
  if (!existsSync(folder) || state === 'no folder') return broken(texts.folder.none(reason))
  if (state === 'not writable') return broken(texts.folder.notWritable(reason))
  return (await hasNothing(folder)) ? broken(texts.folder.empty) : ok(texts.folder.ok)
}

/** Whether the folder is empty or does not exist, so that the other checks would call a new registry damaged. */
async function hasNothing(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0
  } catch {
    return !existsSync(folder)
  }
}

async function examineSpace({ paths: { folder } }: Examination): Promise<Answer> {
  const { state, freeBytes } = await checkDataFolder(folder, folder)
  if (state === 'too little space') return broken(texts.space.tooLittle(freeBytes))
  return freeBytes !== null && freeBytes < lowBytes
    ? warning(texts.space.low(freeBytes))
    : ok(texts.space.ok(freeBytes))
}

/** Windows has no such modes. */
function examinePermissions({ paths: { folder, signingKey } }: Examination): Answer | null {
  if (process.platform === 'win32') return null
  const modeForOthers = (path: string): number =>
    (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077
  if (modeForOthers(folder) === 0) return ok(texts.permissions.ok)
  return modeForOthers(signingKey) === 0
    ? warning(texts.permissions.open(folder))
    : broken(texts.permissions.openKey(signingKey, folder))
}

function examineSettings({ configError }: Examination): Answer {
  return configError === null ? ok(texts.settings.ok) : broken(texts.settings.wrong(configError))
}

async function examinePorts({ config, running }: Examination): Promise<Answer | null> {
  if (config === null) return null
  if (running !== null) return ok(texts.ports.running)
  const { host, port, dashboardPort } = config
  if (port !== 0 && port === dashboardPort) return broken(texts.ports.same(port))
  const wanted = [
    { port, variable: 'SKILLDOCK_PORT', hosts: [host] },
    { port: dashboardPort, variable: 'SKILLDOCK_DASHBOARD_PORT', hosts: ['127.0.0.1'] },
  ].filter((one) => one.port !== 0)
  for (const one of wanted) {
    const { state, holder, suggestion } = await findPortState(one.port, one.hosts, [])
    if (state === 'taken') return broken(texts.ports.taken(one.port, one.variable, holder, suggestion))
    if (state === 'forbidden') return broken(texts.ports.forbidden(one.port, one.variable, suggestion))
  }
  return ok(texts.ports.ok(wanted.map((one) => one.port)))
}

function examineCertificate({ config, now }: Examination): Answer | null {
  if (config === null) return null
  const { tlsCert: cert, tlsKey: key } = config
  if (cert === null || key === null) return ok(texts.certificate.none)
  try {
    checkCertificate({ cert, key })
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error
    return broken(texts.certificate.wrong(error.message))
  }
  const end = certificateEnd({ cert, key })
  const remainingMs = end.getTime() - now.getTime()
  if (remainingMs <= 0) return broken(texts.certificate.expired(end, cert))
  return remainingMs < renewalMs ? warning(texts.certificate.soon(end, cert)) : ok(texts.certificate.ok(end))
}

function examineSigningKey({ paths }: Examination): Answer {
  const problems: string[] = []
  checkSigningKey(paths.signingKey, (problem) => problems.push(problem))
  const [problem] = problems
  return problem === undefined ? ok(texts.signingKey.ok) : broken(texts.signingKey.wrong(problem))
}

/** Administrators may also make backups without the server, so a missing or old one is only a warning. */
function examineBackups({ paths, config, now }: Examination): Answer {
  const state = readBackupState(backupStatePath(paths))
  if (state.failure !== null) return broken(texts.backups.failed(state.failure.reason))
  const tested = lastTested(state)
  const every = config?.['backup.every'] ?? 'never'
  if (tested?.testedAt == null) return warning(texts.backups.none(every))
  // Twice the interval, because a backup takes time and the server may have been restarted.
  return every !== 'never' && now.getTime() - Date.parse(tested.at) > 2 * backupIntervalMs[every]
    ? warning(texts.backups.old(tested.at, every))
    : ok(texts.backups.tested(tested.testedAt))
}

/** Until when a mirror knows all revocations. */
function examineMirror(connection: Connection, now: Date): Answer {
  const mirror = mirrorRepository(connection).find()
  if (mirror === null) return ok(texts.mirror.none)
  const { of, updatedAt, problem, everyMs } = mirror
  if (problem !== null) return broken(texts.mirror.problem(of, updatedAt, problem))
  const age = updatedAt === null ? Infinity : now.getTime() - Date.parse(updatedAt)
  // Twice the interval, because a run takes time.
  return age > 2 * (everyMs ?? dayMs)
    ? broken(texts.mirror.old(of, updatedAt))
    : ok(texts.mirror.ok(of, updatedAt ?? ''))
}

function examineDatabase({ databaseProblem }: Examination): Answer {
  return databaseProblem === null ? ok(texts.database.ok) : broken(databaseProblem)
}

function examineLog(database: string): Answer {
  const bytes = walBytes(database)
  return bytes > walLimitBytes ? broken(texts.wal.large(bytes)) : ok(texts.wal.ok(bytes))
}

function examineFragmentation(connection: Connection): Answer {
  const share = fragmentation(connection)
  const pages = Number(connection.pragma('freelist_count', { simple: true }))
  return share >= highFragmentation && pages >= worthwhilePages
    ? broken(texts.fragmentation.high(share))
    : ok(texts.fragmentation.ok(share))
}

function examineClock(connection: Connection, now: Date): Answer {
  const newest = newestTime(connection)
  return newest !== null && Date.parse(newest) > now.getTime() + clockToleranceMs
    ? broken(texts.clock.back(newest, now.toISOString()))
    : ok(texts.clock.ok)
}

/** Only whether each file exists. Listed after the rows are read, because a file is in place before its row. */
async function examineFiles(paths: DataPaths, connection: Connection): Promise<Answer> {
  const files = [...storedFiles(connection)]
  const source = await storedSource(paths)
  const present = new Set<string>()
  for (const folder of ['packages', 'pictures'] as const) {
    for await (const name of source.list(folder)) present.add(`${folder}/${name}`)
  }
  const missing = files.filter(({ name }) => !present.has(name))
  const [first] = missing
  return first === undefined
    ? ok(texts.files.ok(files.length))
    : broken(texts.files.missing(missing.length, `${first.name} (${first.what})`))
}

/** Whether this folder is the one that writes, and how old the newest snapshot in the bucket is. */
async function examineReplication({ config, paths }: Examination): Promise<Answer | null> {
  if (config === null) return null
  const { storage, replication } = config
  if (storage === null || replication === null) return ok(texts.replication.none)
  const bucket = openBucket(storage)
  try {
    const fence = await readFence(bucket)
    if (fence === null) return warning(texts.replication.notYet(storage.url))
    const { epoch } = fence
    if (readIdentity(paths)?.writer !== fence.writer) return broken(texts.replication.replaced(epoch))
    const snapshot = await findSnapshot(bucket, epoch)
    return snapshot === null
      ? warning(texts.replication.noSnapshot(storage.url))
      : ok(texts.replication.ok(epoch, snapshot.toISOString()))
  } catch (error) {
    return broken(texts.replication.silent(messageOf(error)))
  }
}

/** Asks the running server for the results of its own health checks. */
async function examineServer({ running }: Examination): Promise<Answer> {
  if (running === null) return ok(texts.server.none)
  const address = running.dashboard
  try {
    const { checks: results } = await ask<{ checks: Record<string, string> }>(address, '/api/skilldock/ready')
    const failed = Object.values(results).filter((result) => result !== 'ok')
    return failed.length === 0
      ? ok(texts.server.ok(address))
      : broken(texts.server.notReady(failed.join(' ')))
  } catch (error) {
    return broken(texts.server.silent(address, reasonOf(error)))
  }
}

/** Whether the public address leads to this server, which is the only one with this signing key. */
async function examinePublicAddress({ config, running, paths }: Examination): Promise<Answer | null> {
  if (config === null) return null
  const { publicUrl } = config
  if (publicUrl === null) return ok(texts.publicAddress.none)
  if (running === null) return ok(texts.publicAddress.notRunning(publicUrl))
  try {
    const { keys } = await ask<{ keys?: { kid: string }[] }>(publicUrl, '/api/skilldock/jwks.json')
    const { kid } = readSigningKey(paths.signingKey)
    return keys?.some((key) => key.kid === kid) === true
      ? ok(texts.publicAddress.ok(publicUrl))
      : broken(texts.publicAddress.elsewhere(publicUrl))
  } catch (error) {
    return error instanceof SyntaxError
      ? broken(texts.publicAddress.elsewhere(publicUrl))
      : broken(texts.publicAddress.silent(publicUrl, reasonOf(error)))
  }
}

/** Asks the server, through its public address, from where the request seems to come. */
async function examineProxy({ config, running }: Examination): Promise<Answer | null> {
  if (config === null) return null
  const { publicUrl, trustProxy } = config
  if (publicUrl === null) return ok(texts.proxy.none)
  if (running === null) return ok(texts.proxy.notRunning)
  const connection = connectionSchema.safeParse(
    await ask(publicUrl, discoveryRoutes.getConnection.path).catch(() => null),
  )
  // The check of the public address says why.
  if (!connection.success) return null
  const { address, forwardedFor } = connection.data
  const isRead = forwardedFor?.split(',').some((one) => one.trim() === address) === true
  if (isRead) return ok(texts.proxy.ok)
  if (forwardedFor !== null) return warning(texts.proxy.untrusted(address))
  return trustProxy.length === 0 ? ok(texts.proxy.none) : warning(texts.proxy.missing(address))
}

/** Reads the project as the server does, without changing its folder. */
function examineAgents({ config }: Examination): Answer | null {
  if (config === null) return null
  const { workspace } = config
  if (workspace === null) return ok(texts.agents.none)
  const read = readProject(databaseOf(workspace), (database) => database.columnsOf('agents'))
  if (read.state === 'ready') return ok(texts.agents.ok(workspace))
  if (read.state === 'missing') return warning(texts.agents.missing(workspace))
  const [sentence = '', ...next] = unreadableTexts[read.reason].split(/(?<=\.) (?=[A-Z])/)
  const problem = { sentence, next: next.join(' ') }
  return read.state === 'busy' ? warning(problem) : broken(problem)
}

/** Requests a document. Follows no redirects, which would lead to another address. */
async function ask<T>(address: string, path: string): Promise<T> {
  const response = await fetch(`${address.replace(/\/$/, '')}${path}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
  return (await response.json()) as T
}

/** The cause says more than "fetch failed". */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error)
}
