import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderProblem } from '../../shared/data-folder-problem.ts'
import { checkDataFolder } from './check-data-folder.ts'
import { dataPaths, initializeDataFolder, lockForServing } from './data-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-check-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const plenty = () => Promise.resolve(61_000_000_000)
const check = (path = folder, own: string | null = null) => checkDataFolder(path, own, plenty)

test('accepts an empty folder and one that does not exist yet, and leaves nothing in them', async () => {
  expect(await check()).toEqual({
    path: folder,
    state: 'empty',
    freeBytes: 61_000_000_000,
    found: [],
    reason: null,
  })
  expect(await check(join(folder, 'a', 'b'))).toMatchObject({ state: 'empty', freeBytes: 61_000_000_000 })
  expect(readdirSync(folder)).toEqual([])
  expect(folderProblem(await check())).toBeNull()
})

test('ignores files that the system or Skilldock creates', async () => {
  writeFileSync(join(folder, '.DS_Store'), '')
  writeFileSync(join(folder, 'settings.json'), '{}')
  writeFileSync(join(folder, 'server.lock'), '')
  expect((await check()).state).toBe('empty')
})

test('names up to three other files', async () => {
  for (const name of ['d', 'c', 'b', 'a']) writeFileSync(join(folder, name), '')
  const state = await check()
  expect(state).toMatchObject({ state: 'other' })
  expect(state.found).toHaveLength(4)
  expect(state.found.at(-1)).toBe('…')
  expect(folderProblem(state)).toMatch(
    /^This folder contains other files \(\w, \w, \w, …\)\. Choose an empty folder\.$/,
  )
})

test('distinguishes a registry from its own one and from one in use', async () => {
  const paths = dataPaths(folder)
  initializeDataFolder(paths)
  expect((await check(folder, `${folder}/`)).state).toBe('own')
  expect((await check()).state).toBe('registry')
  const lock = lockForServing(paths)
  expect((await check()).state).toBe('in use')
  lock?.release()
  expect((await check()).state).toBe('registry')
})

test('reports too little space, including in its own folder', async () => {
  const little = () => Promise.resolve(255_999_999)
  expect((await checkDataFolder(folder, null, little)).state).toBe('too little space')
  expect((await checkDataFolder(folder, folder, little)).state).toBe('too little space')
  expect((await checkDataFolder(folder, null, () => Promise.resolve(256_000_000))).state).toBe('empty')
  expect((await checkDataFolder(folder, null, () => Promise.resolve(null))).state).toBe('empty')
})

test('reports what is not a folder or not writable, with the reason', async () => {
  writeFileSync(join(folder, 'file'), '')
  expect(await check(join(folder, 'file'))).toMatchObject({ state: 'no folder', reason: 'ENOTDIR' })
  expect(await check('here')).toMatchObject({ state: 'no folder', reason: null })
  // Even root can't write here.
  if (existsSync('/proc/self')) {
    const state = await check('/proc')
    expect(state.state).toBe('not writable')
    expect(folderProblem(state)).toMatch(/^Skilldock cannot write to this folder \(E\w+\)\./)
  }
  mkdirSync(join(folder, 'closed'), { mode: 0o500 })
  if (process.getuid?.() !== 0) expect((await check(join(folder, 'closed'))).state).toBe('not writable')
})
