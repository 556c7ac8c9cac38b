import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { openDatabase } from '../../src/server/db/database.ts'
import { openForInspection } from '../../src/server/db/inspect.ts'
import { noteKeyOf } from '../../src/server/storage/note-key.ts'
import { createSigningKey, readSigningKey } from '../../src/server/storage/signing-key.ts'
import { decideAtDesk, signIn } from '../support/desk/desk-client.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, projectRoot, skilldock, temporaryFolder } from '../support/server/command-line.ts'
import type { Ended } from '../support/server/command-line.ts'
import { addOwners } from '../support/server/add-owners.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { flipBit } from '../support/server/flip-bit.ts'
import { folderState } from '../support/server/folder-state.ts'
import { until } from '../support/wait.ts'
import { review } from '../support/server/publish.ts'
import { startTestServer } from '../support/server/server.ts'

interface Release {
  id: number
  name: string
  version: string
  status: string
  sha256: string
}

/** The demo, after a server has written the records of its releases. */
let demo: string
let before: Release[]
/** The records from before the owners of some names changed. */
let earlier: string

const startAndStop = async (folder: string): Promise<void> => {
  const app = await startTestServer({ folder })
  await app.stop()
}

beforeAll(async () => {
  demo = await copyOfDemo()
  await startAndStop(demo)
  earlier = join(temporaryFolder(), 'earlier')
  cpSync(dataPaths(demo).records, earlier, { recursive: true })
  const database = openDatabase(dataPaths(demo).database)
  await addOwners(database)
  database.close()
  await startAndStop(demo)
  const app = await startTestServer({ folder: demo, config: { 'review.approvals': 2 } })
  const pending = releasesOf(demo).find(({ status }) => status === 'pending')
  await review(
    app.registry,
    await app.token({ subject: 'marta' }),
    pending?.id ?? 0,
    'approved',
    'The first of two.',
  )
  const marta = await signIn(app, 'marta')
  const approved = releasesOf(demo).filter(({ status }) => status === 'approved')
  const [revoked, deprecated] = approved.slice(-2)
  await decideAtDesk(marta, revoked?.id ?? 0, 'revoked', { publishReason: true })
  const deprecation = `/skills/${deprecated?.name}/${deprecated?.version}/deprecation`
  await marta.send('POST', deprecation, { reason: 'It is slow for long lines.' })
  await marta.send('POST', deprecation, { reason: 'It is slow.', successor: approved[0]?.name })
  await until('every release has a record', () =>
    Promise.resolve(releasesOf(demo).every(({ id }) => existsSync(recordOf(demo, id)))),
  )
  await app.stop()
  before = releasesOf(demo)
})
afterAll(cleanUp)

function rows<Row>(folder: string, sql: string): Row[] {
  const connection = openForInspection(dataPaths(folder).database)
  try {
    return connection.prepare<[], Row>(sql).all()
  } finally {
    connection.close()
  }
}

const releasesOf = (folder: string): Release[] =>
  rows(folder, 'SELECT id, name, version, status, sha256 FROM releases ORDER BY id')

const ownersSql =
  'SELECT name, person_id, since, added_by, reason, ended_at, ended_by FROM name_owners ORDER BY name, since'

/** What the public and reviewers see of the releases, with every stored byte. */
const contentsOf = (folder: string): unknown =>
  [
    `SELECT r.*, CAST(m.manifest AS TEXT) AS manifest, CAST(b.body AS TEXT) AS body, t.text, n.owner_id, n.skeleton,
       n.first_approved_at, NULL AS last_decision
     FROM releases r JOIN release_manifests m ON m.release_id = r.id JOIN release_bodies b ON b.release_id = r.id
     JOIN skill_names n ON n.name = r.name LEFT JOIN release_texts t ON t.release_id = r.id ORDER BY r.id`,
    `SELECT d.release_id, d.action, d.reason, d.decided_by, d.decided_at, e.evidence FROM decisions d
     LEFT JOIN decision_evidence e ON e.decision_id = d.id ORDER BY d.release_id, d.id`,
    'SELECT release_id, reason, approved_by, approved_at, evidence, withdrawn_at FROM first_approvals ORDER BY id',
    'SELECT id, issuer, subject, name, created_at, removed_at FROM people ORDER BY id',
    `SELECT release_id, reason, successor, deprecated_by, deprecated_at, withdrawn_by, withdrawn_at
     FROM deprecations ORDER BY id`,
    'SELECT d.release_id FROM published_reasons p JOIN decisions d ON d.id = p.decision_id',
    ownersSql,
  ].map((sql) => rows(folder, sql))

function copyWithout(...parts: ('database' | 'signingKey' | 'records')[]): string {
  const folder = join(temporaryFolder(), 'copy')
  cpSync(demo, folder, { recursive: true })
  for (const part of parts) rmSync(dataPaths(folder)[part], { recursive: true })
  return folder
}

const recordOf = (folder: string, id: number): string => join(dataPaths(folder).records, `${id}.note`)

const rebuild = (folder: string): Promise<Ended> => skilldockHere(folder, ['rebuild'])

const find = (status: string): Release => {
  const release = before.find((one) => one.status === status)
  if (release === undefined) throw new Error(`The demo has no release that is ${status}`)
  return release
}

const asideOf = (folder: string): string => {
  const name = readdirSync(folder).find((one) => one.startsWith('before-rebuild-'))
  return join(folder, name ?? 'missing')
}

describe('a registry without its database', () => {
  test('has the same releases, manifests, packages, decisions and publishers again', async () => {
    const folder = copyWithout('database')
    const run = await rebuild(folder)
    expect(run).toMatchObject({ status: 0, stderr: '' })
    const count = (status: string): number => before.filter((one) => one.status === status).length
    expect(run.stdout).toContain(`${count('approved')} approved`)
    expect(run.stdout).toMatch(/^lost {4}administrators, tokens .+ images and download counts$/m)
    expect(contentsOf(folder)).toEqual(contentsOf(demo))
    expect(rows(folder, 'SELECT id FROM deprecations')).toHaveLength(2)
    expect(rows(folder, 'SELECT decision_id FROM published_reasons')).toHaveLength(1)
    expect((await skilldockHere(folder, ['verify'])).stdout).toContain('No problems found.')

    const [first, second] = await Promise.all([demo, folder].map(answersOf))
    expect(second).toEqual(first)
    expect(first?.length).toBeGreaterThan(2 * count('approved'))
  })

  test('has no administrator, no tokens, another log key, and keeps what it could not use', async () => {
    const folder = copyWithout('database')
    const paths = dataPaths(folder)
    const keys = [readFileSync(paths.signingKey, 'utf8'), readFileSync(paths.logKey, 'utf8')]
    await rebuild(folder)
    expect(rows(folder, "SELECT role FROM people WHERE role <> 'developer'")).toEqual([])
    expect(rows(folder, 'SELECT jti FROM tokens')).toEqual([])
    expect(readFileSync(paths.signingKey, 'utf8')).toBe(keys[0])
    expect(readFileSync(paths.logKey, 'utf8')).not.toBe(keys[1])
    const aside = dataPaths(asideOf(folder))
    expect(readFileSync(aside.logKey, 'utf8')).toBe(keys[1])
    expect(readdirSync(aside.pictures)).toEqual(readdirSync(dataPaths(demo).pictures))
  })
})

/** The public answers about every release. */
async function answersOf(folder: string): Promise<string[]> {
  const app = await startTestServer({ folder })
  try {
    const skills = `${app.registry}/api/marketplace/skills`
    const approved = before.filter(({ status }) => status === 'approved')
    const urls = approved.flatMap(({ name, version }) => [
      `${skills}/${name}/${version}`,
      `${skills}/${name}/${version}/package`,
    ])
    return await Promise.all(
      [`${skills}?limit=100`, `${app.registry}/api/skilldock/advisories.json`, ...urls].map(async (url) => {
        const reply = await fetch(url)
        return `${reply.status} ${Buffer.from(await reply.arrayBuffer()).toString('latin1')}`
      }),
    )
  } finally {
    await app.stop()
  }
}

test('a damaged database is replaced and kept', async () => {
  const folder = copyWithout()
  const paths = dataPaths(folder)
  for (let offset = 0; offset < statSync(paths.database).size; offset += 4096)
    flipBit(paths.database, offset, 3)
  const damaged = readFileSync(paths.database)
  expect((await rebuild(folder)).status).toBe(0)
  expect(contentsOf(folder)).toEqual(contentsOf(demo))
  expect(readFileSync(dataPaths(asideOf(folder)).database).equals(damaged)).toBe(true)
})

describe('the owners of names', () => {
  /** A name with former owners and several releases. */
  const findChanged = (): number[] => {
    const [name] = rows<{ name: string }>(
      demo,
      `SELECT name FROM releases WHERE name IN (SELECT name FROM name_owners WHERE ended_at IS NOT NULL)
       GROUP BY name HAVING count(*) > 1`,
    )
    return before.filter((one) => one.name === name?.name).map(({ id }) => id)
  }

  test('are the current ones even if a record is of an earlier time', async () => {
    const ids = findChanged()
    expect(ids.length).toBeGreaterThan(1)
    for (const outdated of [ids[0], ids.at(-1)]) {
      const folder = copyWithout('database')
      cpSync(join(earlier, `${outdated}.note`), recordOf(folder, outdated ?? 0))
      expect((await rebuild(folder)).status).toBe(0)
      expect(rows(folder, ownersSql)).toEqual(rows(demo, ownersSql))
    }
  })

  test('are the first submitters with records from before names had several owners', async () => {
    const folder = copyWithout('database')
    const key = noteKeyOf(readSigningKey(dataPaths(folder).signingKey))
    for (const { id } of before) {
      const { owners: _, ...record } = JSON.parse(
        readFileSync(join(earlier, `${id}.note`), 'utf8').split('\n')[0] ?? '',
      ) as Record<string, unknown>
      writeFileSync(recordOf(folder, id), key.sign(`${JSON.stringify({ ...record, formatVersion: 1 })}\n`))
    }
    expect((await rebuild(folder)).status).toBe(0)
    const owners = rows<{ name: string; person_id: number; added_by: number }>(folder, ownersSql)
    expect(owners).toEqual(
      rows(
        folder,
        `SELECT name, owner_id AS person_id, min(created_at) AS since, owner_id AS added_by, NULL AS reason,
           NULL AS ended_at, NULL AS ended_by FROM releases GROUP BY name ORDER BY name`,
      ),
    )
    expect((await skilldockHere(folder, ['verify'])).stdout).toContain('No problems found.')
  })
})

describe('a record that cannot be trusted is listed, and its release does not appear', () => {
  const forge = (folder: string, id: number, change: (text: string) => string): void => {
    const path = recordOf(folder, id)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }
  const approve = (text: string): string =>
    text.replace('"decisions":[]', () => {
      const [, decisions] =
        /"decisions":(\[\{.+\])\}\n/.exec(readFileSync(recordOf(demo, find('approved').id), 'utf8')) ?? []
      return `"decisions":${decisions}`
    })
  const otherKey = noteKeyOf(createSigningKey())

  test.each<[string, string, (folder: string, release: Release) => void, RegExp]>([
    [
      'a flipped bit',
      'approved',
      (folder, { id }) => flipBit(recordOf(folder, id), 50),
      /damaged or not signed/,
    ],
    [
      'no bytes',
      'approved',
      (folder, { id }) => writeFileSync(recordOf(folder, id), ''),
      /damaged or not signed/,
    ],
    [
      'an approval that was added by hand',
      'pending',
      (folder, { id }) => forge(folder, id, approve),
      /damaged or not signed/,
    ],
    [
      'an approval signed by another key',
      'pending',
      (folder, { id }) =>
        forge(folder, id, (note) => otherKey.sign(approve(note.slice(0, note.indexOf('\n') + 1)))),
      /damaged or not signed/,
    ],
    [
      'an owner that was added by hand',
      'approved',
      (folder, { id }) =>
        forge(folder, id, (note) =>
          note.replace('"owners":[{"person":{"id":', '"owners":[{"person":{"id":1'),
        ),
      /damaged or not signed/,
    ],
    [
      'the record of another release',
      'pending',
      (folder, { id }) => cpSync(recordOf(folder, find('approved').id), recordOf(folder, id)),
      /it is the record of release \d+$/m,
    ],
    [
      'another format',
      'approved',
      (folder, { id }) => {
        const key = noteKeyOf(readSigningKey(dataPaths(folder).signingKey))
        forge(folder, id, (note) =>
          key.sign(note.slice(0, note.indexOf('\n') + 1).replace('"formatVersion":2', '"formatVersion":3')),
        )
      },
      /unknown format/,
    ],
    [
      'an impossible sequence of decisions',
      'revoked',
      (folder, { id }) => {
        const key = noteKeyOf(readSigningKey(dataPaths(folder).signingKey))
        forge(folder, id, (note) =>
          key.sign(
            note.slice(0, note.indexOf('\n') + 1).replace('"action":"approved"', '"action":"rejected"'),
          ),
        )
      },
      /rejected/,
    ],
    [
      'no package',
      'approved',
      (folder, { sha256 }) => rmSync(join(dataPaths(folder).packages, sha256)),
      /the package of .+ is missing/,
    ],
    [
      'a changed package',
      'approved',
      (folder, { sha256 }) => flipBit(join(dataPaths(folder).packages, sha256), 9),
      /the package of .+ has changed since it was submitted/,
    ],
  ])('%s', async (_what, status, damage, sentence) => {
    const folder = copyWithout('database')
    const release = find(status)
    damage(folder, release)
    const run = await rebuild(folder)
    expect(run.status).toBe(0)
    expect(run.stdout).toMatch(new RegExp(`^lost {4}records/${release.id}\\.note: `, 'm'))
    expect(run.stdout).toMatch(sentence)
    const rest = before.filter(({ sha256, id }) =>
      sentence.source.startsWith('the package') ? sha256 !== release.sha256 : id !== release.id,
    )
    expect(releasesOf(folder)).toEqual(rest)
    expect((await skilldockHere(folder, ['verify'])).stdout).toContain('No problems found.')
    expect(readdirSync(dataPaths(asideOf(folder)).records)).toContain(`${release.id}.note`)
  })
})

test.each<[string, () => string, RegExp]>([
  ['an intact database', () => copyWithout(), /is intact, and a rebuilt one would contain less/],
  [
    'no records',
    () => copyWithout('database', 'records'),
    /no records of releases .+ skilldock restore FILE$/m,
  ],
  [
    'neither records nor a signing key',
    () => copyWithout('database', 'records', 'signingKey'),
    /no records of releases/,
  ],
  ['no signing key', () => copyWithout('database', 'signingKey'), /signing-key\.json is missing or damaged/],
])('%s: refused, and nothing is changed', async (_what, make, sentence) => {
  const folder = make()
  const state = await folderState(folder)
  const run = await rebuild(folder)
  expect(run.status).toBe(1)
  expect(run.stderr).toMatch(sentence)
  const isLock = (name: string): boolean => /\.lock(?:-journal)?$|-(?:wal|shm)$/.test(name)
  const files = Object.entries(await folderState(folder)).filter(([name]) => !isLock(name))
  expect(files).toEqual(Object.entries(state).filter(([name]) => !isLock(name)))
})

test('while a server is running: refused', async () => {
  const folder = copyWithout()
  const app = await startTestServer({ folder })
  try {
    const run = await rebuild(folder)
    expect(run.status).toBe(4)
    expect(run.stderr).toContain('Stop it first: skilldock rebuild needs exclusive access.')
  } finally {
    await app.stop()
  }
})

test.each([1, 2, 3, 4, 5, 6, 7])(
  'killed before rename %i: the next start refuses and a second rebuild completes, or everything is in place',
  async (nth) => {
    const folder = copyWithout('database')
    // Something to move aside in each step.
    writeFileSync(dataPaths(folder).database, 'not a database')
    const killed = await skilldock(folder, ['rebuild'], {
      NODE_OPTIONS: `--import=${join(projectRoot, 'tests/support/server/kill-before-call.mjs')}`,
      KILL_BEFORE_CALL: `rename,renameSync:${nth}`,
    })
    expect(killed.signal).toBe('SIGKILL')
    const isBuilt =
      existsSync(dataPaths(folder).database) && (await skilldockHere(folder, ['people', 'list'])).status === 0
    expect(isBuilt).toBe(nth >= 6)
    if (!isBuilt) {
      await expect(startTestServer({ folder })).rejects.toThrow(/skilldock rebuild|file is not a database/)
      expect((await rebuild(folder)).status).toBe(0)
    }
    expect(contentsOf(folder)).toEqual(contentsOf(demo))
    expect((await skilldockHere(folder, ['verify'])).stdout).toContain('No problems found.')
  },
)
