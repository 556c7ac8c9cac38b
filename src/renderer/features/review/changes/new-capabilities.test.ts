import { expect, test } from 'vitest'
import { capabilityKeys } from '../../../../shared/capabilities.ts'
import { newCapabilitiesKey, newCapabilitiesSentence } from './new-capabilities.ts'

test('growth is one sentence in plain words', () => {
  expect(newCapabilitiesSentence({ capabilities: [] })).toBe('')
  expect(newCapabilitiesSentence({ capabilities: ['read'] })).toBe('It can now read files.')
  expect(newCapabilitiesSentence({ capabilities: ['read', 'write', 'sockets'] })).toBe(
    'It can now read files, write files and use sockets that it is given.',
  )
})

test('every capability has its words', () => {
  for (const key of capabilityKeys) {
    expect(newCapabilitiesSentence({ capabilities: [key] })).toMatch(/^It can now [a-z ]+\.$/)
  }
})

test('another function, another capability and another base are other growth; another order is not', () => {
  const growth = {
    base: { id: 1, version: '1.0.0' },
    capabilities: ['read' as const, 'write' as const],
    functions: ['path_open', 'fd_sync'],
  }
  const mark = newCapabilitiesKey(growth)
  expect(
    newCapabilitiesKey({ ...growth, capabilities: ['write', 'read'], functions: ['fd_sync', 'path_open'] }),
  ).toBe(mark)
  expect(newCapabilitiesKey({ ...growth, capabilities: ['read'] })).not.toBe(mark)
  expect(newCapabilitiesKey({ ...growth, functions: ['path_open'] })).not.toBe(mark)
  expect(newCapabilitiesKey({ ...growth, base: { id: 2, version: '1.1.0' } })).not.toBe(mark)
})
