import { expect, test } from 'vitest'
import { PREVIEW1_FUNCTIONS } from './wasm/wasi-preview1.ts'
import { capabilityGrowth, readCapabilities } from './capabilities.ts'

test('each function of preview 1 is in exactly one group', () => {
  const { could, never } = readCapabilities([...PREVIEW1_FUNCTIONS.keys()])
  const listed = could.flatMap(({ functions }) => functions).filter((name) => !name.includes(' '))
  expect(listed.toSorted()).toEqual([...PREVIEW1_FUNCTIONS.keys()].toSorted())
  expect(never).toEqual([])
  expect(could.some(({ key }) => key === 'unknown')).toBe(false)
})

test('a filter reads and writes its streams and imports nothing else', () => {
  const { could, never } = readCapabilities(['fd_read', 'fd_write', 'proc_exit', 'fd_close'])
  expect(could.map(({ label }) => label)).toEqual([
    'Reads standard input',
    'Writes standard output',
    'Exits',
    'Manages open streams',
  ])
  expect(never).toContain('reading files')
  expect(never).toContain('sockets')
})

test('a module that can open files and write can write files', () => {
  const { could } = readCapabilities(['path_open', 'fd_write'])
  expect(could.find(({ key }) => key === 'write')?.functions).toEqual(['path_open with fd_write'])
  expect(readCapabilities(['path_open']).never).toContain('writing files')
})

test('an unknown function is never left out', () => {
  expect(readCapabilities(['fd_teleport']).could.at(-1)).toMatchObject({ functions: ['fd_teleport'] })
})

test('new capabilities are those that the previous release did not have', () => {
  const before = ['fd_write', 'proc_exit']
  expect(capabilityGrowth(before, [...before, 'fd_close', 'fd_seek'])).toEqual([])
  expect(capabilityGrowth(before, [...before, 'path_open', 'clock_time_get']).map(({ key }) => key)).toEqual([
    'read',
    'write',
    'clock',
  ])
  expect(capabilityGrowth([...before, 'path_open'], before)).toEqual([])
})
