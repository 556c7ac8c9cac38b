import type { AgentsDatabase } from '../agents-database.ts'

/** Consecutive rows of a table, by key. */
export interface Block<Cells> {
  keys: Float64Array
  cells: Cells
  /** The change of the database after which it was read. */
  serial: number
}

/** Whether two blocks hold the same rows, whenever they were read. */
export function isSame<Cells>(one: Block<Cells>, other: Block<Cells>): boolean {
  return (
    isSameCell(one.keys, other.keys) &&
    Object.keys(one.cells as object).every((name) => {
      const key = name as keyof Cells
      return isSameCell(one.cells[key], other.cells[key])
    })
  )
}

function isSameCell(one: unknown, other: unknown): boolean {
  if (!ArrayBuffer.isView(one) || !ArrayBuffer.isView(other)) return Object.is(one, other)
  return bytesOf(one).equals(bytesOf(other))
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** A table WITHOUT ROWID has no such column. */
export function hasKey(database: AgentsDatabase, table: string, key: string): boolean {
  if (key !== 'rowid') return true
  try {
    database.get(`SELECT rowid FROM "${table}" LIMIT 0`)
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such column')) return false
    throw error
  }
}

/** As many rows as there are at most, were none missing. */
export function countKeys(database: AgentsDatabase, table: string, key: string): number {
  const first = database.get(`SELECT min(${key}) AS "key" FROM "${table}"`)
  const last = database.get(`SELECT max(${key}) AS "key" FROM "${table}"`)
  return Number(last?.['key'] ?? 0) - Number(first?.['key'] ?? 0) + 1
}
