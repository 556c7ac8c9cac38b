import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, projectRoot, skilldock } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { mountSmallDisk, skipWithoutMount } from '../support/server/small-disk.ts'
import { startTestServer } from '../support/server/server.ts'

afterAll(cleanUp)

interface Report {
  ok: boolean
  findings: { check: string; ok: boolean; text: string }[]
}

async function examine(
  folder: string,
): Promise<{ status: number | null; report: Report; problems: string[] }> {
  const { status, stdout } = await skilldockHere(folder, ['doctor', '--json'])
  const report = JSON.parse(stdout) as Report
  const problems = report.findings.filter(({ ok }) => !ok).map(({ check, text }) => `${check}: ${text}`)
  return { status, report, problems }
}

function change(folder: string, sql: string): void {
  const database = new Sqlite(join(folder, 'skilldock.db'))
  database.exec(sql)
  database.close()
}

const rows = (folder: string): unknown => {
  const database = new Sqlite(join(folder, 'skilldock.db'), { readonly: true })
  try {
    return database.prepare('SELECT id, name, version, sha256, status FROM releases ORDER BY id').all()
  } finally {
    database.close()
  }
}

/** Leaves more than a quarter of the pages unused. */
const fragment = (folder: string): void =>
  change(
    folder,
    'CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(4000000)); DROP TABLE filler;',
  )

test('a healthy folder: one line per check and exit code 0, without a server and with one', async () => {
  const folder = await copyOfDemo()
  const before = readdirSync(folder)
  const run = await skilldockHere(folder, ['doctor'])
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect(run.stdout).toMatch(/^ok {5}database {9}intact$/m)
  expect(run.stdout).toMatch(/^ok {5}server {11}not running\nNo problems found\.$/m)
  expect(readdirSync(folder)).toEqual(before)
  const app = await startTestServer({ folder })
  try {
    const { status, report } = await examine(folder)
    expect(status).toBe(0)
    expect(report.findings.at(-1)).toEqual({ check: 'server', ok: true, text: `ready at ${app.dashboard}` })
    const repair = await skilldockHere(folder, ['doctor', '--repair'])
    expect(repair.status).toBe(4)
    expect(repair.stderr).toContain('Stop it first: doctor --repair needs exclusive access.')
  } finally {
    await app.stop()
  }
})

test.each<[string, (folder: string) => void, RegExp]>([
  [
    'invalid settings',
    (folder) => writeFileSync(join(folder, 'settings.json'), '{'),
    /^settings: .+ Fix the file/,
  ],
  ['no signing key', (folder) => rmSync(join(folder, 'signing-key.json')), /^signing key: .+ from a backup/],
  [
    'a damaged database',
    (folder) => writeFileSync(join(folder, 'skilldock.db'), Buffer.alloc(100_000, 7)),
    /^database: It cannot be read .+skilldock restore FILE/,
  ],
  [
    'an impossible value',
    (folder) => change(folder, "PRAGMA ignore_check_constraints = ON; UPDATE people SET role = 'owner'"),
    /^database: Damaged: .+ Run: skilldock verify/,
  ],
  [
    'a newer database',
    (folder) => change(folder, 'PRAGMA user_version = 999'),
    /^database: It was written by a newer Skilldock/,
  ],
  [
    'a clock that went back',
    (folder) => change(folder, "UPDATE people SET created_at = '2999-01-01T00:00:00.000Z' WHERE id = 1"),
    /^clock: The newest record is from 2999-01-01T00:00:00\.000Z, but the clock says 2.+ Set the clock/,
  ],
  ['unused space', fragment, /^fragmentation: \d\d % of the database is unused\. .+doctor --repair$/],
  [
    'a missing package',
    (folder) => rmSync(join(folder, 'packages', readdirSync(join(folder, 'packages'))[0] ?? '')),
    /^files: 1 stored file is missing, such as packages\/[a-f0-9]{64} \(the package of .+skilldock verify$/,
  ],
  [
    'a failed backup',
    (folder) => {
      const failure = { at: '2026-01-01T00:00:00.000Z', reason: 'The disk is full.' }
      mkdirSync(join(folder, 'backups'), { recursive: true })
      writeFileSync(join(folder, 'backups', 'state.json'), JSON.stringify({ backups: [], failure }))
    },
    /^backups: The last backup failed\. The disk is full\.$/,
  ],
  [
    'a server that does not answer',
    (folder) => {
      // Port 1 is free, since only root could use it.
      const address = 'http://127.0.0.1:1/'
      const running = { registry: address, dashboard: address, pid: process.pid, startedAt: '2026-01-01' }
      writeFileSync(join(folder, 'running.json'), JSON.stringify(running))
    },
    /^server: The process runs, but http:\/\/127\.0\.0\.1:1\/ does not answer \(.+\)\. Check its log/,
  ],
  [
    'no folder',
    (folder) => rmSync(folder, { recursive: true }),
    /^folder: It does not exist .+Set SKILLDOCK_DATA/,
  ],
  [
    'an interrupted restore',
    (folder) => renameSync(join(folder, 'skilldock.db'), join(folder, '.restore-half')),
    /^database: A restore into .+ was interrupted\. Run it again/,
  ],
])('%s: exit code 1, with what to do', async (_what, damage, expected) => {
  const folder = await copyOfDemo()
  damage(folder)
  const { status, report, problems } = await examine(folder)
  expect(problems).toEqual([expect.stringMatching(expected)])
  expect([status, report.ok]).toEqual([1, false])
})

test('a large write-ahead log: exit code 1, with what to do', async () => {
  const folder = await copyOfDemo()
  const file = join(folder, 'skilldock.db')
  const reader = new Sqlite(file, { readonly: true })
  reader.exec('BEGIN; SELECT count(*) FROM releases')
  const writer = new Sqlite(file)
  writer.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(70000000))')
  try {
    const { status, problems } = await examine(folder)
    expect(problems).toEqual([
      expect.stringMatching(
        /^write-ahead log: 6\d\.\d MiB: another program keeps a read transaction open\. Close/,
      ),
    ])
    expect(status).toBe(1)
  } finally {
    reader.close()
    writer.close()
  }
})

test.skipIf(skipWithoutMount)('a disk with little space: exit code 1, with what to do', async () => {
  const disk = mountSmallDisk(100)
  try {
    const folder = join(disk.folder, 'data')
    cpSync(await copyOfDemo(), folder, { recursive: true })
    const { status, problems } = await examine(folder)
    expect(problems).toEqual([
      expect.stringMatching(/^folder: Only \d+\.\d MiB free\. Free up some space\.$/),
    ])
    expect(status).toBe(1)
  } finally {
    disk.unmount()
  }
})

// Even root can't write here.
test.skipIf(process.platform !== 'linux')('a folder that is not writable: what to do', async () => {
  const { problems } = await examine('/proc')
  expect(problems[0]).toMatch(/^folder: It is not writable \(E\w+\)\. Check its permissions/)
})

describe('--repair', () => {
  test('rewrites the database without its unused space and with the same rows', async () => {
    const folder = await copyOfDemo()
    fragment(folder)
    const before = rows(folder)
    const reader = new Sqlite(join(folder, 'skilldock.db'), { readonly: true })
    reader.prepare('SELECT count(*) FROM releases').get()
    writeFileSync(join(folder, 'skilldock.db.compact'), 'half a copy')
    const refused = await skilldockHere(folder, ['doctor', '--repair'])
    expect(refused.stderr).toContain('Another program has the database open.')
    expect(refused.status).toBe(1)
    reader.close()
    const repaired = await skilldockHere(folder, ['doctor', '--repair'])
    expect(repaired.status).toBe(0)
    expect(repaired.stderr).toMatch(/^Rewrote the database: \d+\.\d MiB before, \S+ .iB after\.\n$/)
    expect(readdirSync(folder).filter((name) => name.startsWith('skilldock.db'))).toEqual(['skilldock.db'])
    expect(rows(folder)).toEqual(before)
    expect((await skilldockHere(folder, ['verify'])).status).toBe(0)
  })

  test.each(['rename:1', 'open:1'])(
    'killed before %s: the old or the new database is there, and the next repair completes',
    async (killed) => {
      const folder = await copyOfDemo()
      fragment(folder)
      const before = rows(folder)
      const run = await skilldock(folder, ['doctor', '--repair'], {
        NODE_OPTIONS: `--import=${join(projectRoot, 'tests/support/server/kill-before-call.mjs')}`,
        KILL_BEFORE_CALL: killed,
      })
      expect(run.signal).toBe('SIGKILL')
      expect(rows(folder)).toEqual(before)
      expect((await skilldockHere(folder, ['doctor', '--repair'])).status).toBe(0)
      expect(rows(folder)).toEqual(before)
    },
  )
})
