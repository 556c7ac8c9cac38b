import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { answerBytes, startHostileRegistry } from '../support/client/hostile-registry.ts'
import type { HostileRegistry, Misbehavior } from '../support/client/hostile-registry.ts'
import {
  findProgram,
  listAll,
  makeComputer,
  runProgram,
  runScript,
  shells,
} from '../support/client/install-script.ts'
import type { Computer, Ran } from '../support/client/install-script.ts'
import { skipWithout } from '../support/programs.ts'
import { startTestServer } from '../support/server/server.ts'

let hostile: HostileRegistry
/** How the hostile server responds to a request for the client. */
let misbehave: Misbehavior
/** The script of a registry at the address of the hostile server, and its client. */
let script: Buffer
let client: Buffer

beforeAll(async () => {
  hostile = await startHostileRegistry((socket, line) => misbehave(socket, line))
  const app = await startTestServer({ config: { publicUrl: hostile.url } })
  const read = async (path: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(app.registry + path)).arrayBuffer())
  script = await read('/install.sh')
  client = await read('/api/skilldock/client')
  await app.stop()
})
afterAll(async () => {
  await hostile?.close()
  await cleanUp()
})

const skillOf = ({ home }: Computer): string => join(home, '.local/bin/skill')
const good: Misbehavior = (socket) => socket.end(answerBytes('200 OK', client))
const address = (): string => `${hostile.url}/api/skilldock/client`

/** Nothing was installed, and the message says so. */
const expectNothing = (ran: Ran, computer: Computer, sentence: string): void => {
  expect(ran).toMatchObject({ status: 1, stdout: '' })
  expect(ran.stderr).toContain(sentence)
  expect(ran.stderr).toContain('Nothing was installed. ')
  expect(listAll(computer.home)).toEqual([])
}

describe.skipIf(skipWithout('shells'))('a truncated script', () => {
  const header = (): number => script.indexOf('\n{ #')

  /** Runs the script truncated at each end, with --help, which would print something if the script had started. */
  const runCut = async (ends: readonly number[], shell: readonly string[], computer: Computer) => {
    const parts = temporaryFolder()
    for (const end of ends) writeFileSync(join(parts, String(end)), script.subarray(0, end))
    // One process starts all of the shells.
    const loop = `for end in ${ends.join(' ')}; do text=$("$@" -s -- --help <"${parts}/$end" 2>/dev/null); echo "$text $?"; done`
    const [program = '', ...options] = shell
    const args = ['-c', loop, 'cut', findProgram(program), ...options]
    const ran = await runProgram(findProgram('dash'), args, computer.environment, computer.home)
    expect([ran.status, ran.stderr]).toEqual([0, ''])
    const lines = ran.stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(ends.length)
    for (const [index, end] of ends.entries()) {
      const where = JSON.stringify(script.subarray(0, end).subarray(-30).toString())
      // Nothing but the status. No shell can tell that the comments at the top are not the whole script.
      expect(lines[index], where).toMatch(end > header() + 2 ? /^ [1-9]\d*$/ : /^ \d+$/)
    }
  }

  test('does nothing, whichever line it ends in', async () => {
    misbehave = good
    const before = hostile.requests.length
    const computer = makeComputer()
    // One position per line: inside it, at its end, or after its end.
    const ends: number[] = []
    for (let at = script.indexOf('\n'); at !== -1; at = script.indexOf('\n', at + 1)) {
      ends.push(at + ([-3, 0, 1][ends.length % 3] ?? 0))
    }
    // With the last bracket, the script is complete.
    const cut = ends.filter((end) => end > 0 && end < script.length - 1)
    expect(cut.length).toBeGreaterThan(200)
    await runCut(cut, shells['dash'] ?? [], computer)
    expect(hostile.requests).toHaveLength(before)
    expect(listAll(computer.home)).toEqual([])
  })

  test.each(Object.keys(shells))('does nothing in %s, even with only the last byte missing', async (name) => {
    const computer = makeComputer()
    const ends = Array.from({ length: 30 }, (_, index) => script.length - 2 - index)
    const some = Array.from({ length: 20 }, (_, index) => Math.floor((script.length * (index + 0.5)) / 20))
    await runCut([...ends, ...some], shells[name] ?? [], computer)
    expect(listAll(computer.home)).toEqual([])
    // The final line break is not needed.
    const complete = await runScript(script.subarray(0, -1), computer, {
      shell: shells[name] ?? [],
      args: ['--help'],
    })
    expect(complete).toMatchObject({ status: 0, stderr: '' })
  })
})

const downloaders: Record<string, () => Record<string, string | true>> = {
  curl: () => ({ node: true, curl: true }),
  wget: () => ({ node: true, wget: true }),
  'the wget of BusyBox': () => ({ node: true, wget: findProgram('busybox') }),
}

describe.skipIf(skipWithout('shells')).each(Object.keys(downloaders))('with %s', (name) => {
  const run = async (what: Misbehavior, environment: Record<string, string> = {}) => {
    misbehave = what
    const computer = makeComputer(downloaders[name]?.())
    const before = hostile.requests.length
    const ran = await runScript(script, computer, { environment })
    return { ran, computer, requests: hostile.requests.slice(before) }
  }
  const clientRequest = ['GET /api/skilldock/client HTTP/1.1']

  test('installs a complete download', async () => {
    const { ran, computer, requests } = await run(good)
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(readFileSync(skillOf(computer))).toEqual(client)
    expect(requests).toEqual(clientRequest)
  })

  test('a connection that breaks before, in or after the headers, in the body and before its last byte', async () => {
    const bytes = answerBytes('200 OK', client)
    const head = bytes.length - client.length
    for (const end of [0, 8, head - 1, head, head + 1, head + client.length / 2, bytes.length - 1]) {
      const { ran, computer } = await run((socket) => socket.end(bytes.subarray(0, end)))
      // Some consider the download complete; its digest then differs.
      expect(ran.stderr).toMatch(/could not be downloaded|The download from /)
      expectNothing(ran, computer, address())
    }
  })

  test('an incomplete body without a declared length', async () => {
    const { ran, computer } = await run((socket) =>
      socket.end(Buffer.concat([Buffer.from('HTTP/1.0 200 OK\r\n\r\n'), client.subarray(0, -1)])),
    )
    expectNothing(ran, computer, ' has the SHA-256 ')
  })

  test('a file other than the expected one, such as after an upgrade of the registry', async () => {
    const other = Buffer.concat([client, Buffer.from('\n')])
    const { ran, computer } = await run((socket) => socket.end(answerBytes('200 OK', other)))
    expectNothing(ran, computer, 'The registry may have just been upgraded: run the same command again.')
  })

  test('an error response', async () => {
    const refusal = JSON.stringify({ error: 'Too\u001B[31m much.\nWait.' })
    for (const status of ['429 Too Many Requests', '503 Service Unavailable', '404 Not Found']) {
      const { ran, computer, requests } = await run((socket) =>
        socket.end(answerBytes(status, refusal, { 'Retry-After': '7' })),
      )
      expectNothing(ran, computer, address())
      expect(ran.stderr).toContain(status.slice(0, 3))
      expect(requests).toEqual(clientRequest)
      if (name === 'curl') expect(ran.stderr).toContain('Too [31m much. Wait.')
    }
  })

  test('an unreachable registry', async () => {
    const computer = makeComputer(downloaders[name]?.())
    // Nothing listens on port 1.
    const unreachable = script.toString().replaceAll(hostile.url, 'http://127.0.0.1:1')
    expectNothing(
      await runScript(unreachable, computer),
      computer,
      'http://127.0.0.1:1/api/skilldock/client could not',
    )
  })

  test('a full disk', async () => {
    misbehave = good
    const computer = makeComputer(downloaders[name]?.())
    // Limits files to 512 bytes; writing more fails.
    const small = Buffer.concat([Buffer.from("trap '' XFSZ\nulimit -f 1\n"), script])
    expectNothing(await runScript(small, computer), computer, `${address()} could not be downloaded`)
  })

  test('the installed client stays unchanged if the download of a new one is incomplete', async () => {
    misbehave = (socket) => socket.end(answerBytes('200 OK', client).subarray(0, 5000))
    const computer = makeComputer(downloaders[name]?.())
    mkdirSync(join(computer.home, '.local/bin'), { recursive: true })
    const former = client.toString().replace('skill 0.1.0', 'skill 0.0.9')
    writeFileSync(skillOf(computer), former, { mode: 0o755 })
    expect((await runScript(script, computer)).status).toBe(1)
    expect(readFileSync(skillOf(computer), 'utf8')).toBe(former)
    expect(listAll(computer.home)).toEqual(['.local/', '.local/bin/', '.local/bin/skill 755'])
  })

  // BusyBox wget can't disable redirects, and in Debian 12 it has no timeout either.
  if (name === 'the wget of BusyBox') return

  test('does not follow a redirect, even to the same bytes', async () => {
    const { ran, computer, requests } = await run((socket, line) =>
      line.includes('/elsewhere')
        ? good(socket, line)
        : socket.end(answerBytes('302 Found', '', { Location: `${hostile.url}/elsewhere` })),
    )
    expectNothing(ran, computer, address())
    expect(requests).toEqual(clientRequest)
  })

  test('a registry that stops responding', async () => {
    const heads = ['', 'H']
    const what: Misbehavior = (socket) => socket.write(heads.pop() ?? '')
    const both = [1, 2].map(() => run(what, { SKILL_INSTALL_TIMEOUT: '1' }))
    for (const { ran, computer } of await Promise.all(both)) {
      expectNothing(ran, computer, `${address()} could not be downloaded`)
    }
  })
})
