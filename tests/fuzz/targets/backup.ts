import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openArchive } from '../../../src/server/backup/archive-reader.ts'
import { createArchive } from '../../../src/server/backup/archive-writer.ts'
import {
  databaseName,
  manifestName,
  maxManifestBytes,
  readManifest,
  signingKeyName,
  writeManifest,
} from '../../../src/server/backup/backup-format.ts'
import { blockBytes, paddingOf } from '../../../src/server/backup/tar-header.ts'
import { Refusal } from '../../../src/server/data-folder/refusal.ts'
import { assert } from '../fuzz-target.ts'
import type { Bytes } from '../mutate.ts'
import type { Target } from '../fuzz-target.ts'

/** A small archive with the layout of a backup. Apart from its times, any accepted archive must equal it. */
export async function backupTarget(folder: string): Promise<Target> {
  const file = join(folder, 'backup.tar')
  const contents = [
    [databaseName, Buffer.alloc(1000, 1)],
    [signingKeyName, Buffer.from('{}')],
  ] as const
  const once = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes)
  }
  const text = writeManifest({
    format: 'skilldock-backup',
    formatVersion: 3,
    createdAt: '2026-01-01T00:00:00Z',
    files: {
      [databaseName]: { size: 1000, sha256: '0'.repeat(64) },
      [signingKeyName]: { size: 2, sha256: '0'.repeat(64) },
    },
    counts: { people: 0, releases: 0, packages: 0, packageBytes: 0, pictures: 0, pictureBytes: 0 },
  })
  const archive = await createArchive(file, 1_700_000_000)
  await archive.add(manifestName, Buffer.byteLength(text), once(Buffer.from(text)))
  await archive.add(databaseName, 1000, once(contents[0][1]))
  await archive.add(signingKeyName, 2, once(contents[1][1]))
  await archive.finish()
  await archive.close()
  const seed = new Uint8Array(readFileSync(file))

  /** An archive without what it states by itself: the time in each header, and the checksum over it. */
  const withoutTimes = (bytes: Bytes): Buffer => {
    const rest = Buffer.from(bytes)
    let at = 0
    for (const size of [Buffer.byteLength(text), ...contents.map(([, content]) => content.length)]) {
      rest.fill(0, at + 136, at + 156)
      at += blockBytes + size + paddingOf(size)
    }
    return rest
  }
  const readAll = async (): Promise<void> => {
    const reader = await openArchive(file)
    try {
      const first = await reader.readFirst(manifestName, maxManifestBytes)
      readManifest(first.bytes)
      for (const [name, expected] of contents) {
        for await (const chunk of reader.read({ name, size: expected.length, mtime: first.mtime })) {
          if (!chunk.equals(expected)) throw new Refusal(`${name}: its content has been changed`)
        }
      }
      await reader.readEnd()
    } finally {
      await reader.close()
    }
  }
  return {
    batchSize: 25,
    seeds: [seed],
    words: ['ustar\0', '00000000000', '77777777777', manifestName, '../', '\0'.repeat(512)],
    async read(bytes) {
      writeFileSync(file, bytes)
      try {
        await readAll()
      } catch (error) {
        if (error instanceof Refusal) return
        throw error
      }
      assert(withoutTimes(bytes).equals(withoutTimes(seed)), 'a changed backup was accepted')
    },
  }
}
