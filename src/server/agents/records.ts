import { z } from 'zod'
import { columnOf } from '../../shared/contracts/agent-columns.ts'
import type { Row } from './agents-database.ts'
import { integerOf, nameOf, numberOf, textOf, timeOf, wordOf } from './cell-values.ts'

type OfCell<Value> = (cell: unknown) => Value

/** A field of a record: the column it is read from, and how a cell is converted. */
interface StoredField {
  name: string
  column: string
  ofCell: OfCell<unknown>
}

/** Converts the cells of a row to a record, field by field. */
export interface RecordKind<Item extends object> {
  columns: readonly string[]
  from(row: Row): Item
}

function recordKind<Item extends object>(all: readonly StoredField[]): RecordKind<Item> {
  // For ten thousand rows, a loop over the fields would take more than twice as long. The names are those of the contracts.
  const fields = all.map(({ name, column }, index) => {
    const cell = `row[${JSON.stringify(column)}]`
    return `${JSON.stringify(name)}: convert[${index}](${cell})`
  })
  // oxlint-disable-next-line no-implied-eval, no-new-func
  const make = new Function('convert', 'row', `return { ${fields.join(', ')} }`) as (
    convert: readonly OfCell<unknown>[],
    row: Row,
  ) => Item
  const convert = all.map(({ ofCell }) => ofCell)
  return { columns: all.map(({ column }) => column), from: (row) => make(convert, row) }
}

/** A record as defined by its contract, whose fields have the names of the columns. */
export const contractRecord = <Schema extends z.ZodObject>(schema: Schema) =>
  recordKind<z.output<Schema>>(
    Object.entries(schema.shape).map(([name, field]) => ({ name, column: name, ofCell: cellOf(field) })),
  )

/** The fields of a contract that are read from a column (agent-columns.ts). */
export const storedFields = (schema: z.ZodObject): StoredField[] =>
  Object.entries(schema.shape).flatMap(([name, field]) => {
    const column = columnOf(field)
    return column === undefined ? [] : [{ name, column, ofCell: cellOf(field) }]
  })

/** A record with these fields. */
export const storedRecord = <Item extends object>(schema: z.ZodObject) =>
  recordKind<Item>(storedFields(schema))

/** The conversion for a field's type. */
function cellOf(field: unknown): OfCell<unknown> {
  if (field instanceof z.ZodEnum) return wordOf(field.options)
  if (field instanceof z.ZodUnion) return (cell) => timeOf(cell) ?? ''
  if (!(field instanceof z.ZodNullable)) return nameOf
  const value = field.unwrap()
  if (value instanceof z.ZodUnion) return (cell) => (Number.isSafeInteger(cell) ? cell : textOf(cell))
  if (value instanceof z.ZodISODateTime) return timeOf
  if (value instanceof z.ZodNumberFormat) return integerOf
  return value instanceof z.ZodNumber ? numberOf : textOf
}
