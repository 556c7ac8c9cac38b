import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArchive } from '../../src/server/backup/archive-writer.ts'
import { readManifest, writeManifest } from '../../src/server/backup/backup-format.ts'
import { digestFile, readPieces } from '../../src/server/backup/files.ts'
import { readBackup } from '../../src/server/backup/read-backup.ts'
import { peekHeader, tarHeader } from '../../src/server/backup/tar-header.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { Refusal } from '../../src/server/data-folder/refusal.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { flipBit } from '../support/server/flip-bit.ts'
import { readTar } from '../support/server/read-tar.ts'
import type { TarPlace } from '../support/server/read-tar.ts'

let folder: string
let backup: string
let entries: TarPlace[]

beforeAll(async () => {
  folder = temporaryFolder()
  backup = join(folder, 'backup.tar')
  expect((await skilldockHere(await copyOfDemo(), ['backup', backup])).status).toBe(0)
  entries = readTar(backup)
})
afterAll(cleanUp)

/** What is wrong with a backup: the error message or the problems; empty if it is intact. */
async function judge(file: string): Promise<string> {
  const problems: string[] = []
  const work = mkdtempSync(join(folder, 'work-'))
  try {
    await readBackup(file, {
      work: dataPaths(work),
      keepFiles: true,
      onFound: ({ problem }) => void problems.push(problem),
      onProgress: () => {},
    })
    return problems.join('\n')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message
  } finally {
    // Whatever the archive contains, nothing is written anywhere else.
    expect(
      readdirSync(work).filter(
        (name) =>
          !/^(skilldock\.db|signing-key\.json|log-key\.json|log-checkpoint|packages|pictures)$/.test(name),
      ),
    ).toEqual([])
    rmSync(work, { recursive: true })
  }
}

function changed(change: (bytes: Buffer) => Buffer): string {
  const file = join(folder, 'changed.tar')
  writeFileSync(file, change(readFileSync(backup)))
  return file
}

/** The name of the entry to which a byte of the archive belongs. */
function nameAt(place: number): string {
  return entries.find(({ next }) => place < next)?.name ?? 'the end'
}

test('the unchanged backup is intact', async () => {
  expect(await judge(backup)).toBe('')
})

test('a flipped bit anywhere: refused with the name of the damaged entry', async () => {
  const { size } = statSync(backup)
  const file = changed((bytes) => bytes)
  // Every part of every kind of entry, and arbitrary positions.
  const first = entries.slice(0, 4)
  const chosen = first.flatMap(({ header, content, size: length, next }) => [
    ...Array.from({ length: 6 }, (_, i) => header + i * 90),
    content,
    content + length - 1,
    ...(content + length < next ? [content + length, next - 1] : []),
  ])
  const random = Array.from({ length: 30 }, (_, i) => Math.floor(((i * 0.618_033_988_749) % 1) * size))
  for (const [index, place] of [...chosen, ...random, size - 1024, size - 1].entries()) {
    flipBit(file, place, index % 8)
    const message = await judge(file)
    flipBit(file, place, index % 8)
    expect(`${place}: ${message}`).toContain(`${place}: ${nameAt(place)}: `)
  }
  expect(await judge(file)).toBe('')
}, 120_000)

describe('a malicious archive', () => {
  const replaceHeader = (name: string, change: (header: Buffer) => void): string =>
    changed((bytes) => {
      const entry = entries.find((one) => one.name === name)
      if (entry === undefined) throw new Error(`There is no ${name}`)
      const header = bytes.subarray(entry.header, entry.header + 512)
      change(header)
      // With a valid checksum, as any tar requires.
      header.fill(' ', 148, 156)
      const sum = header.reduce((all, byte) => all + byte, 0)
      header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
      return bytes
    })
  const packageName = (): string => entries.at(-1)?.name ?? ''

  test.each(['../../outside', '/tmp/outside', 'packages/../../outside', 'manifest.json'])(
    'the path %s instead of a package',
    async (path) => {
      const file = replaceHeader(packageName(), (header) => header.fill(0, 0, 100).write(path, 0, 'latin1'))
      expect(await judge(file)).toBe(`${packageName()}: missing; the backup contains "${path}" in its place`)
    },
  )

  test.each([
    ['a hard link', '1'],
    ['a symbolic link', '2'],
    ['a device', '3'],
    ['a folder', '5'],
    ['an extended header', 'x'],
    ['a long name', 'L'],
  ])('%s instead of a package', async (_what, type) => {
    const file = replaceHeader(packageName(), (header) => {
      header.write(type, 156, 'latin1')
      header.write('/etc/passwd', 157, 'latin1')
    })
    expect(await judge(file)).toBe(`${packageName()}: its header has been changed`)
  })

  test('an entry with a huge size', async () => {
    const file = replaceHeader(packageName(), (header) => header.write('77777777777', 124, 'latin1'))
    expect(await judge(file)).toBe(`${packageName()}: its header has been changed`)
  })

  test('a first entry with a huge size', async () => {
    const file = replaceHeader('manifest.json', (header) => header.write('77777777777', 124, 'latin1'))
    expect(await judge(file)).toBe('manifest.json: it is too large')
  })

  test('a database with a size larger than the whole file', async () => {
    const file = changed((bytes) => {
      const content = readManifest(contentOf(bytes, 'manifest.json'))
      content.files['skilldock.db'].size = 2 ** 40
      const text = Buffer.from(writeManifest(content))
      const mtime = peekHeader(bytes).mtime
      const padding = Buffer.alloc((512 - (text.length % 512)) % 512)
      return Buffer.concat([
        tarHeader({ name: 'manifest.json', size: text.length, mtime }),
        text,
        padding,
        tarHeader({ name: 'skilldock.db', size: 2 ** 40, mtime }),
        Buffer.alloc(4096),
      ])
    })
    expect(await judge(file)).toBe('skilldock.db: the backup is truncated here')
  })

  test('one entry too many', async () => {
    const file = changed((bytes) => {
      const end = entries.at(-1)?.next ?? 0
      const more = tarHeader({ name: 'packages/more', size: 0, mtime: 0 })
      return Buffer.concat([bytes.subarray(0, end), more, bytes.subarray(end)])
    })
    expect(await judge(file)).toBe('the end: unexpected data after the last file')
  })

  test('one package too few', async () => {
    const missing = entries[7]
    const file = changed((bytes) =>
      Buffer.concat([bytes.subarray(0, missing?.header), bytes.subarray(missing?.next)]),
    )
    expect(await judge(file)).toBe(
      `${missing?.name}: missing; the backup contains "${entries[8]?.name}" in its place`,
    )
  })

  test('two swapped packages', async () => {
    const [a, b] = entries.slice(-2)
    const file = changed((bytes) =>
      Buffer.concat([
        bytes.subarray(0, a?.header),
        bytes.subarray(b?.header, b?.next),
        bytes.subarray(a?.header, a?.next),
        bytes.subarray(b?.next),
      ]),
    )
    expect(await judge(file)).toBe(`${a?.name}: missing; the backup contains "${b?.name}" in its place`)
  })
})

test('valid digests of inconsistent rows: refused with the name of the release', async () => {
  const parts = mkdtempSync(join(folder, 'parts-'))
  const bytes = readFileSync(backup)
  const names = entries.map(({ name }) => name).filter((name) => name !== 'manifest.json')
  for (const name of ['packages', 'pictures']) mkdirSync(join(parts, name))
  for (const name of names) writeFileSync(join(parts, name), contentOf(bytes, name))
  const database = new Sqlite(join(parts, 'skilldock.db'))
  database.prepare("UPDATE releases SET status = 'approved' WHERE name = 'crc32' AND version = '1.0.0'").run()
  database.close()

  const content = readManifest(contentOf(bytes, 'manifest.json'))
  content.files['skilldock.db'] = await digestFile(join(parts, 'skilldock.db'))
  const text = Buffer.from(writeManifest(content))
  writeFileSync(join(parts, 'manifest.json'), text)
  const file = join(parts, 'made.tar')
  const writer = await createArchive(file, 1_700_000_000)
  for (const name of ['manifest.json', ...names]) {
    await writer.add(name, statSync(join(parts, name)).size, readPieces(join(parts, name)))
  }
  await writer.finish()
  await writer.close()

  expect(await judge(file)).toContain('crc32 1.0.0: it is approved, but its last decision is revoked')
  const target = join(folder, 'target')
  const run = await skilldockHere(target, ['restore', file])
  expect(run).toMatchObject({ status: 1, stdout: '' })
  expect(run.stderr).toContain('crc32 1.0.0: it is approved, but its last decision is revoked')
  expect(readdirSync(folder)).not.toContain('target')
})

function contentOf(bytes: Buffer, name: string): Buffer {
  const entry = entries.find((one) => one.name === name)
  if (entry === undefined) throw new Error(`There is no ${name}`)
  return Buffer.from(bytes.subarray(entry.content, entry.content + entry.size))
}
