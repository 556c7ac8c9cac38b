import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { categories } from '../../src/shared/contracts/releases.ts'
import { releaseRepository } from '../../src/server/domains/releases/releases.repository.ts'
import { checksRepository } from '../../src/server/domains/releases/checks/checks.repository.ts'
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

/** The package of a seeded release, which is only written to the data folder by the cases that need it. */
export const packageOf = (index: number): Buffer => Buffer.alloc(packageSize, `Package ${index}. `)

/** Fills a data folder with approved releases as the server stores them, with manifests of about 2 KB. */
export function seed(folder: string, releases: number, names: number): Seeded {
  const paths = dataPaths(folder)
  initializeDataFolder(paths)
  const connection = new Sqlite(paths.database)
  connection.pragma('synchronous = OFF')
  const repository = releaseRepository(connection)
  const checks = checksRepository(connection)
  connection
    .prepare(
      "INSERT INTO people (issuer, subject, name, role, created_at) VALUES ('skilldock', ?, ?, 'developer', ?)",
    )
    .run('seed', 'Seeded Publisher', new Date().toISOString())
  const owner = { id: 1, name: 'Seeded Publisher' }
  const approve = connection.prepare(
    "UPDATE releases SET status = 'approved', review_reason = ? WHERE id = ?",
  )
  const growth = JSON.stringify(growthSince(null, []))
  const keys: Seeded['keys'] = []
  const insert = connection.transaction((from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
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
      const reviewReason = 'Looked at every part of it.'
      approve.run(reviewReason, id)
      repository.insertDecision({
        releaseId: id,
        action: 'approved',
        reason: reviewReason,
        decidedBy: owner.id,
        decidedAt: facts.createdAt,
      })
      repository.saveBody(id, releaseBody({ ...facts, id, status: 'approved', reviewReason }, text, owner))
      const searchable = searchText(sent, owner.name)
      repository.insertSearch(id, searchable, gramsOf(searchable))
      // Otherwise, the server would check all releases after its start and slow down everything that is measured.
      checks.saveChecks({
        releaseId: id,
        version: checksVersion(),
        checkedAt: facts.createdAt,
        findings: '[]',
        growth,
        stale: 0,
      })
      keys.push({ name: sent.name, version: sent.version })
    }
  })
  for (let from = 0; from < releases; from += 5000) insert(from, Math.min(releases, from + 5000))
  connection.pragma('wal_checkpoint(TRUNCATE)')
  connection.close()
  writeFileSync(join(folder, 'seeded.json'), JSON.stringify({ keys } satisfies Seeded))
  return { keys }
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
