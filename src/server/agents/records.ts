import type { Row } from './agents-database.ts'

type OfCell<Value> = (cell: unknown) => Value
/** How a field is made from a cell; `column` is where that is, unless it has the name of the field. */
type Field<Value> = OfCell<Value> | readonly [column: string, ofCell: OfCell<Value>]

/** How a record is made from the cells of a row, field by field. */
export interface RecordKind<Item extends object> {
  columns: readonly string[]
  from(row: Row): Item
}

export function recordKind<Item extends object>(fields: {
  [Key in keyof Item]: Field<Item[Key]>
}): RecordKind<Item> {
  const all = Object.entries<Field<unknown>>(fields).map(([name, field]) =>
    typeof field === 'function'
      ? { name, column: name, ofCell: field }
      : { name, column: field[0], ofCell: field[1] },
  )
  return {
    columns: all.map(({ column }) => column),
    from(row) {
      const record: Row = {}
      for (const { name, column, ofCell } of all) record[name] = ofCell(row[column])
      return record as Item
    },
  }
}
