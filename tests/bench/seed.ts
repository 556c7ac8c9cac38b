import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { categories } from '../../src/shared/contracts/manifest.ts'
import { releaseRepository } from '../../src/server/domains/releases/releases.repository.ts'
import { growthSince } from '../../src/server/domains/releases/checks/growth.rules.ts'
import { gramsOf, releaseBody, searchText } from '../../src/server/domains/releases/releases.rules.ts'
import { checksVersion } from '../../src/shared/findings/run-checks.ts'
import { dataPaths, initializeDataFolder } from '../../src/server/data-folder/data-folder.ts'
import { manifest } from '../support/server/publish.ts'

export const verbs = [
  'parse',
  'hash',
  'encode',
  'sort',
  'split',
  'merge',
  'count',
  'format',
  'check',
  'render',
]
export const things = [
  'invoice',
  'csv',
  'json',
  'ledger',
  'mail',
  'date',
  'color',
  'matrix',
  'table',
  'address',
]
export const adjectives = ['strict', 'fast', 'small', 'safe', 'plain', 'lazy', 'wide', 'deep', 'pure', 'neat']

export interface Seeded {
  /** `name version` of every release, oldest first. */
  keys: { name: string; version: string }[]
}

const packageSize = 4096
const reviewReason = 'Looked at every part of it.'

/** The package of a seeded release, which is only written to the data folder by the cases that need it. */
export const packageOf = (index: number): Buffer => Buffer.alloc(packageSize, `Package ${index}. `)

/**
 * Fills a data folder with approved releases as the server stores them, with manifests of about 2 KB. Indexes are
 * created after all rows, and nothing is flushed: a million releases take minutes instead of an hour.
 */
export function seed(folder: string, releases: number, names: number): Seeded {
  const paths = dataPaths(folder)
  initializeDataFolder(paths)
  const connection = new Sqlite(paths.database)
  connection.pragma('journal_mode = MEMORY')
  connection.pragma('synchronous = OFF')
  connection.pragma('cache_size = -1048576')
  connection
    .prepare(
      "INSERT INTO people (issuer, subject, name, role, created_at) VALUES ('skilldock', ?, ?, 'developer', ?)",
    )
    .run('seed', 'Seeded Publisher', new Date().toISOString())
  // Some of its statements name an index, so they are prepared first.
  releaseRepository(connection)
  const createIndexes = dropIndexes(connection)
  const insert = connection.transaction(() => {
    const keys = insertReleases(connection, releases, names)
    insertReviews(connection)
    createIndexes()
    return keys
  })
  const keys = insert()
  connection.pragma('journal_mode = WAL')
  connection.close()
  writeFileSync(join(folder, 'seeded.json'), JSON.stringify({ keys } satisfies Seeded))
  return { keys }
}

/** Returns a function that creates the indexes again. */
function dropIndexes(connection: Sqlite.Database): () => void {
  const indexes = connection
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
    )
    .all()
  for (const { name } of indexes) connection.exec(`DROP INDEX ${name}`)
  return () => {
    for (const { sql } of indexes) connection.exec(sql)
  }
}

function insertReleases(connection: Sqlite.Database, releases: number, names: number): Seeded['keys'] {
  const repository = releaseRepository(connection)
  const owner = { id: 1, name: 'Seeded Publisher' }
  const grams = new Map<string, string>()
  return Array.from({ length: releases }, (_, index) => {
    const sent = seededManifest(index, names)
    const facts = {
      name: sent.name,
      version: sent.version,
      sha256: hash('sha256', packageOf(index)),
      size: packageSize,
      createdAt: new Date(1_760_000_000_000 + index * 1000).toISOString(),
    }
    const text = JSON.stringify(sent)
    const id = repository.insertRelease({ ...facts, ownerId: owner.id }, text)
    repository.saveBody(id, releaseBody({ ...facts, id, status: 'approved', reviewReason }, text, owner))
    // Versions of one name have the same few texts.
    const searchable = searchText(sent, owner.name)
    const gramsOfText = grams.get(searchable) ?? gramsOf(searchable)
    grams.set(searchable, gramsOfText)
    repository.insertSearch(id, searchable, gramsOfText)
    return { name: sent.name, version: sent.version }
  })
}

/** Inserts the approvals of all releases, and the results of the checks. */
function insertReviews(connection: Sqlite.Database): void {
  connection.prepare("UPDATE releases SET status = 'approved', review_reason = ?").run(reviewReason)
  connection.exec(
    `INSERT INTO decisions (release_id, action, reason, decided_by, decided_at)
     SELECT id, 'approved', review_reason, owner_id, created_at FROM releases ORDER BY id`,
  )
  // Otherwise, the server would check all releases after its start and slow down everything that is measured.
  connection
    .prepare(
      `INSERT INTO release_checks (release_id, version, checked_at, findings, errors, warnings, growth, stale)
       SELECT id, ?, created_at, '[]', 0, 0, ?, 0 FROM releases`,
    )
    .run(checksVersion(), JSON.stringify(growthSince(null, [])))
}

function seededManifest(index: number, names: number): ReturnType<typeof manifest> {
  const number = index % names
  const verb = pick(verbs, number)
  const thing = pick(things, Math.floor(number / 10))
  const adjective = pick(adjectives, Math.floor(number / 100))
  const category = pick(categories, index)
  return manifest({
    name: `${thing}-${verb}-${adjective}-${number}`,
    version: `1.${Math.floor(index / names)}.0`,
    description: `Can ${verb} one ${thing} after the other, ${adjective} and without a network, number ${number}.`,
    category,
    readme: `# ${thing} ${verb}\n\n${'It reads standard input and writes standard output, line by line. '.repeat(24)}`,
  })
}

function pick<T>(from: readonly T[], index: number): T {
  const value = from[index % from.length]
  if (value === undefined) throw new Error('Nothing to pick from')
  return value
}

/** The list in an order that is determined by `start`. */
export function shuffled<T>(values: readonly T[], start: number): T[] {
  let state = start
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
  return values
    .map((value) => ({ value, key: next() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value)
}
