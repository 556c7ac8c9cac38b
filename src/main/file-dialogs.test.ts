import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFileDialogs } from './file-dialogs.ts'

const chosen = vi.hoisted(() => ({ paths: [] as string[] }))

vi.mock('electron', () => ({
  dialog: {
    showOpenDialog: () => Promise.resolve({ canceled: chosen.paths.length === 0, filePaths: chosen.paths }),
  },
}))

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-files-'))
  chosen.paths = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Sparse files of these sizes. */
const choose = (...sizes: number[]): void => {
  chosen.paths = sizes.map((size, index) => {
    const path = join(folder, `${index}.png`)
    writeFileSync(path, '')
    truncateSync(path, size)
    return path
  })
}

const { handlers, isChosenForData, chooseBackup } = createFileDialogs()
const mebibyte = 1024 ** 2

test('a canceled dialog returns null', async () => {
  expect(await handlers.chooseImages()).toBeNull()
  expect(await handlers.chooseFolder({ purpose: 'data' })).toBeNull()
  expect(await chooseBackup()).toBeNull()
})

test('images are limited in number and total size', async () => {
  choose(3, 5)
  expect((await handlers.chooseImages())?.map(({ name, bytes }) => [name, bytes.length])).toEqual([
    ['0.png', 3],
    ['1.png', 5],
  ])
  choose(...Array.from({ length: 21 }, () => 1))
  await expect(handlers.chooseImages()).rejects.toThrow('You chose 21 images. Choose at most 20 at once.')
  choose(60 * mebibyte, 60 * mebibyte)
  await expect(handlers.chooseImages()).rejects.toThrow('Choose fewer at once.')
  choose(1, 100 * mebibyte + 1)
  await expect(handlers.chooseImages()).rejects.toThrow('1.png is 101 MiB; the limit is 100 MiB.')
})

test('only a folder chosen as the data folder is accepted as one', async () => {
  chosen.paths = ['/agents']
  await handlers.chooseFolder({ purpose: 'agents' })
  expect(isChosenForData('/agents')).toBe(false)
  chosen.paths = ['/data']
  await handlers.chooseFolder({ purpose: 'data' })
  expect([isChosenForData('/data'), isChosenForData('/data/')]).toEqual([true, false])
})
