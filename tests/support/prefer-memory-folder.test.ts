import { expect, test } from 'vitest'
import { allowsPrograms } from './prefer-memory-folder.ts'

const root = '/dev/vda / ext4 rw,relatime 0 0'

test.each([
  ['tmpfs /dev/shm tmpfs rw,relatime,size=24684084k 0 0', true],
  ['shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime,size=65536k 0 0', false],
  ['/dev/vdb /dev/shm ext4 rw,relatime 0 0', false],
  ['tmpfs /dev/shm/other tmpfs rw,relatime 0 0', false],
])('temporary folders are in memory only if programs can run there: %s', (mount, expected) => {
  expect(allowsPrograms(`${root}\n${mount}\n`)).toBe(expected)
})

test('the last mount of the folder counts', () => {
  const shm = (options: string) => `tmpfs /dev/shm tmpfs ${options} 0 0`
  expect(allowsPrograms([shm('rw'), shm('rw,noexec')].join('\n'))).toBe(false)
})
