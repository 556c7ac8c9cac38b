import { expect, test } from 'vitest'
import { createSealer } from './sealed-text.ts'
import { createSigningKey } from './signing-key.ts'

test('a sealed text is opened only with the same key and purpose, and only if it is complete', () => {
  const key = createSigningKey()
  const sealer = createSealer(key, 'tests')
  const sealed = sealer.seal('a secret')
  expect(sealer.seal('a secret')).not.toBe(sealed)
  expect(createSealer(key, 'tests').open(sealed)).toBe('a secret')
  expect(createSealer(key, 'other').open(sealed)).toBe(null)
  expect(createSealer(createSigningKey(), 'tests').open(sealed)).toBe(null)
  for (let at = 0; at < sealed.length - 1; at += 1) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(sealer.open(changed), String(at)).toBe(null)
  }
  for (const damaged of ['', 'AAAA', sealed.slice(0, -4), `${sealed}AAAA`])
    expect(sealer.open(damaged)).toBe(null)
})
