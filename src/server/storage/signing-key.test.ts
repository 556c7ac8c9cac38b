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

test('is made once, alone in its file, named by its thumbprint, and never made anew', async () => {
  ensureSigningKey(path)
  const key = readSigningKey(path)
  expect(key.kid).toBe(await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x: key.x }))
  const bytes = readFileSync(path)
  ensureSigningKey(path)
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(readdirSync(folder)).toEqual(['signing-key.json'])
})

test.skipIf(process.platform === 'win32')(
  'is for its owner alone under any mask, and a wider mode is taken back',
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
  'takes no mode over from a file that a broken start has left',
  () => {
    writeFileSync(`${path}.new`, 'half', { mode: 0o644 })
    ensureSigningKey(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  },
)

test.each(['', '{', '{}', '{"kty":"OKP","crv":"Ed25519","x":"a"}', '{"kty":"oct","k":"a"}'])(
  'a damaged file (%j) is an error and is left as it is',
  (text) => {
    writeFileSync(path, text)
    ensureSigningKey(path)
    expect(() => readSigningKey(path)).toThrow('signing-key.json')
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)
