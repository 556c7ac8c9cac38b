import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { ALLOWED_SKIPS } from '../../../tests/support/programs.ts'
import { findPortState } from './port-state.ts'

const isForbidding =
  process.platform === 'linux' &&
  Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) > 81
const skip = isForbidding ? '' : ` (${ALLOWED_SKIPS.otherSystem})`

const isRoot = process.getuid?.() === 0
const nobody = 65_534
afterEach(() => {
  if (isRoot) process.seteuid?.(0)
})

test.skipIf(skip !== '')(
  `a port below 1024 is forbidden if the system requires privileges${skip}`,
  async () => {
    // Root may use any port, so it becomes another user for a moment.
    if (isRoot) process.seteuid?.(nobody)
    expect(await findPortState(81, ['127.0.0.1'], [])).toEqual({
      port: 81,
      state: 'forbidden',
      holder: null,
      suggestion: expect.any(Number),
    })
  },
)
