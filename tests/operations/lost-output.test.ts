import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { builtEntry, cleanUp, serve, start, temporaryFolder } from '../support/server/command-line.ts'

afterAll(cleanUp)

/** A shell that replaces itself with the command line, whose outputs are redirected. */
const redirected = (outputs: string): [string, ...string[]] => [
  '/bin/sh',
  '-c',
  `exec "$0" "$@" ${outputs}`,
  process.execPath,
  builtEntry,
]

/** Redirects outputs to PIPE, whose reader ends at once. */
function toEndedReader(outputs: string): [string, ...string[]] {
  const [shell, option, script = '', ...args] = redirected(outputs)
  const pipe = join(temporaryFolder(), 'pipe')
  const reader = `mkfifo "${pipe}" && { : <"${pipe}" & }`
  return [shell, option ?? '', `${reader}; ${script.replaceAll('PIPE', `"${pipe}"`)}`, ...args]
}

async function run(entry: [string, ...string[]], ...args: string[]) {
  const [command, ...first] = entry
  const { status, stderr } = await start(command, [...first, ...args], {
    SKILLDOCK_DATA: temporaryFolder(),
  }).ended
  return { status, stderr }
}

describe.skipIf(!existsSync('/dev/full'))('an output that cannot be written', () => {
  test.each([
    ['a log on a full disk', redirected('2>/dev/full'), 0],
    ['both outputs on a full disk', redirected('>/dev/full 2>&1'), 1],
    ['a reader that has ended', toEndedReader('>PIPE 2>&1'), 0],
  ])('%s: serve answers and stops', async (_case, entry, status) => {
    const server = await serve(temporaryFolder(), {}, entry)
    for (let request = 0; request < 3; request += 1) {
      const { status: answered } = await fetch(`${server.registry}/api/health`)
      expect(answered).toBe(200)
    }
    expect((await server.stop()).status).toBe(status)
  })

  test('a command whose output is lost fails with one sentence', async () => {
    expect(await run(redirected('>/dev/full'), 'token', '--subject', 'robin')).toEqual({
      status: 1,
      stderr: 'Standard output cannot be written: the disk is full.\n',
    })
  })

  test('a command whose reader has ended does the same as with one that reads', async () => {
    expect(await run(toEndedReader('>PIPE'), 'man')).toEqual({ status: 0, stderr: '' })
    expect(await run(toEndedReader('>PIPE'), 'token', '--subject', 'robin', '--role', 'king')).toMatchObject({
      status: 2,
    })
  })
})
