import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { tokenHere } from '../support/server/command-here.ts'
import {
  cleanUp,
  projectRoot,
  readJson,
  serve,
  skilldock,
  start,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { skipWithout } from '../support/programs.ts'
import { until } from '../support/wait.ts'

afterAll(cleanUp)

/** Prints each datagram as a line of JSON. Descriptors that come with it are closed, which tells `systemd-notify` to exit. */
const receiver = `
import json, os, socket, sys
receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiving.bind(sys.argv[1])
print('"bound"', flush=True)
while True:
    print(json.dumps(receiving.recv(4096).decode()), flush=True)
`

/** In place of systemd: the socket of a service, and what it was told. */
async function startReceiver() {
  const socket = join(temporaryFolder(), 'notify')
  const { output, child } = start('python3', ['-c', receiver, socket])
  const read = (): string[] =>
    output.stdout
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line) as string)
      .filter((report) => !report.startsWith('BARRIER='))
  await until('the socket is bound', () => output.stdout.includes('bound'))
  return {
    variables: { NOTIFY_SOCKET: socket },
    /** All reports except those of the watchdog. */
    states: () => read().filter((report) => report !== 'WATCHDOG=1'),
    pings: () => read().filter((report) => report === 'WATCHDOG=1').length,
    end: () => void child.kill('SIGKILL'),
  }
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>

const ready = ({ registry, dashboard }: Pick<Serving, 'registry' | 'dashboard'>): string =>
  `READY=1\nSTATUS=Registry: ${registry}, local services: ${dashboard}`

describe.skipIf(skipWithout('systemd'))('under systemd, serve', () => {
  test('reports READY when both services answer, and STOPPING when it is told to stop', async () => {
    const systemd = await startReceiver()
    const data = temporaryFolder()
    const serving = serve(data, systemd.variables)
    await until('it has reported', () => systemd.states().length > 0)
    const running = await readJson<{ registry: string; dashboard: string }>(join(data, 'running.json'))
    if (running === null) throw new Error('READY was reported before the services were started')
    const answers = await Promise.all(
      [running.registry, running.dashboard].map(async (url) => (await fetch(`${url}/api/health`)).status),
    )
    expect(answers).toEqual([200, 200])
    expect(systemd.states()).toEqual([ready(running)])
    const { status } = await (await serving).stop()
    expect(status).toBe(0)
    expect(systemd.states()).toEqual([ready(running), 'STOPPING=1\nSTATUS=stopping'])
    expect(systemd.pings()).toBe(0)
    systemd.end()
  })

  test('does not report READY if it cannot start', async () => {
    const systemd = await startReceiver()
    const other = await serve(temporaryFolder())
    const { status } = await skilldock(temporaryFolder(), ['serve'], {
      ...systemd.variables,
      SKILLDOCK_PORT: new URL(other.registry).port,
      SKILLDOCK_DASHBOARD_PORT: '0',
    })
    expect(status).toBe(4)
    expect(systemd.states()).toEqual([])
    await other.stop()
    systemd.end()
  })

  test('reports RELOADING while a service restarts, and READY again', async () => {
    const systemd = await startReceiver()
    const data = temporaryFolder()
    const server = await serve(data, { ...systemd.variables, SKILLDOCK_PORT: String(await findFreePort()) })
    await tokenHere(data, '--subject', 'rita', '--role', 'admin')
    const rita = await signIn({ folder: data, dashboard: server.dashboard }, 'rita')
    expect((await rita.send('POST', '/services/registry/restart')).status).toBe(200)
    await until(
      'it is ready again',
      () => systemd.states().length > 1 && systemd.states().at(-1) === ready(server),
    )
    expect(systemd.states()[0]).toBe(ready(server))
    expect(systemd.states().slice(1, -1).join('\n')).toMatch(
      /^RELOADING=1\nSTATUS=Registry: st(?:opp|art)ing/,
    )
    await server.stop()
    systemd.end()
  })

  describe('with WatchdogSec=', () => {
    /** Every tenth of a second. */
    const watchdog = { WATCHDOG_USEC: '200000' }
    /** Waits until a healthy service has reported a few times, and returns how often another one has. */
    const pingsDuring = async (healthy: Receiver, other: Receiver): Promise<number> => {
      const few = async (): Promise<void> => {
        const before = healthy.pings()
        await until('the healthy service has reported', () => healthy.pings() >= before + 5)
      }
      // A report that was sent before may still arrive.
      await few()
      const before = other.pings()
      await few()
      return other.pings() - before
    }

    test.each<[string, (server: Serving, data: string) => () => void]>([
      [
        'hangs',
        (server) => {
          process.kill(server.pid, 'SIGSTOP')
          return () => process.kill(server.pid, 'SIGCONT')
        },
      ],
      [
        'cannot read its database',
        (_server, data) => {
          const { database } = dataPaths(data)
          renameSync(database, `${database}.away`)
          return () => renameSync(`${database}.away`, database)
        },
      ],
    ])('reports that it is alive, but not while it %s', { timeout: 120_000 }, async (_how, impair) => {
      const [healthy, observed] = await Promise.all([startReceiver(), startReceiver()])
      const data = temporaryFolder()
      const servers = await Promise.all([
        serve(temporaryFolder(), { ...healthy.variables, ...watchdog }),
        serve(data, { ...observed.variables, ...watchdog }),
      ])
      expect(await pingsDuring(healthy, observed)).toBeGreaterThan(0)
      const repair = impair(servers[1], data)
      // The server looks for its database once a second.
      await until('it reports no longer', async () => (await pingsDuring(healthy, observed)) === 0)
      repair()
      const before = observed.pings()
      await until('it reports again', () => observed.pings() > before)
      await Promise.all(servers.map((server) => server.stop()))
      for (const one of [healthy, observed]) one.end()
    })

    test('does not report for another process', async () => {
      const [healthy, observed] = await Promise.all([startReceiver(), startReceiver()])
      const servers = await Promise.all([
        serve(temporaryFolder(), { ...healthy.variables, ...watchdog }),
        serve(temporaryFolder(), { ...observed.variables, ...watchdog, WATCHDOG_PID: '1' }),
      ])
      expect(await pingsDuring(healthy, observed)).toBe(0)
      await Promise.all(servers.map((server) => server.stop()))
      for (const one of [healthy, observed]) one.end()
    })
  })

  test('is the only process that reports: its children do not know the socket', async () => {
    const systemd = await startReceiver()
    const server = await serve(
      temporaryFolder(),
      { ...systemd.variables, WATCHDOG_USEC: '60000000' },
      undefined,
      ['--workers', '2'],
    )
    const readEnvironments = (): Promise<(string | null)[]> =>
      Promise.all(
        readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
          .trim()
          .split(' ')
          .map((child) => readFile(`/proc/${child}/environ`, 'utf8').catch(() => null)),
      )
    // Until it exits, `systemd-notify` is one of them.
    await until('no child process knows the socket', async () => {
      const environments = await readEnvironments()
      const isUnaware = (text: string | null): boolean =>
        text !== null && !/NOTIFY_SOCKET|WATCHDOG_/.test(text)
      return environments.length >= 2 && environments.every(isUnaware)
    })
    await server.stop()
    systemd.end()
  })

  test('starts systemd-notify only if systemd asks for reports', async () => {
    const folder = temporaryFolder()
    const [program, note] = [join(folder, 'systemd-notify'), join(folder, 'started')]
    writeFileSync(program, `#!/bin/sh\necho "$@" >> ${note}\n`)
    chmodSync(program, 0o755)
    const PATH = `${folder}:${process.env['PATH']}`
    await (await serve(temporaryFolder(), { PATH, WATCHDOG_USEC: '100000' })).stop()
    expect(existsSync(note)).toBe(false)
    await (await serve(temporaryFolder(), { PATH, NOTIFY_SOCKET: join(folder, 'socket') })).stop()
    expect(readFileSync(note, 'utf8')).toMatch(/^READY=1 [^\n]*\nSTOPPING=1 [^\n]*\n$/)
  })

  test('goes on, and says so once, if it cannot report', async () => {
    const server = await serve(temporaryFolder(), {
      NOTIFY_SOCKET: join(temporaryFolder(), 'nowhere'),
      WATCHDOG_USEC: '100000',
    })
    await until('it is logged', () => server.output.stderr.includes('could not report to systemd'))
    expect((await fetch(`${server.registry}/api/health`)).status).toBe(200)
    const { status, stderr } = await server.stop()
    expect([status, stderr.match(/could not report to systemd/g)?.length]).toEqual([0, 1])
  })
})

test
  .skipIf(skipWithout('systemd'))
  .each([[], ['skilldock.service.d/writer.conf'], ['skilldock.service.d/reader.conf']])(
  'the systemd unit of the documentation is valid, also with its drop-ins %s',
  (...dropIns) => {
    const examples = join(projectRoot, 'docs/examples')
    const [unit = '', ...more] = ['skilldock.service', ...dropIns].map((name) =>
      readFileSync(join(examples, name), 'utf8'),
    )
    expect(unit).toMatch(/^Type=notify\nNotifyAccess=all$/m)
    expect(unit).toMatch(/^WatchdogSec=\d+$/m)
    const file = join(temporaryFolder(), 'skilldock.service')
    // A drop-in continues the unit. systemd looks for the program.
    const all = [unit, ...more]
      .join('\n')
      .replaceAll('/srv/skilldock/node_modules/.bin/node', process.execPath)
    writeFileSync(file, all)
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  },
)
