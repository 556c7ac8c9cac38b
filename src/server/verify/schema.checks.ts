import type { Connection } from '../db/database.ts'
import { findDamage, rebuildIndexes } from '../db/inspect.ts'
import { dropObject, readSchema } from '../db/stored-schema.ts'
import type { SchemaObject } from '../db/stored-schema.ts'
import type { Check, Problem } from './run-checks.ts'

/** Tables whose contents other checks rebuild, so that they can be recreated empty. */
const derivedTables = new Set([
  'release_bodies',
  'release_texts',
  'release_grams',
  'image_uses',
  'post_slugs',
])

/** SQLite's own check of pages, indexes, constraints and references. */
export const integrityCheck: Check = {
  name: 'database',
  *find({ connection }) {
    for (const damage of findDamage(connection)) {
      const problem = `database: ${damage}`
      const isIndex = /\bindex\b/.test(damage) && !/^\*\*\*|\bTree\b/.test(damage)
      yield isIndex ? { problem, repair: () => rebuildIndexes(connection) } : { problem }
    }
  },
}

/** Checks tables, indexes, triggers and views against those that the migrations create. */
export const schemaCheck: Check = {
  name: 'schema',
  *find({ connection, model }) {
    const expected = readSchema(model)
    const found = readSchema(connection)
    for (const [key, object] of expected) {
      const present = found.get(key)
      if (present === undefined) yield missing(connection, key, object)
      else if (normalize(present.sql) !== normalize(object.sql))
        yield changed(connection, key, present, object)
    }
    for (const [key, object] of found) {
      if (!expected.has(key)) yield unknown(connection, key, object)
    }
  },
}

function missing(connection: Connection, key: string, object: SchemaObject): Problem {
  const problem = `schema: the ${key} is missing`
  const isRebuilt = object.type !== 'table' || derivedTables.has(object.name)
  return isRebuilt ? { problem, repair: () => void connection.exec(object.sql) } : { problem }
}

function changed(connection: Connection, key: string, present: SchemaObject, object: SchemaObject): Problem {
  const problem = `schema: the ${key} differs from the one that this version creates`
  if (object.type === 'table') return { problem }
  const repair = (): void => {
    dropObject(connection, present)
    connection.exec(object.sql)
  }
  return { problem, repair }
}

/** A table may contain data that someone needs; the repair removes anything else. */
function unknown(connection: Connection, key: string, object: SchemaObject): Problem {
  const problem = `schema: the ${key} on ${object.table} does not belong to this version`
  return object.type === 'table' ? { problem } : { problem, repair: () => dropObject(connection, object) }
}

/** Removes comments and normalizes white space. */
function normalize(sql: string): string {
  return sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
