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

/** Accepts `YYYY-MM-DD HH:MM:SS` in UTC or ISO 8601; returns ISO 8601 with `Z`. */
export function timeOf(cell: unknown): string | null {
  if (typeof cell !== 'string') return null
  // Fast path for the format of almost every row: a regular expression for each would cost more than the query.
  if (isUsual(cell)) return `${cell.slice(0, 10)}T${cell.slice(11)}Z`
  const at = millisecondsOf(cell)
  if (at === null) return null
  const iso = new Date(at).toISOString()
  return iso.endsWith('.000Z') ? `${iso.slice(0, -5)}Z` : iso
}

/** As `timeOf`, in milliseconds since 1970. */
export function millisecondsOf(cell: unknown): number | null {
  if (typeof cell !== 'string') return null
  if (isUsual(cell)) return Date.parse(`${cell.slice(0, 10)}T${cell.slice(11)}Z`)
  const match = dateTime.exec(cell.trim())
  if (match === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  if (!isDay(year, month, day) || !isClock(hour, minute, second)) return null
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === '-' ? -1 : 1)
  if (Math.abs(offset) > 14 * 60) return null
  const date = new Date(0)
  // Date.UTC takes the year 26 for 1926.
  date.setUTCFullYear(year, month - 1, day)
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000)
  const at = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction
  return at >= earliest && at <= latest ? at : null
}

/** The years that ISO 8601 writes with four digits. */
const earliest = Date.parse('0000-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: number, month: number, day: number): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = (daysOfMonths[month - 1] ?? 0) + (month === 2 && isLeapYear ? 1 : 0)
  return day >= 1 && day <= days
}

function isClock(hour: number, minute: number, second: number): boolean {
  return hour <= 23 && minute <= 59 && second <= 59
}

const usualForm = '0000-00-00 00:00:00'

/** Whether the text is exactly `YYYY-MM-DD HH:MM:SS` and a valid date and time. */
function isUsual(text: string): boolean {
  if (text.length !== usualForm.length) return false
  for (let at = 0; at < usualForm.length; at += 1) {
    const code = text.charCodeAt(at)
    const wanted = usualForm.charCodeAt(at)
    if (wanted === digitZero ? code < digitZero || code > digitNine : code !== wanted) return false
  }
  const two = (at: number): number =>
    (text.charCodeAt(at) - digitZero) * 10 + text.charCodeAt(at + 1) - digitZero
  return isDay(two(0) * 100 + two(2), two(5), two(8)) && isClock(two(11), two(14), two(17))
}

const digitZero = 48
const digitNine = 57
