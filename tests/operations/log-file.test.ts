import { mkdtemp, readFile, readdir, rm, mkdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLogFile } from '../../src/server/operations/log-file.ts'
import type { LogFileOptions } from '../../src/server/operations/log-file.ts'
import { logTexts } from '../../src/server/operations/log.texts.ts'
import { createLogLines } from '../../src/server/operations/log-lines.ts'
import { createLogger } from '../../src/server/operations/logging.ts'
import { resolveSettings } from '../../src/server/settings/settings.ts'
import { mountSmallDisk, skipWithoutMount } from '../support/server/small-disk.ts'
import { startTestServer } from '../support/server/server.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A logger that writes to a file and keeps what standard error would show. */
function open(file: string, options: Partial<LogFileOptions> = {}) {
  const shown: string[] = []
  const lines = createLogLines()
  const log = createLogger(lines.passTo({ write: (line) => void shown.push(line) }))
  const logFile = createLogFile({ log, ...options })
  logFile.choose(file)
  lines.copyTo(logFile)
  return {
    log,
    logFile,
    shown,
    count: (message: string) => shown.filter((line) => line.includes(message)).length,
    /** Writes a line and waits until it is written, or has failed to be. */
    async write(message: string): Promise<void> {
      log.info(message)
      await logFile.end()
    },
  }
}

const messages = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as { msg: string }).msg]))

test('a server writes the same lines to its log file as to standard error', async () => {
  const file = join(folder, 'skilldock.log')
  const app = await startTestServer({ config: { 'log.file': file } })
  await fetch(`${app.registry}/nothing/here`)
  await app.server.settings.save({ 'log.file': join(folder, 'other.log') })
  await fetch(`${app.registry}/nothing/else`)
  await app.stop()
  const [first = '', second = ''] = await Promise.all(
    ['skilldock.log', 'other.log'].map((name) => readFile(join(folder, name), 'utf8')),
  )
  expect(first + second).toBe(app.logs.join(''))
  expect(first).toContain('/nothing/here')
  expect(second).toContain('/nothing/else')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a large file is rotated, and the five files before it are kept without a lost line', async () => {
  const { write } = open(join(folder, 'a.log'), { maxBytes: 1000 })
  const names = Array.from({ length: 100 }, (_, n) => `line ${n} ${'x'.repeat(40)}`)
  for (const name of names) {
    await write(name)
  }
  const files = ['a.log.5', 'a.log.4', 'a.log.3', 'a.log.2', 'a.log.1', 'a.log']
  expect((await readdir(folder)).toSorted()).toEqual(files.toSorted())
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(1000)
  const kept = messages(texts.join(''))
  expect(kept.length).toBeGreaterThan(30)
  expect(kept).toEqual(names.slice(-kept.length))
})

test('a removed folder is reported once, and lines are written again when it is back', async () => {
  const { write, count } = open(join(folder, 'logs', 'a.log'))
  await mkdir(join(folder, 'logs'))
  await write('before')
  await rm(join(folder, 'logs'), { recursive: true })
  await write('lost')
  await write('lost too')
  expect(count(logTexts.logFileNotWritten)).toBe(1)
  await mkdir(join(folder, 'logs'))
  await write('after')
  expect(count(logTexts.logFileWritten)).toBe(1)
  await write('last')
  const written = messages(await readFile(join(folder, 'logs', 'a.log'), 'utf8'))
  expect(written).toContain('after')
  expect(written.at(-1)).toBe('last')
})

describe.skipIf(skipWithoutMount)('a full disk', () => {
  test('is reported once and leaves no incomplete line', async () => {
    const disk = mountSmallDisk(1)
    try {
      const { write, count } = open(join(disk.folder, 'a.log'))
      await write('before')
      disk.fill()
      for (let n = 0; n < 3; n += 1) {
        await write('x'.repeat(5000))
      }
      expect(count(logTexts.logFileNotWritten)).toBe(1)
      disk.clear()
      await write('after')
      expect(count(logTexts.logFileWritten)).toBe(1)
      const written = messages(await readFile(join(disk.folder, 'a.log'), 'utf8'))
      expect(written[0]).toBe('before')
      expect(written).toContain('after')
    } finally {
      disk.unmount()
    }
  })
})

test('the last lines before a crash are written', async () => {
  const { log } = open(join(folder, 'a.log'))
  log.error('a')
  log.fatal('b')
  expect(messages(await readFile(join(folder, 'a.log'), 'utf8'))).toEqual(['a', 'b'])
})

test('a disk that hangs costs no more memory than 10,000 lines', () => {
  const { logFile } = open(join(folder, 'a.log'))
  for (let n = 0; n < 20_000; n += 1) logFile.write(`${n}\n`)
  logFile.flushSync()
  return expect(readFile(join(folder, 'a.log'), 'utf8')).resolves.toMatch(/^0\n[\d\n]*\n9999\n$/)
})

test.each(['logs/a.log', '/home/rita/.bashrc', '/etc/cron.d/skilldock', '/srv/a.log\n'])(
  'the setting rejects %j, since an administrator of the desk must not append to other files',
  (path) => {
    expect(resolveSettings({ 'log.file': path }, {}).success).toBe(false)
    expect(resolveSettings({ 'log.file': '/srv/a.log' }, {}).success).toBe(true)
  },
)
