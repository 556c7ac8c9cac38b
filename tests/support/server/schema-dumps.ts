import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { gramsOf } from '../../../src/server/domains/releases/releases.rules.ts'

/** A database with data as each version of the schema stored it, `NUMBER.sql`, and the files it refers to. */
export const dumpsFolder = join(import.meta.dirname, '../../operations/schemas')

/** The versions that have a dump, in order. */
export function dumpedVersions(): number[] {
  return readdirSync(dumpsFolder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => Number.parseInt(name, 10))
    .toSorted((a, b) => a - b)
}

/** Creates a database from a dump, as the program of that version would have left it. */
export function loadDump(version: number, path: string): void {
  const database = new Sqlite(path)
  database.pragma('page_size = 16384')
  database.pragma('journal_mode = WAL')
  database.pragma('foreign_keys = OFF')
  database.exec(readFileSync(join(dumpsFolder, `${version}.sql`), 'utf8'))
  database.close()
}

interface SchemaPart {
  type: string
  name: string
  sql: string
}

/**
 * SQL that creates the schema of the database `model` with the rows of `source`, whose schema is the same or newer.
 * Columns and tables that `model` doesn't have are left out.
 */
export function dumpDatabase(model: Sqlite.Database, source: Sqlite.Database): string {
  const parts = model
    .prepare<[], SchemaPart>(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
       AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'release_grams_%' ORDER BY rowid`,
    )
    .all()
  const tables = parts.filter(({ type }) => type === 'table')
  // Triggers come last, or they would change the inserted rows.
  const others = parts.filter(({ type }) => type !== 'table')
  const version = Number(model.pragma('user_version', { simple: true }))
  const lines = [
    ...tables.map(({ sql }) => sql),
    ...tables.flatMap(({ name }) => insertsOf(model, source, name)),
    ...others.map(({ sql }) => sql),
    `PRAGMA user_version = ${version}`,
  ]
  return `${lines.join(';\n')};\n`
}

function insertsOf(model: Sqlite.Database, source: Sqlite.Database, table: string): string[] {
  if (table === 'release_grams') {
    const texts = source.prepare<[], { id: number; text: string }>(
      'SELECT release_id AS id, text FROM release_texts ORDER BY release_id',
    )
    return texts
      .all()
      .map(({ id, text }) => `INSERT INTO release_grams (rowid, grams) VALUES (${id}, '${gramsOf(text)}')`)
  }
  // Migrations insert its rows, and every change counts.
  const from = table === 'desk_topics' ? model : source
  const columns = model.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table)
  const quoted = columns.map((column) => `quote(${column})`).join(` || ', ' || `)
  const rows = from.prepare<[], string>(`SELECT ${quoted} FROM ${table}`).pluck().all()
  return rows.map((row) => `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${row})`)
}
