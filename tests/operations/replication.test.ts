import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { leaseMs } from '../../src/server/replication/replication.ts'
import type { DeskServices } from '../../src/shared/contracts/desk-services.ts'
import type { Readiness } from '../../src/shared/contracts/health.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { requireProgram, skipWithout } from '../support/programs.ts'
import type { Program } from '../support/programs.ts'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import {
  builtEntry,
  cleanUp,
  readJson,
  serve,
  skilldock,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Serving, Variables } from '../support/server/command-line.ts'
import { bucketName, startFaultyRelay, startObjectStore } from '../support/server/object-store.ts'
import type { ObjectStore } from '../support/server/object-store.ts'
import { manifest, publish, review } from '../support/server/publish.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { mountSmallDisk, skipWithoutMount } from '../support/server/small-disk.ts'
import { until } from '../support/wait.ts'
import { buildFaults } from './faults/build-faults.ts'

// The database in a bucket, with the built server, the real Litestream and a real object store.

/** How often the machine is lost; 100 take about four minutes. */
const losses = Number(process.env['REPLICATION_LOSSES'] ?? 2)

const isMissing = ['versitygw', 'litestream', 'clang'].some((program) => skipWithout(program as Program))

/** The parent and the name of a process; null if it has ended. */
function readStat(pid: string): { parent: number; name: string } | null {
  try {
    const [, name = '', parent = ''] =
      /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return { parent: Number(parent), name }
  } catch {
    return null
  }
}

describe.skipIf(isMissing)('a replicated registry (needs versitygw and needs litestream)', () => {
  let objects: ObjectStore
  let module: Uint8Array
  /** A data folder with a publisher and an administrator, and their tokens. */
  let people: string
  let token: string
  let admin: string
  beforeAll(async () => {
    objects = await startObjectStore()
    people = temporaryFolder()
    token = await tokenHere(people, '--subject', 'marta')
    admin = await tokenHere(people, '--subject', 'ilse', '--role', 'admin')
    module = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
  })
  afterAll(async () => {
    await objects.stop()
    await cleanUp()
  })

  const running: Serving[] = []
  afterEach(async () => {
    await Promise.all(
      running.splice(0).map(async (server) => {
        server.kill('SIGCONT')
        await server.stop()
      }),
    )
  })

  let prefixes = 0
  /** The variables of a registry whose prefix no other test uses. */
  const ownBucket = (): Variables => {
    prefixes += 1
    return {
      ...objects.variables,
      SKILLDOCK_STORAGE: `s3://${bucketName}/replicated-${prefixes}`,
      SKILLDOCK_DURABILITY: 'replicated',
      SKILLDOCK_LITESTREAM: requireProgram('litestream') ?? '',
    }
  }
  const start = async (data: string, variables: Variables): Promise<Serving> => {
    const server = await serve(data, variables)
    running.push(server)
    return server
  }
  /** A folder for a registry with a publisher and an administrator. */
  const folderWithPeople = (): string => {
    const data = temporaryFolder()
    cpSync(people, data, { recursive: true })
    return data
  }
  const startRegistry = async (variables: Variables) => {
    const data = folderWithPeople()
    return { data, server: await start(data, variables) }
  }
  const promoted = async (variables: Variables): Promise<string> => {
    const data = temporaryFolder()
    const { status, stdout, stderr } = await skilldockHere(data, ['promote', '--json'], variables)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      folder: data,
      storage: variables['SKILLDOCK_STORAGE'],
      epoch: expect.any(Number),
    })
    return data
  }
  const litestreamOf = (server: Serving): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        const stat = readStat(pid)
        return stat !== null && stat.parent === server.pid && stat.name === 'litestream'
      })
      .map(Number)
  /** Ends the processes of a machine at once, as a power failure does. */
  const lose = async (server: Serving): Promise<void> => {
    const children = litestreamOf(server)
    server.kill('SIGKILL')
    for (const pid of children) process.kill(pid, 'SIGKILL')
    await server.ended
    running.splice(running.indexOf(server), 1)
  }
  const submit = (server: Serving, name: string) =>
    publish(server.registry, token, manifest({ name }), module)
  const statusOf = async (server: Serving, name: string): Promise<number> =>
    (await fetch(`${server.registry}/api/marketplace/skills/${name}/1.0.0`)).status
  const errorOf = async (answer: Promise<Response>) => {
    const response = await answer
    const { status, headers } = response
    const { code, error } = (await response.json()) as { code: string; error: string }
    return { status, code, retryAfter: headers.get('retry-after'), error }
  }

  test(`what was acknowledged is there after the machine is lost, ${losses} times under load`, async () => {
    const variables = { ...ownBucket(), SKILLDOCK_DAILY_SUBMISSIONS: '100000' }
    const registry = await startRegistry(variables)
    let { server, data } = registry
    const [pending, approved] = [new Set<string>(), new Set<string>()]
    let count = 0
    for (let loss = 1; loss <= losses; loss += 1) {
      let isLost = false
      /** False, without an acknowledgement, if the machine was lost meanwhile. */
      const isAcknowledged = (
        { status, body }: { status: number; body: unknown },
        expected: number,
      ): boolean => {
        if (status === expected) return true
        // Litestream may end a moment before the server.
        if (isLost && status === 503) return false
        throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
      }
      const write = async (): Promise<void> => {
        for (;;) {
          count += 1
          const name = `skill-${count}`
          const submitted = await submit(server, name)
          if (!isAcknowledged(submitted, 201)) return
          pending.add(name)
          const { id } = submitted.body
          const decided = await review(server.registry, admin, id, 'approved', 'Small and right.')
          if (!isAcknowledged(decided, 200)) return
          approved.add(name)
        }
      }
      const before = approved.size
      const writers = Promise.allSettled([write(), write()])
      await until('some of it is acknowledged', () => approved.size >= before + 5)
      isLost = true
      await lose(server)
      // Connections that end with the machine.
      for (const one of await writers)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ name: 'TypeError' })
      rmSync(data, { recursive: true })
      data = await promoted(variables)
      server = await start(data, variables)
      for (const name of approved)
        expect({ loss, name, status: await statusOf(server, name) }).toEqual({ loss, name, status: 200 })
      for (const name of pending) {
        const { status } = await submit(server, name)
        expect({ loss, name, status }).toEqual({ loss, name, status: 409 })
      }
    }
    const verified = await skilldockHere(data, ['verify'], variables)
    expect(verified).toMatchObject({ status: 0 })
  })

  interface Trouble {
    variables?: Variables
    begin(server: Serving): void
    end(server: Serving): void
    stop?(): void
  }
  const troubles: Record<string, (endpoint: string) => Trouble | Promise<Trouble>> = {
    'stands still': () => ({
      begin: (server) => server.kill('SIGSTOP'),
      end: (server) => server.kill('SIGCONT'),
    }),
    'does not reach the bucket': async (endpoint) => {
      const relay = await startFaultyRelay(endpoint)
      return {
        variables: { SKILLDOCK_S3_ENDPOINT: relay.endpoint },
        begin: () => relay.breakWith((_req, res) => Boolean(res.destroy())),
        end: () => relay.breakWith(null),
        stop: relay.stop,
      }
    },
    'has a clock that jumps back by a day': () => {
      const { variables, control } = buildFaults(temporaryFolder(), '/nowhere')
      return {
        variables,
        begin: () => writeFileSync(control, 'clock'),
        end: () => rmSync(control),
      }
    },
  }
  test.each(Object.keys(troubles))(
    'a machine that %s while another one is promoted acknowledges and serves nothing, and then says why',
    async (name) => {
      const variables = ownBucket()
      const trouble = await troubles[name]?.(variables['SKILLDOCK_S3_ENDPOINT'] ?? '')
      if (trouble === undefined) throw new Error(name)
      const { data, server: former } = await startRegistry({ ...variables, ...trouble.variables })
      const { body } = await submit(former, 'first')
      await review(former.registry, admin, body.id, 'approved', 'Small and right.')
      trouble.begin(former)
      const server = await start(await promoted(variables), variables)
      expect((await review(server.registry, admin, body.id, 'revoked', 'It never ends.')).status).toBe(200)
      const [late, written] = [statusOf(former, 'first'), submit(former, 'second')]
      if (name === 'stands still') trouble.end(former)
      expect([await late, (await written).status]).toEqual([503, 503])
      if (name !== 'stands still') trouble.end(former)

      const list = () => errorOf(fetch(`${former.registry}/api/marketplace/skills`))
      await until('it knows', async () => (await list()).code === 'WRITER_REPLACED')
      const { status, retryAfter, error } = await list()
      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' })
      expect(error).toContain('Another machine has been promoted')
      expect(await statusOf(server, 'second')).toBe(404)

      await former.stop()
      const again = await skilldock(data, ['serve'], variables)
      expect(again.status).toBe(1)
      expect(again.stderr).toContain('Another machine writes the registry')
      expect((await submit(server, 'third')).status).toBe(201)
      trouble.stop?.()
    },
  )

  test('a machine that is replaced before its last step acknowledges nothing', async () => {
    const variables = ownBucket()
    const relay = await startFaultyRelay(objects.variables['SKILLDOCK_S3_ENDPOINT'] ?? '')
    const { server: former } = await startRegistry({
      ...variables,
      SKILLDOCK_S3_ENDPOINT: relay.endpoint,
    })
    const fence = join(objects.folder, `replicated-${prefixes}`, 'writer.json')
    const isRaised = async (): Promise<boolean> => (await readJson<{ epoch: number }>(fence))?.epoch === 2
    let isHeld = false
    relay.breakWith(async ({ method, url = '' }) => {
      if (method === 'PUT' && url.includes('writer.json')) {
        isHeld = true
        await until('another machine is promoted', isRaised)
      }
      return false
    })
    const answer = submit(former, 'first')
    await until('the last step begins', () => isHeld)
    const data = await promoted(variables)
    expect((await answer).status).toBe(503)
    const server = await start(data, variables)
    expect((await submit(server, 'second')).status).toBe(201)
    await former.stop()
    relay.stop()
  })

  test('of two machines that are promoted at once, one writes', async () => {
    const variables = ownBucket()
    const { server: former } = await startRegistry(variables)
    await submit(former, 'first')
    await lose(former)
    const folders = [temporaryFolder(), temporaryFolder()]
    const ended = await Promise.all(folders.map((data) => skilldock(data, ['promote'], variables)))
    const winners = folders.filter((_data, at) => ended[at]?.status === 0)
    const servers = await Promise.allSettled(winners.map((data) => start(data, variables)))
    expect(servers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('the Litestream of a killed server is ended before the next one starts', async () => {
    const variables = ownBucket()
    const { data, server: former } = await startRegistry(variables)
    const [left] = litestreamOf(former)
    former.kill('SIGKILL')
    await former.ended
    running.splice(0)
    const server = await start(data, variables)
    expect(existsSync(`/proc/${left}`)).toBe(false)
    expect(litestreamOf(server)).toHaveLength(1)
    expect((await submit(server, 'first')).status).toBe(201)
  })

  const refusals: [string, Variables, number, string][] = [
    ['an unknown durability', { SKILLDOCK_DURABILITY: 'sometimes' }, 2, 'must be local or replicated'],
    ['no bucket', { SKILLDOCK_STORAGE: '' }, 2, 'set SKILLDOCK_STORAGE'],
    ['no Litestream', { SKILLDOCK_LITESTREAM: '/missing/litestream' }, 1, 'Install Litestream 0.5.17'],
    ['another Litestream', { SKILLDOCK_LITESTREAM: process.execPath }, 1, 'is needed'],
  ]
  test.each(refusals)(
    'does not start with %s, and says what to do',
    async (_what, change, status, sentence) => {
      const ended = await skilldock(temporaryFolder(), ['serve'], { ...ownBucket(), ...change })
      expect(ended.status).toBe(status)
      expect(ended.stderr).toContain(sentence)
    },
  )

  test('does not start with a Litestream that cannot run, and says so', async () => {
    const program = join(temporaryFolder(), 'litestream')
    writeFileSync(program, '#!/bin/sh\n[ "$1" = version ] && echo 0.5.17\n', { mode: 0o755 })
    const variables = { ...ownBucket(), SKILLDOCK_LITESTREAM: program }
    const ended = await skilldock(temporaryFolder(), ['serve'], variables)
    expect(ended.status).toBe(1)
    expect(ended.stderr).toMatch(/^The bucket does not confirm what is written/m)
  })

  test('a start that fails ends its Litestream', async () => {
    const variables = ownBucket()
    const { data, server } = await startRegistry(variables)
    await server.stop()
    writeFileSync(join(data, 'log-key.json'), '{}')
    const { status, stderr } = await skilldock(data, ['serve'], variables)
    expect(status, stderr).not.toBe(0)
    expect(stderr).toContain('log-key.json')
    const commands = readdirSync('/proc').flatMap((pid) => {
      try {
        return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
      } catch {
        return []
      }
    })
    expect(commands.filter((command) => command.includes(`${data}/`))).toEqual([])
  })

  test('promote without a bucket says which variable to set', async () => {
    const ended = await skilldockHere(temporaryFolder(), ['promote'])
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain('Set SKILLDOCK_STORAGE')
  })

  describe('that the tests share', () => {
    let relay: Awaited<ReturnType<typeof startFaultyRelay>>
    let variables: Variables
    let data: string
    let server: Serving
    beforeAll(async () => {
      variables = {
        ...ownBucket(),
        SKILLDOCK_DAILY_SUBMISSIONS: '100000',
        SKILLDOCK_TRUST_PROXY: '127.0.0.1',
      }
      relay = await startFaultyRelay(variables['SKILLDOCK_S3_ENDPOINT'] ?? '')
      data = folderWithPeople()
      server = await serve(data, { ...variables, SKILLDOCK_S3_ENDPOINT: relay.endpoint })
    })
    afterEach(async () => {
      relay.breakWith(null)
      const ready = `${server.registry}/api/skilldock/ready`
      await until('it is ready for the next test', async () => (await fetch(ready)).status === 200)
    })
    afterAll(async () => {
      await server.stop()
      relay.stop()
    })

    test('a bucket that does not answer: 503 for reads and writes, while health and signing in at the desk go on, and then everything works again', async () => {
      const desk = await signIn({ folder: data, dashboard: server.dashboard }, 'ilse')
      const readState = async () => (await desk.get<DeskServices>('/services')).body.replication
      const { body } = await submit(server, 'first')
      expect((await review(server.registry, admin, body.id, 'approved', 'Small and right.')).status).toBe(200)
      const second = await submit(server, 'second')
      relay.breakWith((_req, res) => Boolean(res.destroy()))
      const unconfirmed = await review(server.registry, admin, second.body.id, 'approved', 'Small and right.')
      expect(unconfirmed).toMatchObject({ status: 503, body: { code: 'UNCONFIRMED' } })
      expect(Number(unconfirmed.headers.get('retry-after'))).toBeGreaterThan(0)
      const refused = await submit(server, 'third')
      expect(refused).toMatchObject({ status: 503, body: { code: 'STORAGE_UNAVAILABLE' } })
      await until('reads are refused', async () => (await statusOf(server, 'first')) === 503)
      await signIn({ folder: data, dashboard: server.dashboard }, 'ilse')
      await until('the desk says why', async () => (await readState())?.problem?.startsWith('The bucket'))
      expect((await fetch(`${server.registry}/api/health`)).status).toBe(200)
      relay.breakWith(null)
      await until('reads work again', async () => (await statusOf(server, 'first')) === 200)
      let tries = 0
      await until('writes work again', async () => {
        tries += 1
        return (await submit(server, `try-${tries}`)).status === 201
      })
      expect(await statusOf(server, 'second')).toBe(200)
      await until('the desk shows no problem', async () => (await readState())?.problem === null)
      expect(await readState()).toMatchObject({ epoch: 1, confirmedAt: expect.stringMatching(/Z$/) })
    })

    test('a conflict with a change that is not confirmed is not answered as one', async () => {
      const { body } = await submit(server, 'conflict')
      await review(server.registry, admin, body.id, 'approved')
      relay.breakWith((req, res) => req.url?.includes('writer.json') === true && Boolean(res.destroy()))
      const revoke = () => review(server.registry, admin, body.id, 'revoked')
      const [first, second] = await Promise.all([revoke(), revoke()])
      expect([first, second].map((answer) => answer.body.code)).toEqual(['UNCONFIRMED', 'UNCONFIRMED'])
      relay.breakWith(null)
      await until('the conflict is confirmed', async () => (await revoke()).status === 409)
    })

    test('a bucket that is lost while nothing is written is reported in the desk', async () => {
      const desk = await signIn({ folder: data, dashboard: server.dashboard }, 'ilse')
      const readProblem = async () => (await desk.get<DeskServices>('/services')).body.replication?.problem
      relay.breakWith((_req, res) => Boolean(res.destroy()))
      await until('the desk says why', async () =>
        (await readProblem())?.startsWith('The bucket cannot be used'),
      )
      await until('the health check says why', async () => {
        const ready = await fetch(`${server.registry}/api/skilldock/ready`)
        const { checks } = (await ready.json()) as Readiness
        return checks.storageWrite.startsWith('The bucket cannot be used')
      })
      relay.breakWith(null)
      await until('the desk shows no problem', async () => (await readProblem()) === null)
    })

    test('settings are acknowledged once they are in the bucket, where they are copied again after a failure', async () => {
      const desk = await signIn({ folder: data, dashboard: server.dashboard }, 'ilse')
      relay.breakWith(
        (req, res) => req.url?.includes('folder/settings.json') === true && Boolean(res.destroy()),
      )
      const saved = await desk.send('PUT', '/settings', { changes: { undoMs: 7000 } })
      expect(saved).toMatchObject({ status: 503, body: { code: 'UNCONFIRMED' } })
      relay.breakWith(null)
      await until(
        'changes are confirmed',
        async () => (await submit(server, 'after-settings')).status !== 503,
      )
      const copy = temporaryFolder()
      const restored = await skilldockHere(copy, ['restore', variables['SKILLDOCK_STORAGE'] ?? ''], variables)
      expect(restored).toMatchObject({ status: 0, stderr: '' })
      expect(await readJson(join(copy, 'settings.json'))).toEqual({ undoMs: 7000 })
    })

    test('a revocation is acknowledged once no other machine can serve the release', async () => {
      const { body } = await submit(server, 'revoked')
      await review(server.registry, admin, body.id, 'approved', 'Small and right.')
      const began = performance.now()
      expect((await review(server.registry, admin, body.id, 'revoked', 'It never ends.')).status).toBe(200)
      expect(performance.now() - began).toBeGreaterThanOrEqual(leaseMs)
    })

    test('a Litestream that ends is started again', async () => {
      const [first = 0] = litestreamOf(server)
      process.kill(first, 'SIGKILL')
      await until('another one confirms', async () => (await submit(server, 'confirmed')).status !== 503)
      expect(litestreamOf(server)).toHaveLength(1)
      expect(litestreamOf(server)).not.toContain(first)
    })

    test('a bucket is restored into an empty folder without taking over; verify and backup accept it, and doctor says who writes', async () => {
      const { body } = await submit(server, 'restored')
      await review(server.registry, admin, body.id, 'approved', 'Small and right.')
      const copy = temporaryFolder()
      const restored = await skilldockHere(copy, ['restore', variables['SKILLDOCK_STORAGE'] ?? ''], variables)
      expect(restored).toMatchObject({ status: 0, stderr: '' })
      expect(await skilldockHere(copy, ['verify'], variables)).toMatchObject({ status: 0 })
      expect(
        await skilldockHere(copy, ['backup', join(temporaryFolder(), 'backup.tar')], variables),
      ).toMatchObject({
        status: 0,
      })
      const examine = async (folder: string): Promise<string> =>
        (await skilldockHere(folder, ['doctor'], variables)).stdout
      expect(await examine(data)).toMatch(
        /^ok +replication +this machine writes \(epoch 1\), last snapshot at 2/m,
      )
      expect(await examine(copy)).toMatch(
        /^broken +replication +Another machine writes this registry \(epoch 1\)/m,
      )
      const refused = await skilldock(copy, ['serve'], variables)
      expect(refused.status).toBe(1)
      expect(refused.stderr).toContain('skilldock promote')
      expect(await submit(server, 'after-restore')).toMatchObject({ status: 201 })
    })

    test('promote in a folder that is not empty, or with a bucket without a database, changes nothing', async () => {
      const empty = await skilldockHere(temporaryFolder(), ['promote'], ownBucket())
      expect(empty.status).toBe(1)
      expect(empty.stderr).toContain('No machine has replicated')
      const full = await skilldockHere(data, ['promote'], variables)
      expect(full.status).not.toBe(0)
      expect(await readJson(join(data, 'replication.json'))).toMatchObject({ epoch: 1 })
      expect((await submit(server, 'after-promote')).status).toBe(201)
    })

    describe('a server that follows it', () => {
      const follow = async (change: Variables = {}, folder = temporaryFolder()): Promise<Serving> => {
        const entry: [string, ...string[]] = [process.execPath, builtEntry]
        const { SKILLDOCK_DURABILITY: _, ...own } = variables
        const reader = await serve(folder, { ...own, ...change }, entry, ['--follow', server.registry])
        running.push(reader)
        return reader
      }

      test('answers reads from its copy, and passes everything else to the server that writes', async () => {
        const reader = await follow()
        const { status, body } = await submit(reader, 'followed')
        expect(status).toBe(201)
        expect(await statusOf(reader, 'followed')).toBe(404)
        expect((await review(reader.registry, admin, body.id, 'approved', 'Small and right.')).status).toBe(
          200,
        )
        await until('the reader has it', async () => (await statusOf(reader, 'followed')) === 200)
        const paths = [
          '/api/marketplace/skills/followed/1.0.0',
          '/api/marketplace/skills',
          '/skills/followed/1.0.0',
          '/',
        ]
        for (const path of paths) {
          const [own, written] = await Promise.all(
            [reader, server].map((at) => fetch(`${at.registry}${path}`)),
          )
          expect({ path, status: own?.status, type: own?.headers.get('content-type') }).toEqual({
            path,
            status: 200,
            type: written?.headers.get('content-type'),
          })
        }
        const { address, forwardedFor } = (await (
          await fetch(`${reader.registry}/api/skilldock/connection`, {
            headers: { 'X-Forwarded-For': '203.0.113.9' },
          })
        ).json()) as { address: string; forwardedFor: string }
        expect({ address, forwardedFor }).toEqual({
          address: '203.0.113.9',
          forwardedFor: '203.0.113.9, 127.0.0.1',
        })
      })

      test('does not start in the data folder of a registry, without a bucket, or with workers, and says why', async () => {
        const unused = ownBucket()
        const tries = [
          [
            folderWithPeople(),
            unused,
            ['http://127.0.0.1:1'],
            1,
            /has a registry of its own\. Set SKILLDOCK_DATA to a folder/,
          ],
          [temporaryFolder(), {}, ['http://127.0.0.1:1'], 1, /Set SKILLDOCK_STORAGE to the bucket/],
          [temporaryFolder(), unused, ['http://127.0.0.1:1'], 1, /No machine has replicated a database/],
          [temporaryFolder(), unused, ['writer:4280'], 2, /Invalid --follow: "writer:4280"/],
          [temporaryFolder(), unused, ['http://127.0.0.1:1', '--workers', '2'], 2, /leave out --workers/],
        ] as const
        for (const [folder, own, options, status, reason] of tries) {
          const ended = await skilldock(folder, ['serve', '--follow', ...options], own)
          expect(ended).toMatchObject({ status, stderr: expect.stringMatching(reason) })
        }
      })

      test('answers once it is ready, even if restoring has taken longer than it may answer without news', async () => {
        const slow = await startFaultyRelay(variables['SKILLDOCK_S3_ENDPOINT'] ?? '')
        let isSlow = true
        slow.breakWith(async (req) => {
          const delayed = isSlow && req.url?.includes('.ltx') === true
          isSlow &&= !delayed
          if (delayed) await delay(leaseMs)
          return false
        })
        const reader = await follow({ SKILLDOCK_S3_ENDPOINT: slow.endpoint })
        expect({ isSlow, status: await statusOf(reader, 'missing') }).toEqual({ isSlow: false, status: 404 })
        slow.stop()
      })

      test('restores its copy when the transactions that it has missed are only in a snapshot', async () => {
        const reader = await follow()
        reader.kill('SIGSTOP')
        const { body } = await submit(server, 'merged')
        await review(server.registry, admin, body.id, 'approved')
        const [, prefix = ''] = variables['SKILLDOCK_STORAGE']?.split(`${bucketName}/`) ?? []
        const folderOf = (level: string): string => join(objects.folder, prefix, 'database/1', level)
        const numberOf = (name: string): number => Number.parseInt(name.slice(17, 33), 16)
        const transactions = readdirSync(folderOf('0000')).toSorted()
        const last = numberOf(transactions.at(-1) ?? '')
        // Litestream merges transactions every half minute. It removes them some minutes later.
        const isMerged = (): boolean =>
          existsSync(folderOf('0001')) && readdirSync(folderOf('0001')).some((name) => numberOf(name) >= last)
        await until('they are merged', isMerged, 60_000)
        for (const name of transactions) rmSync(join(folderOf('0000'), name))
        reader.kill('SIGCONT')
        await until('it has the release', async () => (await statusOf(reader, 'merged')) === 200)
        expect(reader.output.stderr.match(/the database was restored from the bucket/g)).toHaveLength(2)
      })

      test.skipIf(skipWithoutMount)(
        'a copy that could only be written in part is not read again until it is restored',
        async () => {
          const disk = mountSmallDisk(8)
          try {
            const reader = await follow({}, disk.folder)
            const { body } = await submit(server, 'written')
            await review(server.registry, admin, body.id, 'approved')
            await until('it has the release', async () => (await statusOf(reader, 'written')) === 200)
            disk.fill()
            let count = 0
            await until('the disk is full', async () => {
              count += 1
              await submit(server, `more-${count}`)
              return /ENOSPC|The disk is full/.test(reader.output.stderr)
            })
            expect(await statusOf(reader, 'written')).toBe(503)
            disk.clear()
            await until('it answers again', async () => (await statusOf(reader, 'written')) === 200)
          } finally {
            disk.unmount()
          }
        },
      )
    })
  })
})
