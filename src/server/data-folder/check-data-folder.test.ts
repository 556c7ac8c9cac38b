import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderProblem } from '../../shared/data-folder-words.ts'
import { checkDataFolder } from './check-data-folder.ts'
import { dataPaths, initializeDataFolder, lockForServing } from './data-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-check-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const plenty = () => Promise.resolve(61_000_000_000)
const look = (path = folder, own: string | null = null) => checkDataFolder(path, own, plenty)

test('an empty folder and one that has yet to be made are good, and nothing stays in them', async () => {
  expect(await look()).toEqual({
    path: folder,
    state: 'empty',
    freeBytes: 61_000_000_000,
    found: [],
    reason: null,
  })
  expect(await look(join(folder, 'a', 'b'))).toMatchObject({ state: 'empty', freeBytes: 61_000_000_000 })
  expect(readdirSync(folder)).toEqual([])
  expect(folderProblem(await look())).toBeNull()
})

test('what the system or Skilldock leaves by itself is nothing', async () => {
  writeFileSync(join(folder, '.DS_Store'), '')
  writeFileSync(join(folder, 'settings.json'), '{}')
  writeFileSync(join(folder, 'server.lock'), '')
  expect((await look()).state).toBe('empty')
})

test('anything else is named, three of it', async () => {
  for (const name of ['d', 'c', 'b', 'a']) writeFileSync(join(folder, name), '')
  const state = await look()
  expect(state).toMatchObject({ state: 'other' })
  expect(state.found).toHaveLength(4)
  expect(state.found.at(-1)).toBe('…')
  expect(folderProblem(state)).toMatch(
    /^This folder contains other files \(\w, \w, \w, …\)\. Choose an empty folder\.$/,
  )
})

test('a registry is told from the own one, and from one that is at work', async () => {
  const paths = dataPaths(folder)
  initializeDataFolder(paths)
  expect((await look(folder, `${folder}/`)).state).toBe('own')
  expect((await look()).state).toBe('registry')
  const lock = lockForServing(paths)
  expect((await look()).state).toBe('in use')
  lock?.release()
  expect((await look()).state).toBe('registry')
})

test('too little space is said, in the own folder as well', async () => {
  const little = () => Promise.resolve(255_999_999)
  expect((await checkDataFolder(folder, null, little)).state).toBe('too little space')
  expect((await checkDataFolder(folder, folder, little)).state).toBe('too little space')
  expect((await checkDataFolder(folder, null, () => Promise.resolve(256_000_000))).state).toBe('empty')
  expect((await checkDataFolder(folder, null, () => Promise.resolve(null))).state).toBe('empty')
})

test('what is no folder, and where nothing can be put, is said with its reason', async () => {
  writeFileSync(join(folder, 'file'), '')
  expect(await look(join(folder, 'file'))).toMatchObject({ state: 'no folder', reason: 'ENOTDIR' })
  expect(await look('here')).toMatchObject({ state: 'no folder', reason: null })
  // Root may write anywhere but here.
  if (existsSync('/proc/self')) {
    const state = await look('/proc')
    expect(state.state).toBe('not writable')
    expect(folderProblem(state)).toMatch(/^Skilldock cannot write to this folder \(E\w+\)\./)
  }
  mkdirSync(join(folder, 'closed'), { mode: 0o500 })
  if (process.getuid?.() !== 0) expect((await look(join(folder, 'closed'))).state).toBe('not writable')
})
