import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeChecked, WrongDigestError } from './save-module.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-save-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const bytes = new Uint8Array(100_000).fill(7)
const sha256 = createHash('sha256').update(bytes).digest('hex')

test('a file has its name with all of its bytes, in place of what was there', async () => {
  const path = join(folder, 'csv.wasm')
  writeFileSync(path, 'older')
  await writeChecked(path, bytes, sha256)
  expect(new Uint8Array(readFileSync(path))).toEqual(bytes)
  expect(readdirSync(folder)).toEqual(['csv.wasm'])
})

test('other bytes never get the name, and leave what was there', async () => {
  const path = join(folder, 'csv.wasm')
  writeFileSync(path, 'older')
  await expect(writeChecked(path, bytes.slice(1), sha256)).rejects.toThrow(WrongDigestError)
  expect(readFileSync(path, 'utf8')).toBe('older')
  expect(readdirSync(folder)).toEqual(['csv.wasm'])
})

test('where the name cannot be had nothing is left behind', async () => {
  const path = join(folder, 'csv.wasm')
  mkdirSync(join(path, 'inside'), { recursive: true })
  await expect(writeChecked(path, bytes, sha256)).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(['csv.wasm'])
})
