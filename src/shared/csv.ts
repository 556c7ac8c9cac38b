/** A file with an export. */
export interface ExportedFile {
  /** Safe in a header. */
  fileName: string
  /** The content, generated on demand. */
  chunks: AsyncIterable<string>
}

type Cell = string | number | boolean | null
type CellsOf<Row> = { [Key in keyof Row]: Row[Key] extends Cell ? Key & string : never }[keyof Row]

/** The columns of a CSV file: each is a field of a row, or a head with a field or a value. */
export type Columns<Row> = readonly (
  | CellsOf<Row>
  | readonly [head: string, value: CellsOf<Row> | ((row: Row) => Cell)]
)[]

/** Spreadsheet programs treat cells that begin like this as formulas and run them. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function toCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text = String(value)
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const toLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`

/** A CSV file (RFC 4180) with these columns: its head, and the line of a row. */
export function csvOf<Row>(columns: Columns<Row>): { head: string; lineOf(row: Row): string } {
  const pairs = columns.map((column) => (typeof column === 'string' ? ([column, column] as const) : column))
  const cellOf = (row: Row, value: (typeof pairs)[number][1]): Cell =>
    typeof value === 'function' ? value(row) : (row[value] as Cell)
  return {
    head: toLine(pairs.map(([head]) => head)),
    lineOf: (row) => toLine(pairs.map(([, value]) => cellOf(row, value))),
  }
}
