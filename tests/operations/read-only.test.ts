import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, projectRoot, serve, start, temporaryFolder } from '../support/server/command-line.ts'
import type { Ended } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { folderState } from '../support/server/folder-state.ts'

afterAll(cleanUp)

const isRoot = process.getuid?.() === 0
const canMount = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0

/** Without this capability, permissions apply to root too. */
const withoutOverride = ['dac_override', 'dac_read_search'].map((name) => `-${name}`).join(',')

interface Way {
  /** The prefix of a command for which `data` is read-only. */
  prefix(data: string): string[]
  reason: string
}

const ways: [string, Way][] = [
  [
    'permissions',
    {
      prefix(data) {
        for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' }))
          removeWrite(join(data, name))
        removeWrite(data)
        return isRoot ? ['setpriv', `--bounding-set=${withoutOverride}`, `--inh-caps=${withoutOverride}`] : []
      },
      reason: 'permission denied',
    },
  ],
]
if (canMount) {
  ways.push([
    'a read-only mount',
    {
      prefix: (data) => {
        const script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
        return ['unshare', '--mount', 'sh', '-c', script, data]
      },
      reason: 'read-only file system',
    },
  ])
}

const modes = new Map<string, number>()
afterAll(() => {
  for (const [path, mode] of modes) if (existsSync(path)) chmodSync(path, mode)
})
function removeWrite(path: string): void {
  modes.set(path, 0o700)
  chmodSync(path, 0o500)
}

/** Runs a command with a read-only data folder. */
function readOnly(way: Way, data: string, args: string[]): Promise<Ended> {
  const [command = '', ...rest] = [
    ...way.prefix(data),
    process.execPath,
    join(projectRoot, 'out/main/cli.js'),
    ...args,
  ]
  return start(command, rest, { SKILLDOCK_DATA: data, SKILLDOCK_PORT: '0', SKILLDOCK_DASHBOARD_PORT: '0' })
    .ended
}

async function demoIn(state: string): Promise<string> {
  const data = await copyOfDemo()
  if (state === 'closed') return data
  // A killed server leaves its write-ahead log, with changes that are only in the log.
  const server = await serve(data)
  expect((await skilldockHere(data, ['people', 'add', 'late'])).status).toBe(0)
  server.kill('SIGKILL')
  await server.ended
  return data
}

// Each test starts up to six processes.
describe.each(ways)('a data folder that is read-only through %s', { timeout: 120_000 }, (_name, way) => {
  test.each(['closed', 'killed'])('can be verified and backed up (its server was %s)', async (state) => {
    const data = await demoIn(state)
    const people = state === 'closed' ? 3 : 4
    const before = await folderState(data)
    const verified = await readOnly(way, data, ['verify'])
    expect(verified).toMatchObject({ status: 0, stderr: '' })
    expect(verified.stdout).toContain(`People    ${people}\n`)
    const file = join(temporaryFolder(), 'backup.tar')
    const saved = await readOnly(way, data, ['backup', file])
    expect(saved).toMatchObject({ status: 0, stderr: '' })
    expect(saved.stdout).toContain(`${people} people`)
    expect(await folderState(data)).toEqual(before)
    expect((await skilldockHere(data, ['verify', file])).status).toBe(0)
  })

  test('is refused and named by every command that writes', async () => {
    const data = await demoIn('closed')
    const before = await folderState(data)
    for (const args of [
      ['serve'],
      ['token', '--subject', 'eve'],
      ['people', 'list'],
      ['restore', import.meta.filename],
      ['demo'],
    ]) {
      const refused = await readOnly(way, data, args)
      expect(refused, args.join(' ')).toMatchObject({ status: 2, stdout: '' })
      expect(refused.stderr).toBe(
        `The data folder ${data} cannot be used: it is not writable (${way.reason}). Make it writable, or set ` +
          'SKILLDOCK_DATA to another folder. Only "skilldock verify" and "skilldock backup" work on a read-only folder.\n',
      )
    }
    expect(await folderState(data)).toEqual(before)
  })
})

describe.each(ways)(
  'a log without its index in a folder that is read-only through %s',
  { timeout: 120_000 },
  (_name, way) => {
    test('is reported by verify with a fix', async () => {
      const killed = await demoIn('killed')
      const data = join(temporaryFolder(), 'data')
      cpSync(killed, data, { recursive: true, filter: (path) => !path.endsWith('-shm') })
      const verified = await readOnly(way, data, ['verify'])
      expect(verified.status).toBe(1)
      expect(verified.stdout).toContain('copy the folder to a writable location')
    })
  },
)
