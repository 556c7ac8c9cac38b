import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { administration, routeGroups } from '../../src/server/composition/route-table.ts'
import { openForInspection } from '../../src/server/db/inspect.ts'
import type { Route } from '../../src/shared/route.ts'
import type { Envelope } from '../../src/shared/contracts/attestations.ts'
import { currentAttestationKey } from '../support/client/attestation-key.ts'
import { cleanUpClients, runClient } from '../support/client/client.ts'
import {
  answerWith,
  changeJson,
  endless,
  neverResponds,
  passOn,
  refuseWith,
  sendsSlowly,
  startHostileServer,
} from '../support/client/hostile-server.ts'
import type { Behavior, HostileServer } from '../support/client/hostile-server.ts'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import {
  builtEntry,
  cleanUp,
  projectRoot,
  serve,
  skilldock,
  start,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Ended, Serving } from '../support/server/command-line.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

afterAll(async () => {
  await cleanUpClients()
  await cleanUp()
})

const otherDigest = 'f'.repeat(64)

interface MirrorBody {
  mirror: { of: string; updatedAt: string | null } | null
}
const mirrorOf = async (registry: string) =>
  (await call<MirrorBody>(`${registry}/api/skilldock/mirror`)).body.mirror

const bodyOf = async (registry: string, path: string): Promise<unknown> =>
  (await call(`${registry}${path}`)).body

const bytesOf = async (registry: string, path: string): Promise<string> =>
  Buffer.from(await (await fetch(`${registry}${path}`)).arrayBuffer()).toString('hex')

const revokedAt = async (registry: string, name: string, version: string): Promise<boolean> => {
  const { status, body } = await call<{ status?: string }>(
    `${registry}/api/skilldock/skills/${name}/${version}/state`,
  )
  return status === 200 && body.status === 'revoked'
}

const deprecate = (app: TestRegistry, name: string, version: string, successor: string) =>
  call(`${app.registry}/api/skilldock/skills/${name}/${version}/deprecation`, {
    method: 'POST',
    token: app.developer,
    body: { reason: 'Use the newer one instead.', successor },
  })

describe('a closed network', () => {
  let origin: TestRegistry
  let folder: string
  let mirror: Serving
  let filling: ReturnType<typeof start>
  /** A project whose lock file was made at the origin. */
  let project: string
  let revoked: number

  beforeAll(async () => {
    origin = await startTestRegistry()
    await origin.release({ name: 'tool', version: '1.0.0' }, 'approved')
    await origin.release({ name: 'tool', version: '1.1.0' }, 'approved')
    await origin.release({ name: 'gone' }, 'approved', 'revoked')
    await origin.release({ name: 'bad' }, 'rejected')
    await origin.submit({ name: 'waiting' })
    revoked = await origin.release({ name: 'soon' }, 'approved')
    await deprecate(origin, 'tool', '1.0.0', 'tool@1.1.0')
    project = temporaryFolder()
    const installed = await runClient(['install', 'tool@1.0.0', 'soon'], {
      cwd: project,
      env: { SKILL_REGISTRY: origin.registry },
    })
    expect(installed).toMatchObject({ status: 0, stderr: '' })
    folder = temporaryFolder()
    mirror = await serve(folder)
    filling = start(process.execPath, [builtEntry, 'mirror', origin.registry, '--every', '1s'], {
      SKILLDOCK_DATA: folder,
    })
    await until('it is filled', async () => filling.output.stdout.includes('3 copied, 0 revoked'))
  })
  afterAll(async () => {
    await mirror.stop()
  })

  test('serves what the origin serves, byte for byte', async () => {
    const paths = ['1.0.0', '1.1.0'].flatMap((version) => [
      `/api/skilldock/attestations/tool/${version}`,
      `/api/skilldock/skills/tool/${version}/review`,
      `/api/skilldock/skills/tool/${version}/state`,
      `/api/marketplace/skills/tool/${version}/manifest`,
    ])
    for (const path of [...paths, '/api/skilldock/attestations/rotations']) {
      expect(await bodyOf(mirror.registry, path), path).toEqual(await bodyOf(origin.registry, path))
    }
    const download = '/api/marketplace/skills/tool/1.0.0/package'
    expect(await bytesOf(mirror.registry, download)).toBe(await bytesOf(origin.registry, download))
    expect(await currentAttestationKey(mirror.registry)).toEqual(await currentAttestationKey(origin.registry))
    interface List {
      items: { name: string; version: string; publisher: string; id: number }[]
    }
    const list = async (registry: string) =>
      ((await bodyOf(registry, '/api/marketplace/skills')) as List).items.map(
        ({ name, version, publisher, id }) => ({ name, version, publisher, id }),
      )
    expect(await list(mirror.registry)).toEqual(await list(origin.registry))
  })

  test('knows what was revoked before the first run, and serves neither that nor what is not approved', async () => {
    expect(await revokedAt(mirror.registry, 'gone', '1.0.0')).toBe(true)
    for (const name of ['gone', 'bad', 'waiting']) {
      const { status } = await call(`${mirror.registry}/api/marketplace/skills/${name}/1.0.0`)
      expect(status).toBe(404)
    }
  })

  test('says which registry it copies and how old the copy is', async () => {
    const before = await mirrorOf(mirror.registry)
    expect(before?.of).toBe(origin.registry)
    await until(
      'it was updated',
      async () => (await mirrorOf(mirror.registry))?.updatedAt !== before?.updatedAt,
    )
    const page = await (await fetch(`${mirror.registry}/skills/tool/1.0.0`)).text()
    expect(page).not.toContain('Unknown capabilities')
    expect(page).toMatch(/Read-only mirror of http:\S+, last updated \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)
    expect(await (await fetch(`${mirror.dashboard}/metrics`)).text()).toMatch(
      /^skilldock_mirror_updated_timestamp_seconds \d{10}/m,
    )
    expect(await mirrorOf(origin.registry)).toBeNull()
  })

  test('refuses every change of releases and content, and no other', async () => {
    const token = await tokenHere(folder, '--subject', 'ada', '--role', 'admin')
    for (const [group, { listeners, routes }] of routeGroups) {
      for (const { method, path, readOnly } of Object.values<Route>(routes)) {
        if (method === 'GET' || readOnly === true || !listeners.some((one) => one !== 'remote desk')) continue
        const base = listeners.includes('registry') ? mirror.registry : mirror.dashboard
        const url = `${base}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? '1' : 'tool'))}`
        const reply = await fetch(url, {
          method,
          headers: { origin: base, authorization: `Bearer ${token}` },
        })
        const isRefused = (await reply.text()).includes('This registry is a read-only mirror of')
        expect([path, isRefused]).toEqual([path, !administration.has(group)])
        if (isRefused) expect(reply.status).toBe(409)
      }
    }
    const { status, body } = await publish(mirror.registry, token, manifest({ name: 'own' }), origin.wasm)
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'MIRROR_READ_ONLY' })
    expect(body.error).toContain(origin.registry)
  })

  test('is not filled by two processes', async () => {
    const second = await skilldockHere(folder, ['mirror', origin.registry, '--once'])
    expect(second).toMatchObject({ status: 4, stderr: expect.stringContaining('Another skilldock mirror') })
  })

  test('withdraws what the origin revokes, and copies what it approves, within the interval', async () => {
    await origin.decide(revoked, 'revoked')
    await origin.release({ name: 'tool', version: '1.2.0' }, 'approved')
    await until('it is revoked', () => revokedAt(mirror.registry, 'soon', '1.0.0'))
    for (const path of [
      '/api/marketplace/skills/soon/1.0.0',
      '/api/marketplace/skills/soon/1.0.0/package',
      '/api/skilldock/attestations/soon/1.0.0',
      '/skills/soon/1.0.0',
    ]) {
      expect((await fetch(`${mirror.registry}${path}`)).status, path).toBe(404)
    }
    await until('it is copied', async () => filling.output.stdout.includes('1 copied'))
  })

  describe('when the origin is gone', () => {
    beforeAll(() => origin.stop())

    const skill = (cwd: string, ...args: string[]) =>
      runClient(args, { cwd, env: { SKILL_MIRROR: mirror.registry } })

    test('the client installs, verifies and audits with the lock file of the origin', async () => {
      const closed = temporaryFolder()
      cpSync(join(project, 'skill-lock.json'), join(closed, 'skill-lock.json'))
      expect(await skill(closed, 'install', 'tool', '--frozen')).toMatchObject({ status: 0, stderr: '' })
      expect(await skill(closed, 'verify', 'tool')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('tool@1.0.0'),
      })
      const audit = await skill(closed, 'audit')
      expect(audit.status).toBe(1)
      expect(audit.stdout).toContain('soon@1.0.0 was revoked')
      expect(audit.stdout).toContain('Use tool@1.1.0 instead.')
      const again = await skill(closed, 'install', '--frozen')
      expect(again.status).toBe(4)
      // Without the mirror, the origin is asked.
      expect((await runClient(['install', 'tool', '--frozen'], { cwd: closed })).status).toBe(6)
    })

    test('the mirror keeps serving, and says that it can no longer be updated', async () => {
      await until('the run failed', async () => filling.output.stderr.includes('Failed: No valid response'))
      const { stdout, status } = await skilldockHere(folder, ['doctor', '--json'])
      const { findings } = JSON.parse(stdout) as {
        findings: { check: string; state: string; sentence: string }[]
      }
      expect(findings.find(({ check }) => check === 'mirror')).toMatchObject({
        state: 'broken',
        sentence: expect.stringContaining('No valid response'),
      })
      expect(status).toBe(1)
      expect(existsSync(dataPaths(folder).database)).toBe(true)
    })

    test('it stops on SIGTERM with status 0', async () => {
      filling.child.kill('SIGTERM')
      expect((await filling.ended).status).toBe(0)
      expect((await skilldockHere(folder, ['verify'])).stdout).toContain('No problems')
    })
  })
})

describe('a hostile origin', () => {
  let origin: TestRegistry
  let proxy: HostileServer
  /** A mirror with one release. The origin has another one since. */
  let filled: string
  let folder: string

  const run = (...args: string[]): Promise<Ended> =>
    skilldockHere(folder, ['mirror', proxy.url, '--once', ...args])

  const copied = (): string[] => {
    const connection = openForInspection(dataPaths(folder).database)
    try {
      return connection
        .prepare<[], string>(
          `SELECT r.name || '@' || r.version || ' ' || r.status FROM releases r
           LEFT JOIN mirrored_releases m ON m.name = r.name AND m.version = r.version ORDER BY r.id`,
        )
        .pluck()
        .all()
    } finally {
      connection.close()
    }
  }

  beforeAll(async () => {
    origin = await startTestRegistry()
    proxy = await startHostileServer(origin)
    await origin.release({ name: 'first' }, 'approved')
    filled = temporaryFolder()
    folder = filled
    expect(await run()).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('1 copied') })
    await origin.release({ name: 'second' }, 'approved')
  })
  beforeEach(() => {
    proxy.reset()
    folder = join(temporaryFolder(), 'mirror')
    cpSync(filled, folder, { recursive: true })
  })
  afterAll(async () => {
    await proxy.stop()
    await origin.stop()
  })

  const passedOn = <T>(change: (body: T) => unknown): Behavior => changeJson(origin.registry, change)
  const ofSecond = /\/second\/1\.0\.0$/
  const bytes = /\/second\/1\.0\.0\/package$/
  const attestation = /attestations\/second/

  const cases: [title: string, path: RegExp, behavior: () => Behavior, reason: RegExp][] = [
    ['a package that never ends', bytes, () => endless, /longer than \d+ bytes/],
    ['a package of the wrong size', bytes, () => answerWith(200, 'short'), /it has 5 bytes, not/],
    [
      'a package with other bytes',
      bytes,
      () => answerWith(200, Buffer.from(origin.wasm).fill(7)),
      /its SHA-256 is/,
    ],
    ['a redirect', bytes, () => answerWith(302, '', { location: 'http://127.0.0.1:9/' }), /not followed/],
    [
      'metadata with another digest',
      ofSecond,
      () => passedOn((one: object) => ({ ...one, sha256: otherDigest })),
      /SHA-256 is not that of the log/,
    ],
    [
      'metadata of another release',
      ofSecond,
      () => passedOn((one: object) => ({ ...one, name: 'first' })),
      /sent first@1\.0\.0/,
    ],
    [
      'a name that breaks the rules',
      ofSecond,
      () => passedOn((one: object) => ({ ...one, name: '../../x' })),
      /not in the format/,
    ],
    [
      'a publisher without end',
      ofSecond,
      () => passedOn((one: object) => ({ ...one, publisher: 'x'.repeat(9000) })),
      /metadata is not valid/,
    ],
    [
      'a page that is not JSON',
      ofSecond,
      () => answerWith(200, '<html>', { 'content-type': 'text/html' }),
      /not in the format/,
    ],
    ['metadata without end', ofSecond, () => endless, /more than \d+ bytes/],
    [
      'a changed approval',
      attestation,
      () => passedOn((one: Envelope) => ({ ...one, payload: Buffer.from('{}').toString('base64') })),
      /signature of the approval of second@1\.0\.0 is wrong/,
    ],
    [
      'the approval of another release',
      attestation,
      () => (request, response) => {
        void fetch(`${origin.registry}/api/skilldock/attestations/first/1.0.0`)
          .then((one) => one.text())
          .then((text) => answerWith(200, text)(request, response))
      },
      /not about the module of second@1\.0\.0/,
    ],
    ['no approval', attestation, () => refuseWith(404, 'NOT_FOUND'), /no signed approval of second@1\.0\.0/],
  ]
  test.each(cases)('%s is refused, and the rest stays', async (_title, path, behavior, reason) => {
    proxy.when(path, behavior())
    const { status, stdout } = await run()
    expect(stdout).toMatch(reason)
    expect(stdout).toContain('refused  second@1.0.0')
    expect(status).toBe(1)
    expect(copied()).toEqual(['first@1.0.0 approved'])
    proxy.reset()
    expect((await run()).status).toBe(0)
    expect(copied()).toEqual(['first@1.0.0 approved', 'second@1.0.0 approved'])
  })

  const whole: [title: string, path: RegExp, behavior: () => Behavior, reason: RegExp][] = [
    ['a silent origin', /log\/checkpoint/, () => neverResponds, /timed out|too slow/],
    [
      'an origin that sends a byte from time to time',
      /log\/checkpoint/,
      () => sendsSlowly(50),
      /too slow|timed out/,
    ],
    ['a log with another key', /log\/key/, () => answerWith(200, 'x+12345678+AAAA'), /not in the format/],
    [
      'entries that are not those of the checkpoint',
      /log\/entries/,
      () => passedOn((one: { entries: string[] }) => ({ entries: one.entries.toReversed() })),
      /not those of its signed checkpoint/,
    ],
    ['a log page without end', /log\/entries/, () => endless, /more than \d+ bytes/],
    ['an empty proof', /log\/consistency/, () => answerWith(200, '{"hashes":[]}'), /rewritten/],
    [
      'no attestation key',
      /jwks\.json/,
      () =>
        passedOn((one: { keys: { kid: string; x: string }[] }) => ({
          keys: one.keys.filter(({ kid }) => !kid.startsWith('attest-')),
        })),
      /no key for attestations/,
    ],
  ]
  test.each(whole)('%s ends the run, and what is there stays', async (title, path, behavior, reason) => {
    proxy.when(path, behavior())
    // A whole request may take twenty times as long. Only the first two cases wait for that.
    const { status, stderr } = await run('--timeout', /origin/.test(title) ? '0.1' : '30')
    expect(stderr).toMatch(reason)
    expect(status).toBe(1)
    expect(copied()).toEqual(['first@1.0.0 approved'])
  })

  test('an older state of the log is refused after a newer one, and the newer one stays', async () => {
    const old = await (await fetch(`${origin.registry}/api/skilldock/log/checkpoint`)).text()
    await origin.release({ name: 'third' }, 'approved')
    expect((await run()).status).toBe(0)
    proxy.when(/log\/checkpoint/, answerWith(200, old, { 'content-type': 'text/plain' }))
    const { status, stderr } = await run()
    expect(stderr).toContain('lost entries')
    expect(status).toBe(1)
    expect(copied()).toContain('third@1.0.0 approved')
  })

  test('another registry is refused unless its key is given', async () => {
    const rebuilt = await startTestRegistry()
    try {
      await rebuilt.release({ name: 'fourth' }, 'approved')
      const other = (...args: string[]) =>
        skilldockHere(folder, ['mirror', rebuilt.registry, '--once', ...args])
      expect((await other()).stderr).toContain('different key')
      const key = (await (await fetch(`${rebuilt.registry}/api/skilldock/log/key`)).text()).trim()
      expect((await other('--log-key', 'x')).stderr).toContain(key)
      expect(copied()).toEqual(['first@1.0.0 approved'])
      expect((await other('--log-key', key)).stderr).toContain('--attestation-key')
      const { kid } = await currentAttestationKey(rebuilt.registry)
      await other('--log-key', key, '--attestation-key', kid)
      expect(copied()).toContain('first@1.0.0 revoked')
    } finally {
      await rebuilt.stop()
    }
  })

  test('a registry with releases of its own does not become a mirror', async () => {
    mkdirSync(folder, { recursive: true })
    const own = await startTestRegistry()
    await own.release({ name: 'own' }, 'approved')
    try {
      const { status, stderr } = await skilldockHere(own.folder, ['mirror', proxy.url, '--once'])
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining('releases of its own'),
      })
      expect(await mirrorOf(own.registry)).toBeNull()
    } finally {
      await own.stop()
    }
  })

  test('a given attestation key is required, even where the pinned key would do', async () => {
    const { status, stderr } = await run('--attestation-key', 'attest-other')
    expect(stderr).toContain('attest-other')
    expect(status).toBe(1)
    expect(copied()).toEqual(['first@1.0.0 approved'])
  })

  test('an interrupted run says so', async () => {
    proxy.when(/log\/key/, neverResponds)
    const args = [builtEntry, 'mirror', proxy.url, '--once']
    const running = start(process.execPath, args, { SKILLDOCK_DATA: folder })
    await until('the run has begun', () => proxy.seen.length > 0)
    running.child.kill('SIGINT')
    expect(await running.ended).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'Interrupted. The next run continues.\n',
    })
  })

  test('a new attestation key is followed with its rotation', async () => {
    const former = await currentAttestationKey(origin.registry)
    await origin.server.settings.save({ 'attestation.key': 2 })
    expect((await run()).status).toBe(0)
    const mirror = await serve(folder)
    try {
      const current = await currentAttestationKey(mirror.registry)
      expect(current).not.toEqual(former)
      expect(current).toEqual(await currentAttestationKey(origin.registry))
      for (const path of ['rotations', 'first/1.0.0', 'second/1.0.0']) {
        const at = `/api/skilldock/attestations/${path}`
        expect(await bodyOf(mirror.registry, at)).toEqual(await bodyOf(origin.registry, at))
      }
    } finally {
      await mirror.stop()
    }
  })

  test('a revocation counts although nothing but the log can be read', async () => {
    const doomed = await origin.release({ name: 'doomed' }, 'approved')
    expect((await run()).status).toBe(0)
    expect(copied()).toContain('doomed@1.0.0 approved')
    await origin.decide(doomed, 'revoked')
    proxy.when(/^(?!\/api\/skilldock\/log)/, refuseWith(503, 'INTERNAL'))
    expect((await run()).status).toBe(1)
    expect(copied()).toContain('doomed@1.0.0 revoked')
  })

  test('a release that the origin can not serve does not keep the others from being copied', async () => {
    await origin.release({ name: 'later' }, 'approved')
    proxy.when(bytes, refuseWith(503, 'PACKAGE_CORRUPT'))
    const { stdout, status } = await run()
    expect(stdout).toContain('refused  second@1.0.0')
    expect(status).toBe(1)
    expect(copied()).toContain('later@1.0.0 approved')
  })

  test('a lost database of a mirror is not rebuilt as a registry that approved the releases itself', async () => {
    await (await serve(folder)).stop()
    writeFileSync(dataPaths(folder).database, Buffer.alloc(100_000, 7))
    const { stdout } = await skilldockHere(folder, ['rebuild'])
    expect(stdout).toMatch(/first 1\.0\.0 is a copy from another registry|no records of releases/)
    expect(stdout).not.toContain('1 approved')
  })

  test('a damaged package is fetched again', async () => {
    // All have the same package, so a missing release would bring it back.
    expect((await run()).status).toBe(0)
    const { packages } = dataPaths(folder)
    const [name = ''] = readdirSync(packages)
    writeFileSync(join(packages, name), 'damaged')
    expect((await run()).status).toBe(0)
    expect((await skilldockHere(folder, ['verify'])).status).toBe(0)
  })

  test('a run that is killed before a package is in place is continued by the next one', async () => {
    const killed = await skilldock(folder, ['mirror', proxy.url, '--once'], {
      NODE_OPTIONS: `--import=${join(projectRoot, 'tests/support/server/kill-before-call.mjs')}`,
      KILL_BEFORE_CALL: 'rename:1',
    })
    expect(killed.signal).toBe('SIGKILL')
    expect(copied()).toEqual(['first@1.0.0 approved'])
    expect((await run()).status).toBe(0)
    expect(copied()).toContain('second@1.0.0 approved')
    expect((await skilldockHere(folder, ['verify'])).status).toBe(0)
  })

  test('a run that is killed at any request is continued by the next one', async () => {
    folder = temporaryFolder()
    const args = [builtEntry, 'mirror', proxy.url, '--once']
    for (let nth = 1, ended: Ended | null = null; ended?.status !== 0; nth += 3) {
      const running = start(process.execPath, args, { SKILLDOCK_DATA: folder })
      proxy.reset()
      proxy.when(/.*/, (request, response) => {
        if (proxy.seen.length === nth) running.child.kill('SIGKILL')
        passOn(origin.registry)(request, response)
      })
      ended = await running.ended
      expect(nth).toBeLessThan(60)
      const verified = await skilldockHere(folder, ['verify'])
      expect(verified.stdout + verified.stderr).not.toMatch(/missing|differs|wrong/)
    }
    expect(copied().length).toBeGreaterThan(1)
  })
})
