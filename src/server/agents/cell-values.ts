// SQLite columns hold any type: a number column may contain text, a date may be malformed, and any cell may be null.
// These functions convert a cell, or return null if it is not of that type.

/** The largest cell that is read, in bytes. Larger cells count as unreadable. */
export const maxCellBytes = 262_144

/** Read in place of a larger cell: bytes that are not valid text. */
const oversized = Buffer.from('fffefdfc', 'hex')

/**
 * SQL for a column that never reads more than `maxCellBytes` of it. `octet_length` of a column only reads the row
 * header; `length` or `substr` would read the whole cell.
 */
export function cappedColumn(quotedName: string): string {
  return `CASE WHEN octet_length(${quotedName}) > ${maxCellBytes} THEN x'${oversized.toString('hex')}' ELSE ${quotedName} END`
}

export function isOversized(cell: unknown): boolean {
  return Buffer.isBuffer(cell) && cell.equals(oversized)
}

/** Text as stored; numbers and bytes converted to text. */
export function textOf(cell: unknown): string | null {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number' || typeof cell === 'bigint') return String(cell)
  return Buffer.isBuffer(cell) && !isOversized(cell) ? cell.toString('utf8') : null
}

/** As `textOf`, for fields that cannot be null: an empty string instead. */
export const nameOf = (cell: unknown): string => textOf(cell) ?? ''

/** One of these words, regardless of case and surrounding spaces; the last one for any other text. */
export const wordOf =
  <Word>(words: readonly Word[]) =>
  (cell: unknown): Word => {
    const text = textOf(cell)?.trim().toLowerCase()
    return words.find((word) => word === text) ?? (words.at(-1) as Word)
  }

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** A number, even if stored as text. */
export function numberOf(cell: unknown): number | null {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : null
  if (typeof cell !== 'string' || !decimal.test(cell.trim())) return null
  const value = Number(cell)
  return Number.isFinite(value) ? value : null
}

/** An integer that JSON numbers represent exactly. */
export function integerOf(cell: unknown): number | null {
  const value = numberOf(cell)
  return Number.isSafeInteger(value) ? value : null
}

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(?:[Zz]|([+-])(\d\d):?(\d\d))?$/

/** The format of almost every row, on days that every month has. Making a date of each would take longer than the query. */
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/** Accepts `YYYY-MM-DD HH:MM:SS` in UTC or ISO 8601; returns ISO 8601 with `Z`. */
export function timeOf(cell: unknown): string | null {
  if (typeof cell !== 'string') return null
  if (usual.test(cell)) return `${cell.slice(0, 10)}T${cell.slice(11)}Z`
  const at = millisecondsOf(cell)
  if (at === null) return null
  const iso = new Date(at).toISOString()
  return iso.endsWith('.000Z') ? `${iso.slice(0, -5)}Z` : iso
}

/** As `timeOf`, in milliseconds since 1970. */
export function millisecondsOf(cell: unknown): number | null {
  if (typeof cell !== 'string') return null
  if (usual.test(cell)) return Date.parse(`${cell.slice(0, 10)}T${cell.slice(11)}Z`)
  const match = dateTime.exec(cell.trim())
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  if (hour > 23 || minute > 59 || second > 59) return null
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === '-' ? -1 : 1)
  if (Math.abs(offset) > 14 * 60) return null
  const date = new Date(0)
  // Date.UTC takes the year 26 for 1926.
  date.setUTCFullYear(year, month - 1, day)
  // There is no such day in this month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000)
  const at = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction
  return at >= earliest && at <= latest ? at : null
}

/** The years that ISO 8601 writes with four digits. */
const earliest = Date.parse('0000-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')
