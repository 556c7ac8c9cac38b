import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareBackup } from '../../src/server/backup/create-backup.ts'
import { readBackup } from '../../src/server/backup/read-backup.ts'
import { fromBackup, restoreInto } from '../../src/server/backup/restore-backup.ts'
import { verifyFolder } from '../../src/server/backup/verify-folder.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import type { DataPaths } from '../../src/server/data-folder/data-folder.ts'
import { flipBit } from '../support/server/flip-bit.ts'
import { noise } from '../support/fixtures/images.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { blogUpload, imageFiles, showcaseUpload, upload } from '../support/server/uploads.ts'

let app: TestRegistry
let paths: DataPaths
let scratch: string
let sent: string[]

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'skilldock-image-backup-'))
  app = await startTestRegistry()
  paths = dataPaths(app.folder)
  await app.submit()
  const token = app.administrator
  const [photograph, drawing] = [
    await noise(600, 400).jpeg().toBuffer(),
    await noise(90, 60).png().toBuffer(),
  ]
  const answers = [
    await upload(`${app.registry}${blogUpload}`, photograph, { token }),
    await upload(`${app.registry}${showcaseUpload}`, drawing),
  ]
  sent = answers.map(({ body }) => body.key ?? '')
})
afterAll(async () => {
  await app.stop()
  rmSync(scratch, { recursive: true })
})

let files = 0
const backup = async (): Promise<string> => {
  files += 1
  const file = join(scratch, `${files}.tar`)
  const task = prepareBackup(paths, file, () => {})
  try {
    await task.run()
  } finally {
    task.abandon()
  }
  return file
}

const problemsOf = async (): Promise<string[]> => {
  const messages: string[] = []
  await verifyFolder(paths, {
    onFound: ({ problem }) => messages.push(problem),
    onOrphan: (name) => messages.push(`unused ${name}`),
    onProgress() {},
  })
  return messages
}

test('a backup contains the images and their renditions, and a restored folder serves the same bytes', async () => {
  const restored = join(scratch, 'restored')
  const target = dataPaths(restored)
  mkdirSync(restored)
  const { counts } = await restoreInto(
    target,
    fromBackup(await backup(), () => {}),
  )
  expect(counts).toMatchObject({ releases: 1, packages: 1, pictures: 2 })
  const again = await startTestRegistry({ folder: restored })
  try {
    expect((await imageFiles(restored)).toSorted()).toEqual((await imageFiles(app.folder)).toSorted())
    for (const key of sent) {
      const [before, after] = await Promise.all([
        fetch(`${app.registry}/${key}`).then((response) => response.arrayBuffer()),
        fetch(`${again.registry}/${key}`).then((response) => response.arrayBuffer()),
      ])
      expect(Buffer.from(after).equals(Buffer.from(before))).toBe(true)
    }
  } finally {
    await again.server.stop()
  }
})

test('a flipped bit of an image in a backup is found', async () => {
  const file = await backup()
  // Before the end marker and the padding of the last image.
  flipBit(file, statSync(file).size - 1024 - 600)
  const problem = readBackup(file, {
    work: dataPaths(mkdtempSync(join(scratch, 'work-'))),
    keepFiles: false,
    onFound() {},
    onProgress() {},
  })
  await expect(problem).rejects.toThrow(/^pictures\/[a-f0-9]{64}: its content has been changed$/)
})

test('verify names missing, changed and unknown images, and a backup with a missing or changed one fails', async () => {
  expect(await problemsOf()).toEqual([])
  const stray = join(paths.pictures, 'e'.repeat(64))
  writeFileSync(stray, 'not an image')
  writeFileSync(join(paths.pictures, 'half.part'), 'half')
  expect(await problemsOf()).toEqual([`unused pictures/${'e'.repeat(64)}`])
  rmSync(stray)
  const [name = ''] = sent.map((key) => key.replace(/^uploads\//, '').replace(/\..*$/, ''))
  const path = join(paths.pictures, name)
  flipBit(path, 8 * 200)
  expect(await problemsOf()).toEqual([`pictures/${name}: the image has changed since it was uploaded`])
  await expect(backup()).rejects.toThrow(`pictures/${name}: the image has changed`)
  rmSync(path)
  expect(await problemsOf()).toEqual([`pictures/${name}: the image is missing`])
  await expect(backup()).rejects.toThrow(`pictures/${name}: the image is missing`)
})
