import { expect, test } from 'vitest'
import { capabilityKeys } from '../../../../shared/capabilities.ts'
import { newCapabilitiesKey, newCapabilitiesSentence } from './new-capabilities.ts'

test('new capabilities are one plain sentence', () => {
  expect(newCapabilitiesSentence({ capabilities: [] })).toBe('')
  expect(newCapabilitiesSentence({ capabilities: ['read'] })).toBe('It can now read files.')
  expect(newCapabilitiesSentence({ capabilities: ['read', 'write', 'sockets'] })).toBe(
    'It can now read files, write files and use sockets it is given.',
  )
})

test('every capability has a phrase', () => {
  for (const capability of capabilityKeys) {
    expect(newCapabilitiesSentence({ capabilities: [capability] })).toMatch(/^It can now [a-z ]+\.$/)
  }
})

test('the key depends on the base, the capabilities and the functions, but not on their order', () => {
  const growth = {
    base: { id: 1, version: '1.0.0' },
    capabilities: ['read' as const, 'write' as const],
    functions: ['path_open', 'fd_sync'],
  }
  const key = newCapabilitiesKey(growth)
  expect(
    newCapabilitiesKey({ ...growth, capabilities: ['write', 'read'], functions: ['fd_sync', 'path_open'] }),
  ).toBe(key)
  expect(newCapabilitiesKey({ ...growth, capabilities: ['read'] })).not.toBe(key)
  expect(newCapabilitiesKey({ ...growth, functions: ['path_open'] })).not.toBe(key)
  expect(newCapabilitiesKey({ ...growth, base: { id: 2, version: '1.1.0' } })).not.toBe(key)
})
