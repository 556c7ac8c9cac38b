import { z } from 'zod'

const columns = z.registry<{ column: string }>()

/** Declares that a field has the value of this column of the agent project's database. */
function from<Schema extends z.ZodType>(column: string, schema: Schema): Schema {
  columns.add(schema, { column })
  return schema
}

/**
 * Fields that are read from a column. The columns of the mirror, and how their cells are converted, are derived from
 * them. A value of another type is null, or an empty string in a `name`.
 */
export const stored = {
  name: (column: string) => from(column, z.string()),
  text: (column: string) => from(column, z.string().nullable()),
  whole: (column: string) => from(column, z.int().nullable()),
  number: (column: string) => from(column, z.number().nullable()),
  time: (column: string) => from(column, z.iso.datetime().nullable()),
  /** One of these words; the last one includes all others. */
  word: <const Words extends readonly string[]>(column: string, words: Words) => from(column, z.enum(words)),
}

/** The column of a field; undefined if it is computed. */
export const columnOf = (field: unknown): string | undefined => columns.get(field as z.ZodType)?.column
