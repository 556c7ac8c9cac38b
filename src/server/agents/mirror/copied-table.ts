import { hash } from 'node:crypto'
import type Sqlite from 'better-sqlite3'
import type { AgentsDatabase } from '../agents-database.ts'
import { finishing, settling } from './schema.ts'
import { tableKinds } from './tables.ts'
import type { Cell, TableKind, TableName } from './tables.ts'

/** Rows compared at once: about 10 ms of work. */
const blockRows = 2048
/** A growing table with at most this many rows is compared completely after each change. */
const smallTableRows = 4 * blockRows
/** In a larger table only these newest rows are; older ones are compared in the background. */
const headRows = 512

const lowest = Number.MIN_SAFE_INTEGER
const highest = Number.MAX_SAFE_INTEGER

/** A row of the mirror: its key, then the columns of its kind. */
type Cells = Cell[]
const keyIn = (cells: Cells | undefined): number => Number(cells?.[0])

/**
 * The copy of one table. Changes of the project are numbered by serials: `sync` copies what is new since the last one,
 * `check` compares every row again. Both work in blocks until a deadline, and return whether they are done.
 */
export class CopiedTable {
  readonly source: string
  readonly isGrowing: boolean
  /** False if the project has no such table. */
  exists = true
  rows: number
  /** Increases when rows may have changed. */
  version = 0
  /** When the last full comparison of a growing table ended; null before the first one. */
  checkedAt: number | null
  /** The serial of the last completed `sync`, and the serial before which all rows were compared. */
  private synced = -1
  private compared = -1
  /** Where `check` continues, and the serial at which this pass began. */
  private pass = { serial: -1, from: lowest }
  private headSerial = -1
  /** The serial at which the first copy began. */
  private beganAt = -1
  /** Whether all older rows of a growing table are copied, and how many finishing steps are done. */
  private isCopied: boolean
  private finished: number
  private keys = 0
  /** Digest of all cells, for a table that is read completely. */
  private digest: string | null = null
  private readonly mirror: Sqlite.Database
  private readonly kind: TableKind
  private readonly reads: readonly string[]
  private readonly steps: readonly string[]
  private readonly statements: ReturnType<typeof prepareStatements>

  constructor(mirror: Sqlite.Database, name: TableName) {
    this.mirror = mirror
    this.kind = tableKinds[name]
    this.source = this.kind.source
    this.isGrowing = this.kind.growsBy !== undefined
    this.reads = [...new Set(Object.values(this.kind.columns).flatMap(({ reads }) => reads))]
    this.steps = finishing[name] ?? []
    this.statements = prepareStatements(mirror, name, Object.keys(this.kind.columns))
    const { rows, finished, checkedAt } = this.statements.copyState.get(this.source) as {
      rows: number
      finished: number | null
      checkedAt: number | null
    }
    this.rows = rows
    this.finished = finished ?? 0
    this.checkedAt = checkedAt
    this.isCopied = checkedAt !== null
  }

  /** For a growing table: false while older rows are being copied or indexes built. */
  get isComplete(): boolean {
    return this.checkedAt !== null || !this.exists
  }

  /** Estimated number of rows once all are copied. */
  get expectedRows(): number {
    return this.exists ? Math.max(this.rows, this.keys) : 0
  }

  isSynced(serial: number): boolean {
    return this.synced >= serial
  }

  /** The serial before which this process has compared all rows with their source; -1 before the first pass. */
  get comparedAt(): number {
    return this.isGrowing ? this.compared : this.synced
  }

  /** SQL for the key in the source. */
  keyOf(database: AgentsDatabase): string {
    const hasId = this.kind.growsBy === 'id' && database.columnsOf(this.source)?.has('id') === true
    return hasId ? database.column(this.source, 'id') : 'rowid'
  }

  /** Checks whether the project has this table, and how many rows to expect. */
  refresh(database: AgentsDatabase): void {
    const { source, exists } = this
    this.exists =
      database.columnsOf(source) !== null &&
      (!this.isGrowing || this.keyOf(database) !== 'rowid' || database.hasRowid(source))
    if (this.exists && !exists) {
      this.isCopied = false
      this.checkedAt = null
    }
    if (!this.exists || !this.isGrowing) return
    const key = this.keyOf(database)
    // Two queries, because SQLite uses the index for one end at a time.
    const [first, last] = ['min', 'max'].map((end) => `(SELECT ${end}(${key}) FROM "${source}")`)
    this.keys = Number(database.get(`SELECT ${last} - ${first} + 1 AS keys`)?.['keys'] ?? 0)
  }

  /** Copies everything new up to this serial. */
  sync(database: AgentsDatabase, serial: number, deadline: number): boolean {
    if (this.synced >= serial) return true
    this.refresh(database)
    if (!this.isGrowing) this.copyWhole(database)
    else if (!this.copyNews(database, serial, deadline)) return false
    this.synced = serial
    return true
  }

  /** Compares all rows of a growing table that were copied before this serial; at least one block. */
  check(database: AgentsDatabase, serial: number, deadline: number): boolean {
    while (this.comparedAt < serial) {
      if (this.pass.from === lowest) this.pass.serial = serial
      const next = this.copyFrom(database, this.pass.from)
      this.pass.from = next ?? lowest
      if (next === null) {
        this.compared = this.pass.serial
        this.noteChecked()
      }
      if (performance.now() > deadline) break
    }
    return this.comparedAt >= serial
  }

  /**
   * Copies one block of rows again, starting at this key. Returns where the next block begins; null after the last row.
   */
  copyFrom(database: AgentsDatabase, from: number): number | null {
    const stored = this.statements.listFrom.all(from) as Cells[]
    const next = this.read(database, from, highest, 'ASC')
    // Stops where the shorter list ends, so that neither a grown nor a shrunk table is read all at once.
    const ends = [stored, next].filter(({ length }) => length >= blockRows).map((rows) => keyIn(rows.at(-1)))
    const to = Math.min(highest, ...ends)
    const within = (rows: Cells[]): Cells[] => rows.filter((cells) => keyIn(cells) <= to)
    this.replace(within(stored), within(next))
    return ends.length === 0 ? null : to + 1
  }

  /**
   * Runs the next finishing step once all rows are copied. False if no step is left. Takes long: never call it during a
   * read.
   */
  finish(): boolean {
    const step = this.nextStep
    if (step === undefined) return false
    this.mirror.transaction(() => {
      this.mirror.exec(step)
      this.statements.noteFinished.run(this.source, this.finished + 1)
    })()
    this.finished += 1
    return true
  }

  /** Undefined if there is nothing to finish now. */
  get nextStep(): string | undefined {
    return this.isCopied && this.exists ? this.steps[this.finished] : undefined
  }

  private copyWhole(database: AgentsDatabase): void {
    const digest = this.exists ? digestOf(database, this.source, this.reads) : ''
    if (digest === this.digest) return
    const next = this.exists ? this.toCells(database, '') : []
    this.replace(this.statements.listAll.all() as Cells[], next)
    this.digest = digest
  }

  private copyNews(database: AgentsDatabase, serial: number, deadline: number): boolean {
    if (this.headSerial !== serial) {
      if (!this.copyHead(database, deadline)) return false
      this.headSerial = serial
    }
    if (this.exists) {
      if (!this.isCopied && !this.copyOlder(database, serial, deadline)) return false
      if (this.nextStep !== undefined) return false
      if (this.checkedAt === null) this.noteChecked()
    }
    return (this.exists && this.rows > smallTableRows) || this.check(database, serial, deadline)
  }

  /** Compares the newest rows and copies those added since. */
  private copyHead(database: AgentsDatabase, deadline: number): boolean {
    for (let start = this.findHead(); start !== null;) {
      for (let from: number | null = start; from !== null;) {
        from = this.copyFrom(database, from)
        if (from !== null && performance.now() > deadline) return false
      }
      // If all of them were deleted, the rows before them may be gone too.
      const newest = this.statements.newest.get() as number | null
      start = newest !== null && newest < start ? this.findHead() : null
    }
    return true
  }

  /** Key of the first of the newest rows. With no rows left, all are new, unless the first copy brings them. */
  private findHead(): number | null {
    if (this.rows === 0) return this.isCopied ? lowest : null
    return this.statements.nthNewest.get(Math.min(headRows, this.rows) - 1) as number
  }

  /** The first copy, newest rows first. */
  private copyOlder(database: AgentsDatabase, serial: number, deadline: number): boolean {
    if (this.rows === 0) this.beganAt = serial
    while (!this.isCopied) {
      const oldest = this.statements.oldest.get() as number | null
      const block = this.read(database, lowest, oldest === null ? highest : oldest - 1, 'DESC')
      this.replace([], block.toReversed())
      this.isCopied = block.length < blockRows
      if (this.isCopied) this.compared = this.beganAt
      else if (performance.now() > deadline) return false
    }
    return true
  }

  private noteChecked(): void {
    const isFirst = this.checkedAt === null
    this.checkedAt = Date.now()
    // With few rows this happens so often that it is not worth a write each time.
    if (isFirst || this.rows > smallTableRows) this.statements.noteChecked.run(this.checkedAt, this.source)
  }

  private read(database: AgentsDatabase, from: number, to: number, order: 'ASC' | 'DESC'): Cells[] {
    if (!this.exists) return []
    const key = this.keyOf(database)
    const isUntyped = key !== 'rowid' && key !== '"id"'
    const rows = this.toCells(
      database,
      `WHERE ${key} BETWEEN ? AND ?${isUntyped ? ` AND typeof(${key}) = 'integer' GROUP BY ${key}` : ''}
       ORDER BY ${key} ${order} LIMIT ${blockRows}`,
      from,
      to,
    )
    const ascending = (order === 'ASC' ? rows : rows.toReversed()).map(keyIn)
    if (
      ascending.some((at, index) => at > to || at < from || (index > 0 && at <= (ascending[index - 1] ?? at)))
    )
      database.throwCorrupt(`${this.source}: row ids are repeated or out of order`)
    return rows
  }

  private toCells(database: AgentsDatabase, where: string, ...values: unknown[]): Cells[] {
    const { source, kind, isGrowing } = this
    const columns = Object.values(kind.columns)
    const key = isGrowing ? `${this.keyOf(database)} AS "key", ` : ''
    const readWith = (extra: string): (Cell | undefined)[][] =>
      database
        .all(
          `SELECT ${key}${database.columns(source, this.reads)}${extra} FROM "${source}" ${where}`,
          ...values,
        )
        .map((row, index) => [
          isGrowing ? Number(row['key']) : index,
          ...columns.map(({ toCell }) => toCell(row)),
        ])
    let rows = readWith('')
    if (kind.extra !== undefined && rows.some((cells) => cells.includes(undefined)))
      rows = readWith(`, ${kind.extra(database)}`)
    return rows as Cells[]
  }

  private replace(stored: readonly Cells[], next: readonly Cells[]): void {
    const { removed, added } = compare(stored, next)
    if (removed.length === 0 && added.length === 0) return
    this.mirror.transaction(() => {
      for (const key of removed) this.statements.remove.run(key)
      for (const cells of added) this.statements.insert.run(...cells)
      for (const statement of this.statements.settle) statement.run()
    })()
    this.rows += added.length - removed.length
    this.version += 1
  }
}

function prepareStatements(mirror: Sqlite.Database, name: TableName, columns: readonly string[]) {
  const all = ['key', ...columns].join(', ')
  const sql = (text: string): Sqlite.Statement => mirror.prepare(text)
  return {
    copyState: sql(
      `SELECT (SELECT count(*) FROM ${name}) AS rows, max(finished) AS finished, max(checked_at) AS checkedAt
       FROM copied WHERE source = ?`,
    ),
    noteFinished: sql(
      'INSERT INTO copied VALUES (?, ?, NULL) ON CONFLICT DO UPDATE SET finished = excluded.finished',
    ),
    noteChecked: sql('UPDATE copied SET checked_at = ? WHERE source = ?'),
    listAll: sql(`SELECT ${all} FROM ${name} ORDER BY key`).raw(),
    listFrom: sql(`SELECT ${all} FROM ${name} WHERE key >= ? ORDER BY key LIMIT ${blockRows}`).raw(),
    oldest: sql(`SELECT min(key) FROM ${name}`).pluck(),
    newest: sql(`SELECT max(key) FROM ${name}`).pluck(),
    nthNewest: sql(`SELECT key FROM ${name} ORDER BY key DESC LIMIT 1 OFFSET ?`).pluck(),
    insert: sql(`INSERT INTO ${name} (${all}) VALUES (?${', ?'.repeat(columns.length)})`),
    remove: sql(`DELETE FROM ${name} WHERE key = ?`),
    settle: (settling[name] ?? []).map(sql),
  }
}

/** Keys of rows to delete, and rows to insert; an edited row is in both. */
function compare(stored: readonly Cells[], next: readonly Cells[]): { removed: number[]; added: Cells[] } {
  const removed = new Map(stored.map((cells) => [keyIn(cells), cells]))
  const added = next.filter((cells) => {
    const old = removed.get(keyIn(cells))
    const isSame = old !== undefined && cells.every((cell, index) => cell === old[index])
    if (isSame) removed.delete(keyIn(cells))
    return !isSame
  })
  return { removed: [...removed.keys()], added }
}

/** Hashing in SQLite takes a quarter of the time of comparing cells one by one. */
function digestOf(database: AgentsDatabase, source: string, columns: readonly string[]): string {
  const cells = columns.map((name) => `coalesce(${database.column(source, name)}, char(0))`)
  const row = database.get(
    `SELECT CAST(group_concat(concat_ws(char(31), ${cells.join(', ')}), char(30)) AS BLOB) AS bytes FROM "${source}"`,
  )
  return hash('sha256', (row?.['bytes'] as Buffer | null) ?? '', 'hex')
}
