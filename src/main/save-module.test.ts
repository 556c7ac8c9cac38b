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

test('a file is written completely and replaces the previous one', async () => {
  const path = join(folder, 'csv.wasm')
  writeFileSync(path, 'older')
  await writeChecked(path, bytes, sha256)
  expect(new Uint8Array(readFileSync(path))).toEqual(bytes)
  expect(readdirSync(folder)).toEqual(['csv.wasm'])
})

test('bytes with a different digest are not saved, and the previous file is kept', async () => {
  const path = join(folder, 'csv.wasm')
  writeFileSync(path, 'older')
  await expect(writeChecked(path, bytes.slice(1), sha256)).rejects.toThrow(WrongDigestError)
  expect(readFileSync(path, 'utf8')).toBe('older')
  expect(readdirSync(folder)).toEqual(['csv.wasm'])
})

test('nothing is left behind if the file cannot be renamed, and the error names the chosen file', async () => {
  const path = join(folder, 'csv.wasm')
  mkdirSync(join(path, 'inside'), { recursive: true })
  await expect(writeChecked(path, bytes, sha256)).rejects.toThrow(`${path} is a folder.`)
  expect(readdirSync(folder)).toEqual(['csv.wasm'])
})
