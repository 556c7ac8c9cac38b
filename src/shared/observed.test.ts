import { expect, test } from 'vitest'
import { readCapabilities } from './capabilities.ts'
import type { CapabilityKey } from './capabilities.ts'
import type { RunEnd } from './contracts/evidence.ts'
import { callsOf, whatItDid } from './observed.ts'

const run = (example: number, calls: string[], end: RunEnd = 'exited') => ({
  example,
  end,
  calls: calls.map((name) => ({ name, count: 2 })),
})

const did = (key: CapabilityKey, imports: string[], runs: ReturnType<typeof run>[] | null): string => {
  const capability = readCapabilities(imports).could.find((one) => one.key === key)
  if (capability === undefined) throw new Error(`not asked for: ${key}`)
  return whatItDid(capability, runs).words
}

test('what was seen is counted over the examples that ran', () => {
  const imports = ['fd_read', 'random_get']
  const runs = [run(0, ['fd_read']), run(1, ['fd_read', 'random_get'])]
  expect(did('stdin', imports, runs)).toBe('2 of 2')
  expect(did('random', imports, runs)).toBe('1 of 2')
  expect(did('stdin', imports, null)).toBe('not run')
  expect(did('stdin', imports, [run(0, [], 'not-run')])).toBe('not run')
  expect(did('random', imports, [run(0, ['fd_read']), run(1, [], 'not-run')])).toBe('never')
})

test('asking for folders is no reading of files', () => {
  const imports = ['path_open', 'fd_prestat_get']
  expect(did('read', imports, [run(0, [])])).toBe('never')
  expect(did('read', imports, [run(0, ['fd_prestat_get'])])).toBe('only asked')
  expect(did('read', imports, [run(0, ['fd_prestat_get', 'path_open'])])).toBe('1 of 1')
})

test('whether an open file was written is not known from the names of the calls', () => {
  const imports = ['path_open', 'fd_write']
  expect(did('write', imports, [run(0, ['fd_write'])])).toBe('never')
  expect(did('write', imports, [run(0, ['fd_write', 'path_open'])])).toBe('unknown')
  expect(did('write', [...imports, 'fd_pwrite'], [run(0, ['fd_pwrite'])])).toBe('1 of 1')
})

test('calls are summed over the examples', () => {
  expect(callsOf('fd_read', [run(0, ['fd_read']), run(1, ['fd_read'])])).toBe(4)
  expect(callsOf('fd_write', [run(0, ['fd_read'])])).toBe(0)
  expect(callsOf('fd_read', null)).toBeNull()
})
