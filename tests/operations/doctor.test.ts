import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkNames } from '../../src/server/doctor/examine-folder.ts'
import type { Finding } from '../../src/server/doctor/examine-folder.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, projectRoot, skilldock, temporaryFolder } from '../support/server/command-line.ts'
import type { Variables } from '../support/server/command-line.ts'
import { certificateFiles } from '../support/server/certificate-files.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { selfSigned } from '../support/server/self-signed.ts'
import { mountSmallDisk, skipWithoutMount } from '../support/server/small-disk.ts'
import { startTestServer } from '../support/server/server.ts'

afterAll(cleanUp)

interface Report {
  ok: boolean
  findings: Finding[]
}

/** Free ports, whatever runs on this computer. */
const anyPorts = { SKILLDOCK_PORT: '0', SKILLDOCK_DASHBOARD_PORT: '0' }

async function examine(folder: string, variables: Variables = {}) {
  const { status, stdout } = await skilldockHere(folder, ['doctor', '--json'], { ...anyPorts, ...variables })
  const report = JSON.parse(stdout) as Report
  const inState = (wanted: Finding['state']): string[] =>
    report.findings
      .filter(({ state }) => state === wanted)
      .map(({ check, sentence, next }) => `${check}: ${sentence} ${next ?? ''}`.trim())
  return { status, report, problems: inState('broken'), warnings: inState('warning'), fine: inState('ok') }
}

/** Every warning of a copy of the demo: no server has made a backup of it. */
const noBackup =
  'backups: The server has not made a tested backup yet. ' +
  'Keep the server running so that it makes one, or run: skilldock backup FILE'

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
  const run = await skilldockHere(folder, ['doctor'], anyPorts)
  expect(run).toMatchObject({ status: 0, stderr: '' })
  expect(run.stdout).toMatch(/^ok +database +intact$/m)
  expect(run.stdout).toMatch(/^ok +server +not running$/m)
  expect(run.stdout).toMatch(/\n1 warning found\.\n$/)
  expect(readdirSync(folder)).toEqual(before)
  const { report, warnings } = await examine(folder)
  expect(report.findings.map(({ check }) => check)).toEqual(checkNames)
  expect(warnings).toEqual([noBackup])
  const app = await startTestServer({ folder })
  try {
    const { status, fine } = await examine(folder)
    expect(status).toBe(0)
    expect(fine).toContain(`server: ready at ${app.dashboard}`)
    expect(fine).toContain('ports: used by the server of this folder')
    const repair = await skilldockHere(folder, ['doctor', '--repair'], anyPorts)
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
    /^settings: .+settings\.json is not a JSON object\. .+Fix the file/,
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
    /^backups: The last backup failed\. The disk is full\. The server tries again/,
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
    /^folder: It does not exist .+Set SKILLDOCK_DATA.+ For a new registry, run: skilldock start$/,
  ],
  [
    'an empty folder',
    (folder) => {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
    },
    /^folder: It is empty\. Set SKILLDOCK_DATA.+ For a new registry, run: skilldock start$/,
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

test.skipIf(skipWithoutMount)('a nearly full disk: a warning, with what to do', async () => {
  const disk = mountSmallDisk(600)
  try {
    const folder = join(disk.folder, 'data')
    cpSync(await copyOfDemo(), folder, { recursive: true })
    chmodSync(folder, 0o700)
    const { status, warnings } = await examine(folder)
    expect(warnings).toEqual([
      expect.stringMatching(/^disk space: Only \d+\.\d MiB free\. Free up some space before/),
      noBackup,
    ])
    expect(status).toBe(0)
  } finally {
    disk.unmount()
  }
})

test.skipIf(skipWithoutMount)('a disk with little space: exit code 1, with what to do', async () => {
  const disk = mountSmallDisk(100)
  try {
    const folder = join(disk.folder, 'data')
    cpSync(await copyOfDemo(), folder, { recursive: true })
    chmodSync(folder, 0o700)
    const { status, problems } = await examine(folder)
    expect(problems).toEqual([
      expect.stringMatching(/^disk space: Only \d+\.\d MiB free\. Free up some space\.$/),
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

describe.skipIf(process.platform === 'win32')('permissions of the folder', () => {
  test.each([0o755, 0o750])(
    'a folder that others can open (mode %o): a warning, with what to do',
    async (mode) => {
      const folder = await copyOfDemo()
      chmodSync(folder, mode)
      const { status, warnings } = await examine(folder)
      expect(warnings).toEqual([
        expect.stringMatching(/^permissions: Others on this computer can open it .+ Run: chmod 700 /),
        noBackup,
      ])
      expect(status).toBe(0)
      expect(statSync(folder).mode & 0o777).toBe(mode)
    },
  )

  test('a signing key that others can read: exit code 1, with what to do', async () => {
    const folder = await copyOfDemo()
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'signing-key.json'), 0o644)
    const { status, problems } = await examine(folder)
    expect(problems).toEqual([
      expect.stringMatching(
        /^permissions: Others on this computer can read signing-key\.json, .+ Run: chmod 600 /,
      ),
    ])
    expect(status).toBe(1)
  })

  test('a folder for its owner alone is fine', async () => {
    const folder = await copyOfDemo()
    chmodSync(folder, 0o700)
    expect((await examine(folder)).fine).toContain('permissions: only for its owner')
  })
})

describe('settings', () => {
  test.each<[Variables, RegExp]>([
    [
      { SKILLDOCK_BACKUP_EVERY: 'sometimes' },
      /^settings: .+SKILLDOCK_BACKUP_EVERY \("sometimes"\).+Fix the file/s,
    ],
    [
      { SKILLDOCK_HOST: '0.0.0.0' },
      /^settings: The registry cannot listen on 0\.0\.0\.0.+SKILLDOCK_PUBLIC_URL/s,
    ],
  ])('%j: exit code 1, with what to do', async (variables, expected) => {
    const { status, problems } = await examine(await copyOfDemo(), variables)
    expect(problems).toEqual([expect.stringMatching(expected)])
    expect(status).toBe(1)
  })
})

describe('ports', () => {
  let blocker: Server
  let port: string
  beforeAll(async () => {
    blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    port = String((blocker.address() as AddressInfo).port)
  })
  afterAll(() => void blocker.close())

  test.each(['SKILLDOCK_PORT', 'SKILLDOCK_DASHBOARD_PORT'])(
    '%s that another program uses: exit code 1, with a free port',
    async (variable) => {
      const { status, problems } = await examine(await copyOfDemo(), { [variable]: port })
      expect(problems).toEqual([
        expect.stringMatching(
          new RegExp(`^ports: Port ${port} is in use by .+\\. Stop that program, or .+: ${variable}=\\d+$`),
        ),
      ])
      expect(status).toBe(1)
    },
  )

  test('one port for both services: exit code 1, with what to do', async () => {
    const ports = { SKILLDOCK_PORT: '4280', SKILLDOCK_DASHBOARD_PORT: '4280' }
    const { status, problems } = await examine(await copyOfDemo(), ports)
    expect(problems).toEqual([
      expect.stringMatching(/^ports: .+ the same port 4280\. Give them different ports/),
    ])
    expect(status).toBe(1)
  })

  test('free ports are fine', async () => {
    const free = String(await findFreePort())
    const { fine } = await examine(await copyOfDemo(), { SKILLDOCK_PORT: free })
    expect(fine).toContain(`ports: ${free} are free`)
  })
})

describe('certificate', () => {
  const withCertificate = (days: number) => {
    const { paths } = certificateFiles(temporaryFolder(), 'registry', days)
    const end = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    return { paths, end, variables: { SKILLDOCK_TLS_CERT: paths.cert, SKILLDOCK_TLS_KEY: paths.key } }
  }

  test('that has expired: exit code 1, with what to do', async () => {
    const { end, paths, variables } = withCertificate(-1)
    const { status, problems } = await examine(await copyOfDemo(), variables)
    expect(problems).toEqual([
      `certificate: It expired on ${end}. Renew it. The server rereads ${paths.cert} without a restart.`,
    ])
    expect(status).toBe(1)
  })

  test('that expires within 14 days: a warning, with its end', async () => {
    const { end, variables } = withCertificate(13)
    const { status, warnings } = await examine(await copyOfDemo(), variables)
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`^certificate: It expires on ${end}\\. Renew`)),
      noBackup,
    ])
    expect(status).toBe(0)
  })

  test('that is valid for longer is fine', async () => {
    const { end, variables } = withCertificate(15)
    expect((await examine(await copyOfDemo(), variables)).fine).toContain(`certificate: valid until ${end}`)
  })

  test.each<[string, (paths: { cert: string; key: string }) => void]>([
    ['without its file', ({ cert }) => rmSync(cert)],
    ['with the key of another', ({ key }) => writeFileSync(key, selfSigned('other').key)],
    ['with a damaged file', ({ cert }) => writeFileSync(cert, 'no certificate')],
  ])('%s: exit code 1, with what to do', async (_what, damage) => {
    const { paths, variables } = withCertificate(30)
    damage(paths)
    const { status, problems } = await examine(await copyOfDemo(), variables)
    expect(problems).toEqual([
      expect.stringMatching(/^certificate: .+ Set SKILLDOCK_TLS_CERT and SKILLDOCK_TLS_KEY/),
    ])
    expect(status).toBe(1)
  })
})

describe('backups', () => {
  const dayMs = 86_400_000
  const withBackup = async (ageMs: number): Promise<string> => {
    const folder = await copyOfDemo()
    const file = join(folder, 'backups', 'made.tar')
    mkdirSync(join(folder, 'backups'), { recursive: true })
    expect((await skilldockHere(folder, ['backup', file])).status).toBe(0)
    const at = new Date(Date.now() - ageMs).toISOString()
    const backups = [{ file, bytes: statSync(file).size, at, testedAt: at }]
    writeFileSync(join(folder, 'backups', 'state.json'), JSON.stringify({ backups, failure: null }))
    return folder
  }

  test('older than twice the interval: a warning, with what to do', async () => {
    const { status, warnings } = await examine(await withBackup(3 * dayMs))
    expect(warnings).toEqual([
      expect.stringMatching(
        /^backups: The last tested backup is from .+ but the setting is daily\. .+skilldock backup FILE$/,
      ),
    ])
    expect(status).toBe(0)
  })

  test('of a server that has made none and is set to make none: a warning that does not wait for one', async () => {
    const { warnings } = await examine(await copyOfDemo(), { SKILLDOCK_BACKUP_EVERY: 'never' })
    expect(warnings).toEqual([
      'backups: The server has not made a tested backup yet. ' +
        'Unless you make backups yourself: skilldock backup FILE',
    ])
  })

  test('of the last day, or of a server that makes none, are fine', async () => {
    const recent = await examine(await withBackup(dayMs))
    expect([recent.warnings, recent.status]).toEqual([[], 0])
    const never = await examine(await withBackup(100 * dayMs), { SKILLDOCK_BACKUP_EVERY: 'never' })
    expect(never.warnings).toEqual([])
  })
})

describe('public address', () => {
  test('of a running server: fine if it leads there, and exit code 1 if it leads elsewhere', async () => {
    const folder = await copyOfDemo()
    const app = await startTestServer({ folder })
    const other = await startTestServer()
    const site = createHttpServer((_request, response) => void response.end('<p>Welcome</p>')).listen(
      0,
      '127.0.0.1',
    )
    await once(site, 'listening')
    try {
      const at = (url: string) => examine(folder, { SKILLDOCK_PUBLIC_URL: url })
      expect((await at(app.registry)).fine).toContain(`public address: ${app.registry} leads to this server`)
      for (const url of [other.registry, `http://127.0.0.1:${(site.address() as AddressInfo).port}`]) {
        const { status, problems } = await at(url)
        expect(problems).toEqual([
          expect.stringMatching(
            /^public address: \S+ does not lead to this server\. Correct SKILLDOCK_PUBLIC_URL/,
          ),
        ])
        expect(status).toBe(1)
      }
      // Port 1 is free, since only root could use it.
      expect((await at('http://127.0.0.1:1')).problems).toEqual([
        expect.stringMatching(
          /^public address: http:\/\/127\.0\.0\.1:1 does not answer \(.+\)\. Check the DNS record/,
        ),
      ])
    } finally {
      site.close()
      await Promise.all([app.stop(), other.stop()])
    }
  })

  test('is not requested while the server is not running', async () => {
    const { status, fine } = await examine(await copyOfDemo(), { SKILLDOCK_PUBLIC_URL: 'http://127.0.0.1:1' })
    expect(fine).toContain(
      'public address: http://127.0.0.1:1, not checked because the server is not running',
    )
    expect(status).toBe(0)
  })
})

describe('proxy', () => {
  test.each<[string, { trusted: boolean; forwards: boolean }, 'fine' | 'warnings', RegExp]>([
    ['that is trusted', { trusted: true, forwards: true }, 'fine', /^proxy: its X-Forwarded-For is read$/],
    [
      'that is not trusted',
      { trusted: false, forwards: true },
      'warnings',
      /^proxy: The proxy at 127\.0\.0\.1 is not trusted, .+ Trust it: SKILLDOCK_TRUST_PROXY=127\.0\.0\.1$/,
    ],
    [
      'that does not say for whom it forwards',
      { trusted: true, forwards: false },
      'warnings',
      /^proxy: Requests to the public address come from 127\.0\.0\.1 without X-Forwarded-For, .+ Let the proxy send/,
    ],
    ['that does not exist', { trusted: false, forwards: false }, 'fine', /^proxy: no proxy$/],
  ])('%s', async (_what, { trusted, forwards }, list, expected) => {
    const folder = await copyOfDemo()
    const trustProxy = trusted ? ['127.0.0.1'] : []
    const app = await startTestServer({ folder, config: { trustProxy } })
    const proxy = createHttpServer((request, response) => {
      const headers = { ...request.headers, ...(forwards ? { 'x-forwarded-for': '203.0.113.7' } : {}) }
      const forwarded = httpRequest(`${app.registry}${request.url}`, { headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      forwarded.end()
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    try {
      const result = await examine(folder, {
        SKILLDOCK_PUBLIC_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        SKILLDOCK_TRUST_PROXY: trustProxy.join(','),
      })
      expect(result[list]).toContainEqual(expect.stringMatching(expected))
      expect(result.warnings).toHaveLength(list === 'warnings' ? 2 : 1)
      expect(result.status).toBe(0)
    } finally {
      proxy.close()
      await app.stop()
    }
  })
})

describe('agent project', () => {
  const withProject = async (create: (file: string) => void) => {
    const project = join(temporaryFolder(), 'team')
    mkdirSync(join(project, 'data'), { recursive: true })
    create(join(project, 'data', 'nexus.db'))
    return { project, ...(await examine(await copyOfDemo(), { SKILLDOCK_WORKSPACE: project })) }
  }

  test('that can be read is fine, and nothing is left in its folder', async () => {
    const { project, fine, status } = await withProject((file) =>
      new Sqlite(file).exec('CREATE TABLE agents (id)').close(),
    )
    expect(fine).toContain(`agent project: readable in ${project}`)
    expect(status).toBe(0)
    expect(readdirSync(join(project, 'data'))).toEqual(['nexus.db'])
  })

  test('that does not exist yet: a warning, with what to do', async () => {
    const { project, warnings, status } = await withProject(() => {})
    expect(warnings).toEqual([
      noBackup,
      `agent project: There is no data/nexus.db in ${project}. Start the agents once, or set SKILLDOCK_WORKSPACE to their project.`,
    ])
    expect(status).toBe(0)
  })

  test.each<[string, (file: string) => void, RegExp]>([
    [
      'that is no database',
      (file) => writeFileSync(file, 'Hello'),
      /is not an SQLite database\. Replace the file/,
    ],
    ['that is damaged', (file) => writeFileSync(file, damaged()), /is damaged\. Restore it from a backup/],
    ['that is a folder', (file) => mkdirSync(file), /is not an SQLite database\. Replace the file/],
  ])('%s: exit code 1, with what to do', async (_what, create, expected) => {
    const { problems, status } = await withProject(create)
    expect(problems).toEqual([expect.stringMatching(expected)])
    expect(status).toBe(1)
  })

  test('that another program has locked: a warning, with what to do', async () => {
    let owner: Sqlite.Database | undefined
    const { warnings } = await withProject((file) => {
      owner = new Sqlite(file)
      owner.exec('CREATE TABLE agents (id); BEGIN EXCLUSIVE')
    }).finally(() => owner?.close())
    expect(warnings).toEqual([
      noBackup,
      expect.stringMatching(/^agent project: Another program has locked .+ Close/),
    ])
  })
})

/** A database whose first page is lost behind its header. */
function damaged(): Buffer {
  const file = join(temporaryFolder(), 'damaged.db')
  new Sqlite(file).exec('CREATE TABLE agents (id)').close()
  return Buffer.concat([readFileSync(file).subarray(0, 100), Buffer.alloc(8092, 7)])
}

test('with FORCE_COLOR the states have colors, and with --json nothing has', async () => {
  const folder = await copyOfDemo()
  const colored = { ...anyPorts, FORCE_COLOR: '1' }
  const { stdout } = await skilldockHere(folder, ['doctor'], colored)
  expect(stdout).toContain('\u001B[32mok     \u001B[39m  database')
  expect(stdout).toContain('\u001B[33mwarning\u001B[39m  backups')
  expect((await skilldockHere(folder, ['doctor'], { ...colored, FORCE_COLOR: '0' })).stdout).not.toContain(
    '\u001B',
  )
  expect((await skilldockHere(folder, ['doctor', '--json'], colored)).stdout).not.toContain('\u001B')
})

describe('--repair', () => {
  test('rewrites the database without its unused space and with the same rows', async () => {
    const folder = await copyOfDemo()
    fragment(folder)
    const before = rows(folder)
    const reader = new Sqlite(join(folder, 'skilldock.db'), { readonly: true })
    reader.prepare('SELECT count(*) FROM releases').get()
    writeFileSync(join(folder, 'skilldock.db.compact'), 'half a copy')
    const refused = await skilldockHere(folder, ['doctor', '--repair'], anyPorts)
    expect(refused.stderr).toContain('Another program has the database open.')
    expect(refused.status).toBe(1)
    reader.close()
    const repaired = await skilldockHere(folder, ['doctor', '--repair'], anyPorts)
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
      expect((await skilldockHere(folder, ['doctor', '--repair'], anyPorts)).status).toBe(0)
      expect(rows(folder)).toEqual(before)
    },
  )
})
