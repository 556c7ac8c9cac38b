import type { AgentsDatabase, Row } from '../agents-database.ts'
import { countKeys, hasKey, isSame } from './tape-blocks.ts'
import type { Block } from './tape-blocks.ts'

/** Rows that are read at once: about 10 ms of work. */
export const blockRows = 4096
/** A table of so few blocks is read whole with each change; of a larger one a single older block. */
const fewBlocks = 4

/** What of a table is kept in memory, column by column: a few bytes of each row instead of an object. */
export interface TapeKind<Cells> {
  table: string
  columns: readonly string[]
  /** The column that counts the rows; the rowid where there is none of this name. */
  key: 'id' | 'rowid'
  /** A column that is computed, for rows that cannot be told without it. */
  extra?(database: AgentsDatabase): string
  /** Null where some of these rows need the extra column, which they do not have yet. */
  read(rows: readonly Row[], isExtra: boolean): Cells | null
}

export interface Tape<Cells> {
  readonly table: string
  /** Oldest first. While not `isComplete` older rows are still to come. */
  readonly blocks: readonly Block<Cells>[]
  readonly isComplete: boolean
  /** False where the database has no such table. */
  readonly isThere: boolean
  readonly rows: number
  /** Another number means other rows, maybe. */
  readonly version: number
  /** When all blocks had been read again since the last time; null before that. */
  readonly passedAt: number | null
  /** How many rows there will be, about, while not complete. */
  readonly expectedRows: number
  /** The SQL expression of the key. */
  keyOf(database: AgentsDatabase): string
  /** Looks how many rows there will be, about. */
  estimate(database: AgentsDatabase): void
  /** Reads what changes up to this serial may have brought, until `deadline`. True when nothing is left to be read. */
  sync(database: AgentsDatabase, serial: number, deadline: number): boolean
  /** Reads the blocks that are older than the last change once more, until `deadline`. True when none is left. */
  roll(database: AgentsDatabase, serial: number, deadline: number): boolean
  /** Reads the block of this key again. */
  reread(database: AgentsDatabase, serial: number, key: number): void
}

/**
 * A table that only grows, as a rule, and may have millions of rows: read once, newest first, and then only where
 * something may have changed. The newest block is read again with each change; all others one after the other, so that
 * what somebody has edited or deleted is found too.
 */
export function createTape<Cells>(kind: TapeKind<Cells>): Tape<Cells> {
  const blocks: Block<Cells>[] = []
  let isComplete = false
  let isThere = false
  let rows = 0
  let version = 0
  let expectedRows = 0
  let syncedSerial = -1
  let headDone = false
  let rolled = 0
  let passStart = -1
  let passedAt: number | null = null

  const keyOf = (database: AgentsDatabase): string =>
    kind.key === 'id' && database.columnsOf(kind.table)?.has('id') === true
      ? database.column(kind.table, 'id')
      : 'rowid'

  const readRows = (
    database: AgentsDatabase,
    where: string,
    values: number[],
    order: 'ASC' | 'DESC',
    extra: readonly string[] = [],
  ): Row[] => {
    const key = keyOf(database)
    const found = database.all(
      `SELECT ${[`${key} AS "key"`, database.columns(kind.table, kind.columns), ...extra].join(', ')} FROM "${kind.table}"
       WHERE ${where.replaceAll('$key', key)}${key === 'rowid' ? '' : ` AND typeof(${key}) = 'integer'`}
       ORDER BY ${key} ${order} LIMIT ${blockRows}`,
      ...values,
    )
    return order === 'ASC' ? found : found.toReversed()
  }

  /** Null where there are no such rows. */
  const readBlock = (
    database: AgentsDatabase,
    serial: number,
    ...which: [where: string, values: number[], order: 'ASC' | 'DESC']
  ): Block<Cells> | null => {
    const found = readRows(database, ...which)
    if (found.length === 0) return null
    const cells =
      kind.read(found, false) ?? kind.read(readRows(database, ...which, [kind.extra?.(database) ?? '']), true)
    if (cells === null) throw new Error(`Rows of ${kind.table} need more than the extra column`)
    return { keys: Float64Array.from(found, (row) => Number(row['key'])), cells, serial }
  }

  const isFull = (block: Block<Cells> | null): boolean => block?.keys.length === blockRows

  /** Puts rows in the place of one block. Rows that are as they were change nothing but that they were read again. */
  const replace = (index: number, parts: Block<Cells>[]): void => {
    const former = blocks[index]
    const [part] = parts
    if (former !== undefined && part !== undefined && parts.length === 1 && isSame(former, part)) {
      former.serial = part.serial
      return
    }
    const gone = former?.keys.length ?? 0
    blocks.splice(index, index < blocks.length ? 1 : 0, ...parts)
    rows += parts.reduce((sum, { keys }) => sum + keys.length, 0) - gone
    version += 1
  }

  const firstOf = (block: Block<Cells> | undefined): number => block?.keys[0] ?? Number.MIN_SAFE_INTEGER
  const lastOf = (block: Block<Cells> | undefined): number => block?.keys.at(-1) ?? Number.MIN_SAFE_INTEGER

  /** From the newest block on. True when there is nothing newer. */
  const readHead = (database: AgentsDatabase, serial: number): boolean => {
    const last = blocks.at(-1)
    if (last === undefined) {
      const block = readBlock(database, serial, '1', [], 'DESC')
      if (block !== null) replace(0, [block])
      isComplete = !isFull(block)
      return true
    }
    if (last.serial !== serial) {
      // The first block begins with whatever is there by now.
      const from = blocks.length === 1 && isComplete ? Number.MIN_SAFE_INTEGER : firstOf(last)
      const block = readBlock(database, serial, '$key >= ?', [from], 'ASC')
      replace(blocks.length - 1, block === null ? [] : [block])
      // What was last is gone: the block before it may have lost its end too.
      return block !== null && !isFull(block)
    }
    const block = readBlock(database, serial, '$key > ?', [lastOf(last)], 'ASC')
    if (block !== null) replace(blocks.length, [block])
    return !isFull(block)
  }

  const readTail = (database: AgentsDatabase, serial: number): boolean => {
    const block = readBlock(database, serial, '$key < ?', [firstOf(blocks[0])], 'DESC')
    if (block !== null) {
      blocks.unshift(block)
      rows += block.keys.length
      version += 1
    }
    return !isFull(block)
  }

  const rereadAt = (database: AgentsDatabase, serial: number, index: number): void => {
    const to = index + 1 < blocks.length ? firstOf(blocks[index + 1]) : Number.MAX_SAFE_INTEGER
    let from = index === 0 && isComplete ? Number.MIN_SAFE_INTEGER : firstOf(blocks[index])
    const parts: Block<Cells>[] = []
    for (;;) {
      const block = readBlock(database, serial, '$key >= ? AND $key < ?', [from, to], 'ASC')
      if (block !== null) parts.push(block)
      if (block === null || !isFull(block)) break
      from = lastOf(block) + 1
    }
    replace(index, parts)
  }

  const stalest = (serial: number): number => {
    let found = -1
    for (let index = 0; index < blocks.length; index += 1) {
      const own = blocks[index]?.serial ?? serial
      if (own !== serial && (found < 0 || own < (blocks[found]?.serial ?? serial))) found = index
    }
    return found
  }

  const notePass = (serial: number): void => {
    if (!isComplete) return
    if (blocks.every((block) => block.serial >= passStart)) {
      passedAt = Date.now()
      passStart = serial + 1
    }
  }

  const forget = (): void => {
    if (blocks.length > 0) version += 1
    blocks.length = 0
    rows = 0
    isComplete = true
  }

  const look = (database: AgentsDatabase): boolean => {
    const there = database.columnsOf(kind.table) !== null && hasKey(database, kind.table, keyOf(database))
    if (there && !isThere) isComplete = false
    isThere = there
    if (!there) forget()
    return there
  }

  return {
    table: kind.table,
    blocks,
    keyOf,
    get isComplete() {
      return isComplete
    },
    get isThere() {
      return isThere
    },
    get rows() {
      return rows
    },
    get version() {
      return version
    },
    get passedAt() {
      return passedAt
    },
    get expectedRows() {
      return isComplete ? rows : Math.max(rows, expectedRows)
    },

    estimate(database) {
      if (!isComplete && look(database)) expectedRows = countKeys(database, kind.table, keyOf(database))
    },

    sync(database, since, deadline) {
      // Others may have begun with a later one.
      const serial = Math.max(since, syncedSerial)
      if (syncedSerial !== serial) {
        syncedSerial = serial
        headDone = false
        rolled = 0
      }
      if (!look(database)) {
        headDone = true
        return true
      }
      while (!headDone) {
        headDone = readHead(database, serial)
        if (performance.now() > deadline) return false
      }
      while (!isComplete) {
        isComplete = readTail(database, serial)
        if (performance.now() > deadline) return false
      }
      while (rolled < (blocks.length <= fewBlocks ? fewBlocks : 1)) {
        const index = stalest(serial)
        if (index < 0) break
        rereadAt(database, serial, index)
        rolled += 1
        if (performance.now() > deadline) return false
      }
      notePass(serial)
      return true
    },

    roll(database, serial, deadline) {
      while (performance.now() < deadline) {
        const index = stalest(serial)
        if (index < 0) break
        rereadAt(database, serial, index)
      }
      notePass(serial)
      return stalest(serial) < 0
    },

    reread(database, serial, key) {
      const index = blocks.findLastIndex((block) => firstOf(block) <= key)
      if (index >= 0) rereadAt(database, serial, index)
    },
  }
}
