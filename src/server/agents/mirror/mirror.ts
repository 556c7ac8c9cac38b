import { rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { messageOf } from '../../../shared/errors.ts'
import { noFile } from '../agents-database.ts'
import type { AgentsDatabase } from '../agents-database.ts'
import { identityOf, isFresh } from '../project-files.ts'
import { isoOf } from '../queries/times.ts'
import { problemOf } from '../reader-messages.ts'
import type { Problem } from '../reader-messages.ts'
import { CopiedTable } from './copied-table.ts'
import { moduleFiles } from './module-files.ts'
import type { ModuleFiles } from './module-files.ts'
import { schema, schemaVersion } from './schema.ts'
import { tableNames } from './tables.ts'
import type { TableName } from './tables.ts'

/** What is still to be copied: a small table, or rows of a growing one, of which some may be there. */
type Left = 'tables' | 'rows' | 'nothing'

type Value = string | number | null

/** Milliseconds a process being killed may need to release the mirror. */
const busyTimeoutMs = 1000

/** The last serial used. A file that replaces another continues the numbering. */
let lastSerial = 0

/**
 * A private copy of the chosen project's database, from which all desk queries are answered. It is a cache: if it is
 * missing, damaged, or belongs to another version or file, it is rebuilt.
 */
export class Mirror {
  readonly tables: Readonly<Record<TableName, CopiedTable>>
  readonly modules: ModuleFiles
  /** Counts the changes of the project's files that were noticed. */
  serial = lastSerial
  private seen = { identity: '', isFresh: false, at: 0 }
  private modulesVersion = -1
  private moduleSources: ReadonlySet<string> = new Set()
  private readonly connection: Sqlite.Database
  private readonly statements = new Map<string, Sqlite.Statement>()

  /** Opens or creates the mirror of the database `file` with this inode at `path`; null: in memory. */
  constructor(path: string | null, file: string, inode: string) {
    this.connection = openConnection(path, file, inode)
    this.tables = Object.fromEntries(
      tableNames.map((name) => [name, new CopiedTable(this.connection, name)]),
    ) as Record<TableName, CopiedTable>
    this.modules = moduleFiles(file)
    this.connection.function('iso', (at) => isoOf(at as number | null))
    this.connection.function('module_digest', (source) =>
      typeof source === 'string' ? this.modules.find(source).digest : null,
    )
  }

  /** Rows of a query over the mirror's tables (schema.ts). */
  all<Row>(sql: string, ...values: unknown[]): Row[] {
    return this.prepare(sql).all(...values) as Row[]
  }

  get<Row>(sql: string, ...values: unknown[]): Row | undefined {
    return this.prepare(sql).get(...values) as Row | undefined
  }

  /** The first column of the first row; null without rows. */
  value<T = Value>(sql: string, ...values: unknown[]): T | null {
    return (this.prepare(sql, true).get(...values) as T | undefined) ?? null
  }

  /** The first column of each row. */
  list<T>(sql: string, ...values: unknown[]): T[] {
    return this.prepare(sql, true).all(...values) as T[]
  }

  /** Rows one at a time. */
  each<Row>(sql: string, ...values: unknown[]): Iterable<Row> {
    return this.prepare(sql).iterate(...values) as Iterable<Row>
  }

  /** Whether sums over a growing table are available: it exists and is completely copied. */
  isKnown(name: 'audit' | 'costs' | 'routes'): boolean {
    return this.tables[name].exists && this.tables[name].isComplete
  }

  /** Checks whether the project was written to before this read; returns its current serial. */
  refresh({ files }: AgentsDatabase): number {
    const now = Date.now()
    const identity = identityOf(files)
    // A write within the file system's clock resolution is invisible, so a fresh file is checked once more.
    if (identity === this.seen.identity && !(this.seen.isFresh && now - this.seen.at > 100))
      return this.serial
    lastSerial += 1
    this.serial = lastSerial
    this.seen = { identity, isFresh: isFresh(files, now), at: now }
    return this.serial
  }

  /** Copies everything that existed at the serial `since`, until `deadline`. Later writes do not restart the work. */
  sync(database: AgentsDatabase, needs: readonly TableName[], since: number, deadline: number): Left {
    let hasCopied = false
    for (const name of tableNames) {
      const table = this.tables[name]
      if (!needs.includes(name) || table.isSynced(since)) continue
      // Even on a slow machine, each slice completes one of the small tables.
      if (!table.isGrowing && hasCopied && performance.now() > deadline) return 'tables'
      if (!table.sync(database, since, deadline)) return 'rows'
      hasCopied ||= !table.isGrowing
    }
    return 'nothing'
  }

  /** Compares again all rows of growing tables that were copied before the last change. */
  check(database: AgentsDatabase, deadline: number): boolean {
    return Object.values(this.tables)
      .filter(({ isGrowing }) => isGrowing)
      .toSorted((one, other) => one.comparedAt - other.comparedAt)
      .every((table) => table.check(database, this.serial, deadline))
  }

  /** Hashes the modules that agents run, until `deadline`. True when done. */
  hashModules(deadline: number): boolean {
    const { version } = this.tables.agents
    if (version !== this.modulesVersion) {
      this.modulesVersion = version
      this.moduleSources = new Set(this.list<string>("SELECT DISTINCT source FROM agents WHERE source <> ''"))
    }
    return this.modules.sync(this.moduleSources, deadline)
  }

  close(): void {
    this.modules.end()
    this.connection.close()
  }

  private prepare(sql: string, isFirstColumn = false): Sqlite.Statement {
    const statement: Sqlite.Statement = this.statements.get(sql) ?? this.connection.prepare(sql)
    this.statements.set(sql, statement)
    return statement.pluck(isFirstColumn)
  }
}

/** Opens the file at `path` if it is a mirror of this project and version; otherwise creates one. */
function openConnection(path: string | null, file: string, inode: string): Sqlite.Database {
  let created: Sqlite.Database | undefined
  try {
    const existing = path === null ? null : openExisting(path, file, inode)
    if (existing !== null) return existing
    if (path !== null) removeMirror(path)
    created = new Sqlite(path ?? ':memory:')
    configure(created)
    created.exec(`BEGIN; ${schema} PRAGMA user_version = ${schemaVersion}; COMMIT`)
    created.prepare('INSERT INTO project VALUES (?, ?)').run(file, inode)
    return created
  } catch (error) {
    created?.close()
    throw new MirrorFailure(messageOf(error), { cause: error })
  }
}

function openExisting(path: string, file: string, inode: string): Sqlite.Database | null {
  let connection: Sqlite.Database | undefined
  try {
    connection = new Sqlite(path, { fileMustExist: true, timeout: busyTimeoutMs })
    configure(connection)
    const isOurs =
      connection.pragma('user_version', { simple: true }) === schemaVersion &&
      connection.prepare('SELECT 1 FROM project WHERE file = ? AND inode = ?').get(file, inode) !== undefined
    if (isOurs) return connection
  } catch {
    // Missing, damaged, or held by a process that cannot be killed: create a new one.
  }
  connection?.close()
  return null
}

function removeMirror(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
}

function configure(connection: Sqlite.Database): void {
  // Held by one process until it exits.
  connection.pragma('locking_mode = EXCLUSIVE')
  connection.pragma('journal_mode = WAL')
  connection.pragma('journal_size_limit = 4194304')
  // After a power failure the file is intact, and as old as the last checkpoint.
  connection.pragma('synchronous = NORMAL')
  connection.pragma('cache_size = -32768')
}

/** The mirror can be neither opened nor created. */
class MirrorFailure extends Error {}

let current: { key: string; mirror: Mirror } | null = null
/** In memory, for the answers without a database. */
let empty: Mirror | undefined
let place = ''

/** Sets the path of the mirror. There is only one: for the chosen project. */
export function setMirrorPath(path: string): void {
  place = path
}

/** The mirror of the project being read. */
export function mirrorOf(database: AgentsDatabase): Mirror {
  if (database.file === noFile) return (empty ??= new Mirror(null, noFile, ''))
  const { main } = database.files
  const inode = main === null ? '' : `${main.dev}:${main.ino}`
  const key = `${database.file} ${inode}`
  if (current?.key === key) return current.mirror
  closeMirror()
  current = { key, mirror: new Mirror(place, database.file, inode) }
  return current.mirror
}

export function closeMirror(): void {
  current?.mirror.close()
  current = null
}

/**
 * A table with finishing steps left (schema.ts). Run them between two reads: they take long, and the project's owner
 * must not wait.
 */
export function findUnfinished(): CopiedTable | undefined {
  return Object.values(current?.mirror.tables ?? {}).find(({ nextStep }) => nextStep !== undefined)
}

/**
 * Classifies an error in the mirror: `again` if it was damaged, in which case the next query rebuilds it; null for
 * unrelated errors.
 */
export function asMirrorProblem(error: unknown): Problem | 'again' | null {
  const isFull = error instanceof Sqlite.SqliteError && error.code === 'SQLITE_FULL'
  if (error instanceof MirrorFailure || isFull) return problemOf('no-mirror', error.message)
  if (!(error instanceof Sqlite.SqliteError)) return null
  closeMirror()
  try {
    removeMirror(place)
  } catch {
    // The next query reports why.
  }
  return 'again'
}
