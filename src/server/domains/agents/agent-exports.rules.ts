import { toLine } from '../log/audit-log.rules.ts'

type Cell = string | number | boolean | null
type CellsOf<Row> = { [Key in keyof Row]: Row[Key] extends Cell ? Key & string : never }[keyof Row]

/** The columns of a CSV file: each is a field of a row, or a head with a field or a value. */
export type Columns<Row> = readonly (
  | CellsOf<Row>
  | readonly [head: string, value: CellsOf<Row> | ((row: Row) => Cell)]
)[]

/** A CSV file with these columns: its head, and the line of a row. */
export function csvOf<Row>(columns: Columns<Row>): { head: string; lineOf(row: Row): string } {
  const pairs = columns.map((column) => (typeof column === 'string' ? ([column, column] as const) : column))
  const cellOf = (row: Row, value: (typeof pairs)[number][1]): string | number | null => {
    const cell = typeof value === 'function' ? value(row) : (row[value] as Cell)
    return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : cell
  }
  return {
    head: toLine(pairs.map(([head]) => head)),
    lineOf: (row) => toLine(pairs.map(([, value]) => cellOf(row, value))),
  }
}
