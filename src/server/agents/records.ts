import { z } from 'zod'
import type { Row } from './agents-database.ts'
import { integerOf, nameOf, numberOf, textOf, timeOf } from './cell-values.ts'

type OfCell<Value> = (cell: unknown) => Value
/** How a field is converted from a cell; `column` is its column, if named differently. */
type Field<Value> = OfCell<Value> | readonly [column: string, ofCell: OfCell<Value>]

/** Converts the cells of a row to a record, field by field. */
export interface RecordKind<Item extends object> {
  columns: readonly string[]
  from(row: Row): Item
}

export function recordKind<Item extends object>(kinds: {
  [Key in keyof Item]: Field<Item[Key]>
}): RecordKind<Item> {
  const all = Object.entries<Field<unknown>>(kinds).map(([name, field]) =>
    typeof field === 'function'
      ? { name, column: name, ofCell: field }
      : { name, column: field[0], ofCell: field[1] },
  )
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
export const contractRecord = <Schema extends z.ZodObject>(schema: Schema): RecordKind<z.output<Schema>> =>
  recordKind(
    Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, cellOf(field)])) as {
      [Key in keyof z.output<Schema>]: Field<z.output<Schema>[Key]>
    },
  )

/** The conversion for a field's type. */
function cellOf(field: unknown): OfCell<unknown> {
  if (field instanceof z.ZodUnion) return (cell) => timeOf(cell) ?? ''
  if (!(field instanceof z.ZodNullable)) return nameOf
  const value = field.unwrap()
  if (value instanceof z.ZodUnion) return (cell) => (Number.isSafeInteger(cell) ? cell : textOf(cell))
  if (value instanceof z.ZodISODateTime) return timeOf
  if (value instanceof z.ZodNumberFormat) return integerOf
  return value instanceof z.ZodNumber ? numberOf : textOf
}
