import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createScheduledBackups } from '../../src/server/backup/scheduled-backups.ts'
import type { ScheduledBackups } from '../../src/server/backup/scheduled-backups.ts'
import { peekHeader, tarHeader } from '../../src/server/backup/tar-header.ts'
import { createLogger } from '../../src/server/operations/logging.ts'
import { forkHelper } from '../../src/server/processes/fork-helper.ts'
import type { HelperProcess } from '../../src/server/processes/helper-process.ts'
import { flipBit } from '../support/server/flip-bit.ts'
import { helperEntries, startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'
import { until } from '../support/wait.ts'

let server: TestServer
let folder: string
let backups: ScheduledBackups | null = null
let logs: string[] = []
const hourMs = 3_600_000

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
afterEach(async () => {
  await backups?.end()
  rmSync(folder, { recursive: true, force: true })
})

/** The schedule on the running server's data folder, with its backups and its state in a folder of the test. */
function open({
  start = (): HelperProcess<object> => forkHelper(helperEntries.backups, 'backups'),
  keep = 2,
  every = 'hourly',
  target = null,
}: {
  start?: () => HelperProcess<object>
  keep?: number
  every?: 'hourly' | 'never'
  target?: string | null
} = {}): ScheduledBackups {
  backups = createScheduledBackups({
    paths: { folder: server.folder, backups: folder },
    config: { 'backup.every': every, 'backup.keep': keep, 'backup.folder': target },
    startProcess: start,
    log: createLogger({ write: (line) => void logs.push(line) }),
    firstMs: 5,
    everyMs: 5,
  })
  return backups
}

function newFolder(): void {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-schedule-'))
  logs = []
}

const archives = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.tar'))

async function finished(schedule: ScheduledBackups): Promise<void> {
  await until(
    'the backup has finished',
    () => schedule.read().phase === 'idle' && existsSync(join(folder, 'state.json')),
  )
}

/** Changes the state of the recorded backups to `hours` ago. */
function age(hours: number): void {
  const path = join(folder, 'state.json')
  const state = JSON.parse(readFileSync(path, 'utf8')) as { backups: { at: string }[] }
  for (const backup of state.backups) backup.at = new Date(Date.now() - hours * hourMs).toISOString()
  writeFileSync(path, JSON.stringify(state))
}

describe('scheduled backups', () => {
  test('run when they are due, are tested, survive a restart, and remove only what the schedule wrote', async () => {
    newFolder()
    writeFileSync(join(folder, 'skilldock-20200101T000000000Z.tar'), 'not from the schedule')
    const first = open()
    first.start()
    await until('the backup is tested', () => first.read().lastTested !== null)
    await finished(first)
    await first.end()
    expect(archives()).toHaveLength(2)
    const [, file = ''] = archives()
    expect(first.read()).toMatchObject({
      problem: null,
      lastTested: { file: join(folder, file), bytes: statSync(join(folder, file)).size },
    })
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)

    const restarted = open({ keep: 1 })
    expect(restarted.read()).toEqual({ ...first.read(), keep: 1 })
    await restarted.end()
    age(2)
    const overdue = open({ keep: 1 })
    overdue.start()
    await until('the backup is tested', () => overdue.read().lastTested?.file !== join(folder, file))
    await finished(overdue)
    expect(archives()).toHaveLength(2)
    expect(archives()).toContain('skilldock-20200101T000000000Z.tar')
    expect(readdirSync(folder)).toHaveLength(3)
  })

  test('report a backup that was damaged before it was tested, and keep the last one that was tested', async () => {
    newFolder()
    const damaging = (): HelperProcess<object> => {
      const helper = forkHelper(helperEntries.backups, 'backups')
      return {
        ...helper,
        send(job) {
          const { path, input } = job as { path: string; input: { kind: string } }
          if (input.kind === 'prove') flipBit(path, 20_000)
          helper.send(job)
        },
      }
    }
    const good = open({ keep: 1 })
    good.backUpNow()
    await until('the backup is tested', () => good.read().lastTested !== null)
    await finished(good)
    await good.end()
    const bad = open({ keep: 1, start: damaging })
    bad.backUpNow()
    await until('the backup has failed', () => bad.read().problem !== null)
    await until('the backup has failed', () => bad.read().phase === 'idle')
    expect(bad.read().problem).toContain('skilldock.db: its content has been changed')
    expect(bad.read().lastTested).toEqual(good.read().lastTested)
    expect(existsSync(good.read().lastTested?.file ?? '')).toBe(true)
    expect(logs.join('')).toContain('a backup failed')
    expect(readdirSync(folder).filter((name) => name.startsWith('.skilldock'))).toEqual([])
    await bad.end()
    expect(open().read().problem).toBe(bad.read().problem)
  })

  test('report a folder that cannot be used, and what to do', async () => {
    newFolder()
    const target = join(folder, 'file')
    writeFileSync(target, '')
    const schedule = open({ target })
    schedule.start()
    await finished(schedule)
    expect(schedule.read().problem).toBe(
      `The last backup failed. The folder ${target} cannot be used (EEXIST). Choose another backup folder in the settings.`,
    )
  })

  test('do not run when they are off, and leave nothing behind but folders that the next one sweeps', async () => {
    newFolder()
    const killed = open({ every: 'never' })
    killed.start()
    expect(killed.read()).toMatchObject({ phase: 'idle', problem: null, lastTested: null })
    mkdirSync(join(folder, '.skilldock-backup-killed'))
    writeFileSync(join(folder, '.skilldock-backup-killed', 'lock'), '')
    writeFileSync(join(folder, '.skilldock-backup-killed', 'archive.tar'), 'half')
    killed.backUpNow()
    killed.backUpNow()
    expect(killed.read().phase).toBe('writing')
    await until('the backup is tested', () => killed.read().lastTested !== null)
    await finished(killed)
    expect(archives()).toHaveLength(1)
    expect(readdirSync(folder)).toHaveLength(2)
  })
})

describe('a header', () => {
  const entry = { name: 'skilldock.db', mtime: 1_700_000_000 }

  test.each([0, 8 ** 11 - 1])('states %d bytes in octal', (size) => {
    expect(peekHeader(tarHeader({ ...entry, size }))).toEqual({ ...entry, size })
  })

  test.each([8 ** 11, 10 * 2 ** 30, Number.MAX_SAFE_INTEGER])('states %d bytes in binary', (size) => {
    expect(peekHeader(tarHeader({ ...entry, size }))).toEqual({ ...entry, size })
  })
})
