import { expect, test } from 'vitest'
import { PREVIEW1_FUNCTIONS } from './wasm/wasi-preview1.ts'
import { newCapabilities, readCapabilities } from './capabilities.ts'

test('each function of preview 1 is in exactly one group', () => {
  const { imported, notImported } = readCapabilities([...PREVIEW1_FUNCTIONS.keys()])
  const listed = imported.flatMap(({ functions }) => functions).filter((name) => !name.includes(' '))
  expect(listed.toSorted()).toEqual([...PREVIEW1_FUNCTIONS.keys()].toSorted())
  expect(notImported).toEqual([])
  expect(imported.some(({ key }) => key === 'unknown')).toBe(false)
})

test('a filter reads and writes its streams and imports nothing else', () => {
  const { imported, notImported } = readCapabilities(['fd_read', 'fd_write', 'proc_exit', 'fd_close'])
  expect(imported.map(({ label }) => label)).toEqual([
    'Reads standard input',
    'Writes standard output',
    'Exits the process',
    'Manages open streams',
  ])
  expect(notImported).toContain('reading files')
  expect(notImported).toContain('sockets')
})

test('a module that can open files and write can write files', () => {
  const { imported } = readCapabilities(['path_open', 'fd_write'])
  expect(imported.find(({ key }) => key === 'write')?.functions).toEqual(['path_open with fd_write'])
  expect(readCapabilities(['path_open']).notImported).toContain('writing files')
})

test('an unknown function is never left out', () => {
  expect(readCapabilities(['fd_teleport']).imported.at(-1)).toMatchObject({ functions: ['fd_teleport'] })
})

test('new capabilities are those that the previous release did not have', () => {
  const before = ['fd_write', 'proc_exit']
  expect(newCapabilities(before, [...before, 'fd_close', 'fd_seek'])).toEqual([])
  expect(newCapabilities(before, [...before, 'path_open', 'clock_time_get']).map(({ key }) => key)).toEqual([
    'read',
    'write',
    'clock',
  ])
  expect(newCapabilities([...before, 'path_open'], before)).toEqual([])
})
