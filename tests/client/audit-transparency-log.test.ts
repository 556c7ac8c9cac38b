import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { auditTransparencyLog } from '../../src/client/log/audit-transparency-log.ts'
import { createRegistry } from '../../src/client/registry/registry.ts'
import { skillHere } from '../support/client/client-here.ts'
import { newLogKey, startServedLog } from '../support/client/served-log.ts'
import type { ServedLog } from '../support/client/served-log.ts'
import { temporaryFolder } from '../support/server/command-line.ts'

const sha256 = 'ab'.repeat(32)
const at = '2026-11-22T08:00:00.000Z'

const decided = (action: string, name: string, digest = sha256): string =>
  JSON.stringify({ at, name, sha256: digest, type: `release.${action}`, version: '1.0.0' })
const otherEvents = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => JSON.stringify({ at, index, type: 'post.published' }))

let log: ServedLog
let folder: string
beforeAll(async () => {
  log = await startServedLog()
})
afterAll(() => log.stop())
beforeEach(() => {
  folder = temporaryFolder()
  Object.assign(log, {
    entries: [...otherEvents(5), decided('approved', 'word-count'), ...otherEvents(2)],
    answers: {},
    delayMs: 0,
    requests: [],
    origin: 'skills.example/log',
  })
})

interface Report {
  size: number
  isFirst: boolean
  newEntries: number
  skills: { name: string; decision: { action: string; index: number; at: string } | null }[]
  revocations: { total: number; latest: { name: string }[] }
  others: number
  error?: { code: string; message: string; next: string }
}

async function audit(): Promise<{ status: number; report: Report; requests: string[] }> {
  log.requests = []
  const { status, stdout } = await skillHere(['audit', '--log', '--json'], options())
  return { status, report: JSON.parse(stdout) as Report, requests: log.requests }
}

const options = () => ({ folder, env: { SKILL_REGISTRY: log.address } })

const logsFolder = (): string => join(folder, 'skill', 'logs')
const stateFile = (): string => join(logsFolder(), readdirSync(logsFolder())[0] ?? '')

const lock = (names: readonly string[], registry = log.address): void =>
  writeFileSync(
    join(folder, 'skill-lock.json'),
    JSON.stringify({
      lockVersion: 1,
      skills: Object.fromEntries(
        names.map((name) => [name, { version: '1.0.0', sha256, size: 100, registry }]),
      ),
    }),
  )

/** Audits, and expects that the log is refused with this code and the last audit is unchanged. */
async function expectRefusal(code: string, message: RegExp): Promise<void> {
  const before = readFileSync(stateFile(), 'utf8')
  const { status, report } = await audit()
  expect(report.error?.code).toBe(code)
  expect(report.error?.message).toMatch(message)
  expect(report.error?.next).toMatch(`The last audit is unchanged in ${stateFile()}`)
  expect(status).toBe(exitCodes.untrustedLog)
  expect(readFileSync(stateFile(), 'utf8')).toBe(before)
}

describe('skill audit --log', () => {
  test('remembers key and checkpoint, and reads only new entries after that', async () => {
    const first = await audit()
    expect(first.report).toMatchObject({ size: 8, isFirst: true, newEntries: 8 })
    expect(first.status).toBe(exitCodes.done)
    expect(JSON.parse(readFileSync(stateFile(), 'utf8'))).toMatchObject({ checkpoint: log.checkpoint() })
    if (platform() !== 'win32') expect(statSync(stateFile()).mode & 0o777).toBe(0o600)

    log.entries.push(...otherEvents(3))
    const second = await audit()
    expect(second.report).toMatchObject({ size: 11, isFirst: false, newEntries: 3 })
    expect(second.requests).toEqual([
      'key',
      'checkpoint',
      'consistency?from=8&to=11',
      'entries?start=8&end=11',
    ])

    const third = await audit()
    expect(third.report).toMatchObject({ size: 11, newEntries: 0 })
    expect(third.requests).toEqual(['key', 'checkpoint'])
  })

  test('says what it verified', async () => {
    lock(['word-count'])
    const { host } = new URL(log.address)
    const first = await skillHere(['audit', '--log'], options())
    expect(first.stdout).toMatch(`✓ The log of ${host} has 8 entries, which match its signed checkpoint.\n`)
    expect(first.stdout).toMatch(/^Its key [0-9a-f]{8} and its checkpoint are remembered\./m)
    expect(first.stdout).toMatch('✓ word-count@1.0.0 was approved on 2026-11-22 (entry 5).\n')
    log.entries.push(decided('revoked', 'word-count'))
    const second = await skillHere(['audit', '--log'], options())
    expect(second.stdout).toBe(
      [
        `✓ The log of ${host} is unchanged up to the last audit and has 9 entries, 1 of them new.`,
        '✗ word-count@1.0.0 was revoked on 2026-11-22 (entry 8). Do not run it.',
        'Revoked on 2026-11-22: word-count@1.0.0',
        '',
      ].join('\n'),
    )
    expect(second.status).toBe(exitCodes.failed)
  })

  test('reads long logs page by page', async () => {
    log.entries = otherEvents(1201)
    const { report, requests } = await audit()
    expect(report.size).toBe(1201)
    expect(requests.slice(2)).toEqual([
      'entries?start=0&end=500',
      'entries?start=500&end=1000',
      'entries?start=1000&end=1201',
    ])
  })

  test('accepts an empty log, and its first entries', async () => {
    log.entries = []
    expect((await audit()).report).toMatchObject({ size: 0, isFirst: true })
    log.entries = otherEvents(1)
    expect((await audit()).report).toMatchObject({ size: 1, isFirst: false, newEntries: 1 })
  })
})

describe('a skill in the lock file', () => {
  test('must have an approval of exactly its module', async () => {
    log.entries.push(decided('approved', 'slugify', 'cd'.repeat(32)))
    lock(['word-count', 'slugify', 'never-approved'])
    const { status, report } = await audit()
    expect(report.skills.map(({ name, decision }) => [name, decision?.action ?? null])).toEqual([
      ['word-count', 'approved'],
      ['slugify', null],
      ['never-approved', null],
    ])
    expect(status).toBe(exitCodes.failed)
  })

  test('that was not locked before is found among the old entries', async () => {
    await audit()
    lock(['word-count'])
    const { status, report, requests } = await audit()
    expect(report.skills[0]?.decision).toEqual({ action: 'approved', index: 5, at })
    expect(report.newEntries).toBe(0)
    expect(requests).toContain('entries?start=0&end=8')
    expect(status).toBe(exitCodes.done)
    expect((await audit()).requests).toEqual(['key', 'checkpoint'])
  })

  test('is reported when it is revoked', async () => {
    lock(['word-count'])
    await audit()
    log.entries.push(decided('revoked', 'word-count'), ...Array<string>(30).fill(decided('revoked', 'other')))
    const { status, report } = await audit()
    expect(report.skills[0]?.decision).toEqual({ action: 'revoked', index: 8, at })
    expect(report.revocations.total).toBe(31)
    expect(report.revocations.latest).toHaveLength(20)
    expect(status).toBe(exitCodes.failed)
    const later = await audit()
    expect(later.report.revocations.total).toBe(0)
    expect(later.status).toBe(exitCodes.failed)
    // A release that was not looked for requires the old entries again, but their revocations are not new.
    lock(['word-count', 'slugify'])
    expect((await audit()).report.revocations).toEqual({ total: 0, latest: [] })
  })

  test('from another registry is counted', async () => {
    lock(['word-count'], 'https://other.example')
    expect((await audit()).report).toMatchObject({ skills: [], others: 1 })
  })
})

describe('a log is refused, and the last audit stays as it is', () => {
  beforeEach(async () => {
    await audit()
  })

  test('if an entry was changed', async () => {
    log.entries = log.entries.with(5, decided('approved', 'word-count', 'cd'.repeat(32)))
    await expectRefusal('LOG_REWRITTEN', /history of .* was rewritten/)
    log.entries.push(...otherEvents(9))
    await expectRefusal('LOG_REWRITTEN', /no longer begins with the 8 entries of the last audit/)
  })

  test('if entries were removed or exchanged', async () => {
    log.entries = log.entries.toSpliced(3, 1)
    await expectRefusal('LOG_SMALLER', /lost entries: it had 8 at the last audit and now has 7/)
    log.entries.push(...otherEvents(4))
    await expectRefusal('LOG_REWRITTEN', /rewritten/)
  })

  test('if its key changed', async () => {
    const { key } = log
    log.key = newLogKey()
    await expectRefusal('LOG_KEY_CHANGED', /signs its log with a different key/)
    log.key = key
    expect((await audit()).status).toBe(exitCodes.done)
  })

  test('if another key signed the checkpoint', async () => {
    const { key } = log
    log.key = newLogKey()
    const forged = log.checkpoint()
    log.key = key
    log.answers['checkpoint'] = forged
    await expectRefusal('LOG_SIGNATURE', /sent a checkpoint that is not signed/)
    log.answers['checkpoint'] = log.checkpoint().replace('\n8\n', '\n9\n')
    await expectRefusal('LOG_SIGNATURE', /not signed with the key of its log/)
  })

  test('if the checkpoint is that of another log with the same key', async () => {
    log.answers['checkpoint'] = log.checkpoint('skills.example/other')
    await expectRefusal('LOG_SIGNATURE', /not signed with the key of its log/)
  })

  test('if the entries are not those of the checkpoint', async () => {
    const entry = Buffer.from(decided('approved', 'slugify')).toString('base64')
    log.entries.push(...otherEvents(1))
    log.answers['entries'] = JSON.stringify({ entries: [entry] })
    await expectRefusal('LOG_ENTRIES', /entries that .* sent are not those/)
  })

  test('if the proof has other hashes', async () => {
    log.entries.push(...otherEvents(1))
    log.answers['consistency'] = JSON.stringify({ hashes: [Buffer.alloc(32).toString('base64')] })
    await expectRefusal('LOG_REWRITTEN', /rewritten/)
  })
})

describe('a registry that', () => {
  const answers: [what: string, path: string, answer: string | Uint8Array][] = [
    ['no key', 'key', 'hello'],
    ['text that is not UTF-8', 'key', Uint8Array.of(0xff)],
    ['a page that is not complete', 'entries', '{"entries":[]}'],
    ['entries that are not Base64', 'entries', JSON.stringify({ entries: Array(8).fill('?') })],
    ['entries that are not events', 'entries', JSON.stringify({ entries: Array(8).fill('e30=') })],
    ['a very long checkpoint', 'checkpoint', 'x'.repeat(65_537)],
  ]
  test.each(answers)('sends %s is not believed', async (_, path, answer) => {
    log.answers[path] = answer
    const { status } = await audit()
    expect(status).toBe(exitCodes.mismatch)
    expect(readdirSync(logsFolder())).toEqual([])
  })

  test('sends its entries too slowly is not waited for', async () => {
    log.entries = otherEvents(20_000)
    log.delayMs = 60
    const registry = createRegistry(new URL(log.address), () => Promise.resolve(null), {
      signal: new AbortController().signal,
      idleTimeoutMs: 1000,
      totalTimeoutMs: 1000,
      signIn: '',
    })
    const audited = auditTransparencyLog({
      registry,
      file: '',
      former: null,
      releases: [],
      onProgress: () => {},
    })
    await expect(audited).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('it is too slow') as string,
    })
    expect(log.requests.length).toBeLessThan(20)
  })
})

test('a damaged file of the last audit is not overwritten', async () => {
  await audit()
  const root = Buffer.alloc(32).toString('base64')
  const damaged = readFileSync(stateFile(), 'utf8').replace(/"roots": \[\s*"[^"]+"/, `"roots": ["${root}"`)
  expect(damaged).toContain(root)
  writeFileSync(stateFile(), damaged)
  const { status, report } = await audit()
  expect(report.error?.code).toBe('LOG_STATE_DAMAGED')
  expect(status).toBe(exitCodes.failed)
  expect(readFileSync(stateFile(), 'utf8')).toBe(damaged)
})
