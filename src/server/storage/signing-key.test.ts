import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calculateJwkThumbprint } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureSigningKey, readSigningKey } from './signing-key.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-key-'))
  path = join(folder, 'signing-key.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('is created once, with its thumbprint as the key id, and never replaced', async () => {
  ensureSigningKey(path)
  const key = readSigningKey(path)
  expect(key.kid).toBe(await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: key.x }))
  const bytes = readFileSync(path)
  ensureSigningKey(path)
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(readdirSync(folder)).toEqual(['signing-key.json'])
})

test.skipIf(process.platform === 'win32')(
  'is accessible to its owner only, and a wider mode is narrowed again',
  () => {
    const mode = (): number => statSync(path).mode & 0o777
    ensureSigningKey(path)
    expect(mode()).toBe(0o600)
    for (const wider of [0o640, 0o604, 0o666]) {
      chmodSync(path, wider)
      readSigningKey(path)
      expect(mode()).toBe(0o600)
    }
  },
)

test.skipIf(process.platform === 'win32')(
  'does not inherit the mode of a file left by an interrupted start',
  () => {
    writeFileSync(`${path}.new`, 'half', { mode: 0o644 })
    ensureSigningKey(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  },
)

test.each(['', '{', '{}', '{"kty":"OKP","crv":"Ed25519","x":"a"}', '{"kty":"oct","k":"a"}'])(
  'a damaged file (%j) is an error and stays unchanged',
  (text) => {
    writeFileSync(path, text)
    ensureSigningKey(path)
    expect(() => readSigningKey(path)).toThrow('signing-key.json')
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)
