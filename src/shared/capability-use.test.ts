import { expect, test } from 'vitest'
import { readCapabilities } from './capabilities.ts'
import type { CapabilityKey } from './capabilities.ts'
import type { RunEnd } from './contracts/evidence.ts'
import { callsOf, capabilityUse } from './capability-use.ts'

const run = (example: number, calls: string[], end: RunEnd = 'exited') => ({
  example,
  end,
  calls: calls.map((name) => ({ name, count: 2 })),
})

const did = (key: CapabilityKey, imports: string[], runs: ReturnType<typeof run>[] | null): string => {
  const capability = readCapabilities(imports).imported.find((one) => one.key === key)
  if (capability === undefined) throw new Error(`not imported: ${key}`)
  return capabilityUse(capability, runs).label
}

test('examples that used a capability are counted among those that ran', () => {
  const imports = ['fd_read', 'random_get']
  const runs = [run(0, ['fd_read']), run(1, ['fd_read', 'random_get'])]
  expect(did('stdin', imports, runs)).toBe('2 of 2')
  expect(did('random', imports, runs)).toBe('1 of 2')
  expect(did('stdin', imports, null)).toBe('not run')
  expect(did('stdin', imports, [run(0, [], 'not-run')])).toBe('not run')
  expect(did('random', imports, [run(0, ['fd_read']), run(1, [], 'not-run')])).toBe('never')
})

test('listing the available folders does not count as reading files', () => {
  const imports = ['path_open', 'fd_prestat_get']
  expect(did('read', imports, [run(0, [])])).toBe('never')
  expect(did('read', imports, [run(0, ['fd_prestat_get'])])).toBe('probed only')
  expect(did('read', imports, [run(0, ['fd_prestat_get', 'path_open'])])).toBe('1 of 1')
})

test('the names of calls do not show whether an opened file was written', () => {
  const imports = ['path_open', 'fd_write']
  expect(did('write', imports, [run(0, ['fd_write'])])).toBe('never')
  expect(did('write', imports, [run(0, ['fd_write', 'path_open'])])).toBe('unknown')
  expect(did('write', [...imports, 'fd_pwrite'], [run(0, ['fd_pwrite'])])).toBe('1 of 1')
})

test('calls are summed over all examples', () => {
  expect(callsOf('fd_read', [run(0, ['fd_read']), run(1, ['fd_read'])])).toBe(4)
  expect(callsOf('fd_write', [run(0, ['fd_read'])])).toBe(0)
  expect(callsOf('fd_read', null)).toBeNull()
})
