import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { digestOf } from '../../src/client/installed/installed-skills.ts'
import type { OwnRelease } from '../../src/shared/contracts/desk-own.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { cleanUpClients, oldestNode, runClient, startClient } from '../support/client/client.ts'
import { skillHere, skillHereJson } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { folderState } from '../support/server/folder-state.ts'
import {
  cutAfter,
  passOn,
  refuseWith,
  neverResponds,
  startHostileServer,
} from '../support/client/hostile-server.ts'
import type { HostileServer, SeenRequest } from '../support/client/hostile-server.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { List, TestRegistry } from '../support/server/registry.ts'
import { quietManifest, stepModule, writeProject } from '../support/client/skill-project.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let proxy: HostileServer
let wasm: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  app = await startTestRegistry()
  proxy = await startHostileServer(app)
  wasm = await stepModule()
})
afterAll(async () => {
  await proxy.stop()
  await app.stop()
  await cleanUpClients()
})
beforeEach(() => proxy.reset())

const environment = (env: Record<string, string> = {}): Record<string, string> => ({
  SKILL_REGISTRY: proxy.url,
  SKILL_TOKEN: app.developer,
  ...env,
})
const publish = (folder: string, ...args: string[]): Promise<HereEnded> =>
  skillHere(['publish', ...args], { folder, env: environment() })

interface Published {
  submitted: boolean
  release: OwnRelease | null
  check: { findings: { check: string }[]; examples: { verdict: string }[] | null }
}
interface Refused {
  error: { message: string; code: string; issues: { path: string }[]; next?: string }
}
const publishJson = <T = Published>(
  folder: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
) => skillHereJson<T>(['publish', ...args], { folder, env: environment(env) })

let names = 0
/** A project with a name that has not been published. */
async function newProject(change: Partial<SkillManifest> = {}): Promise<{ name: string; folder: string }> {
  names += 1
  const name = change.name ?? `quiet-${names}`
  return { name, folder: await writeProject({ manifest: quietManifest({ name, ...change }), wasm }) }
}

/** Submits the same project and returns its id. */
const submitted = (name: string): Promise<number> => app.submit(quietManifest({ name }), app.developer, wasm)

const uploads = (): SeenRequest[] => proxy.seen.filter(({ method }) => method === 'POST')

/** The releases in the registry with this name, newest first. */
async function stored(name: string): Promise<List['items']> {
  const reply = await call<List>(`${app.api}/mine`, { token: app.developer })
  return reply.body.items.filter((release) => release.name === name)
}

describe('skill publish', () => {
  test('checks, uploads once, and prints the position in the queue and the next step', async () => {
    const { name, folder } = await newProject()
    const { status, stdout, stderr } = await publish(folder)
    expect(stderr).toMatch(
      /Manifest .*valid\n.*Module .*\n.*Findings .*no findings\n.*Examples .*1 of 1 passed\n/,
    )
    expect(stdout).toMatch(
      new RegExp(
        `^✓ Submitted ${name} 1\\.0\\.0: pending, #\\d+ of \\d+ in queue\\.\n` +
          `A person reviews every release\\. To see the status, run: skill status ${name}\n$`,
      ),
    )
    expect(status).toBe(exitCodes.done)
    expect(uploads()).toHaveLength(1)
    expect(await stored(name)).toMatchObject([{ status: 'pending', sha256: digestOf(wasm) }])
  })

  test('uploads the manifest and the module unchanged, with their exact length', async () => {
    names += 1
    const name = `exact-${names}`
    const manifest = quietManifest({ name, readme: 'Reads a table.\r\nIt writes “objects” – 表 ✓.' })
    const text = JSON.stringify(manifest, null, 3).replaceAll('\n', '\r\n')
    const folder = await writeProject({ manifest, text: `\uFEFF${text}`, wasm })
    expect((await publish(folder, '--no-examples')).status).toBe(exitCodes.done)
    const [{ headers, body } = { headers: {}, body: null }] = uploads()
    expect(Number(headers['content-length'])).toBe(body?.length)
    expect(headers['transfer-encoding']).toBeUndefined()
    const form = await new Response(new Uint8Array(body ?? []), {
      headers: { 'content-type': headers['content-type'] ?? '' },
    }).formData()
    expect([...form.keys()]).toEqual(['manifest', 'wasm'])
    expect(form.get('manifest')).toBe(text)
    const file = form.get('wasm') as File
    expect({ name: file.name, type: file.type }).toEqual({ name: `${name}.wasm`, type: 'application/wasm' })
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(wasm)
    expect((await stored(name))[0]?.manifest).toEqual(manifest)
  })

  test('accepts another folder and other file names', async () => {
    const { name, folder } = await newProject()
    expect((await publishJson(join(folder, '..'), [folder])).data.submitted).toBe(true)
    const other = await newProject()
    await rename(join(other.folder, 'manifest.json'), join(other.folder, 'release.json'))
    await rename(join(other.folder, `${other.name}.wasm`), join(other.folder, 'built.wasm'))
    const named = await publishJson(other.folder, ['--manifest', 'release.json', '--wasm', 'built.wasm'])
    expect(named.data).toMatchObject({ submitted: true, release: { name: other.name, status: 'pending' } })
    expect(await stored(name)).toHaveLength(1)
  })

  test('uploads a module of the maximum size', async () => {
    const { name, folder } = await newProject()
    const large = padModule(wasm, 16_777_216)
    await writeFile(join(folder, `${name}.wasm`), large)
    expect((await publishJson(folder)).data).toMatchObject({
      submitted: true,
      release: { size: 16_777_216, sha256: digestOf(large) },
    })
  })

  test('runs no example with --no-examples', async () => {
    const { folder } = await newProject({ examples: [{ input: 'abc', output: 'never written' }] })
    const { status, data } = await publishJson(folder, ['--no-examples'])
    expect({ status, examples: data.check.examples }).toEqual({ status: exitCodes.done, examples: null })
  })

  test('shows findings and failed examples, and still uploads', async () => {
    const { folder } = await newProject({
      license: 'mit',
      examples: [{ input: 'abc', output: 'never written' }],
    })
    const { status, stderr } = await publish(folder)
    expect(stderr).toMatch(/0 of 1 passed/)
    expect(stderr).toMatch('license-unknown')
    expect(status).toBe(exitCodes.done)
  })

  test('shows findings that only the registry can report', async () => {
    const mira = await app.token({ subject: 'mira', name: 'Mira' })
    await app.decide(await app.submit({ name: 'json-to-table' }, mira), 'approved')
    const { folder } = await newProject({ name: 'json-to-tabel' })
    const { stdout, stderr } = await publish(folder)
    expect(stderr).toMatch('no findings')
    expect(stdout).toMatch(/More findings from the registry's checks: 1 error/)
    expect(stdout).toMatch('name-near')
  })
})

describe('what the registry would reject', () => {
  test.each<[string, (folder: string, name: string) => Promise<unknown>, string, RegExp]>([
    [
      'a manifest with an invalid field',
      (folder, name) =>
        writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...quietManifest({ name }), license: '' })),
      'INVALID_MANIFEST',
      /^Not submitted: the registry would reject the manifest: license must have at least 1 character\.$/,
    ],
    [
      'a manifest that is too long',
      (folder, name) =>
        writeFile(
          join(folder, 'manifest.json'),
          JSON.stringify(quietManifest({ name, readme: 'Long. '.repeat(3000) })).padEnd(26_000),
        ),
      'INVALID_MANIFEST',
      /The manifest has \d+ characters .*Shorten the readme\.$/,
    ],
    [
      'a file that is not a module',
      (folder, name) => writeFile(join(folder, `${name}.wasm`), '#!/bin/sh\n'),
      'INVALID_PACKAGE',
      /^Not submitted: the registry would reject the module: [A-Z].*[^.]\.$/,
    ],
    [
      'a module that is too large',
      (folder, name) => writeFile(join(folder, `${name}.wasm`), padModule(wasm, 16_777_217)),
      'INVALID_PACKAGE',
      /The module is larger than 16 MiB\.$/,
    ],
    [
      'a folder without a manifest',
      (folder) => rm(join(folder, 'manifest.json')),
      'NO_MANIFEST',
      /manifest\.json does not exist\.$/,
    ],
    [
      'a folder without the module',
      (folder, name) => rm(join(folder, `${name}.wasm`)),
      'NO_MODULE',
      /\.wasm does not exist\.$/,
    ],
  ])('is not uploaded: %s', async (_what, damage, code, message) => {
    const { name, folder } = await newProject()
    await damage(folder, name)
    const { status, data } = await publishJson<Refused>(folder)
    expect(status).toBe(exitCodes.failed)
    expect(data.error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(data.error.next).toMatch(/skill (check|init)|--wasm/)
    expect(proxy.seen).toEqual([])
  })

  test('is reported with every invalid field', async () => {
    const { name, folder } = await newProject()
    const text = JSON.stringify({ ...quietManifest({ name }), license: '', category: 'Games' })
    await writeFile(join(folder, 'manifest.json'), text)
    const { stderr } = await publish(folder)
    expect(stderr).toMatch('license must have at least 1 character (and 1 more problem).')
    expect(stderr).toMatch(/\n {2}category must be one of Validators, /)
  })
})

describe('a version that has already been submitted', () => {
  test.each<[string, string[]]>([
    ['pending', []],
    ['approved', ['approved']],
    ['rejected', ['rejected']],
    ['revoked', ['approved', 'revoked']],
  ])('with the same module and %s is reported, and nothing is uploaded', async (state, actions) => {
    const { name, folder } = await newProject()
    await app.decide(await submitted(name), ...actions)
    const { status, stdout } = await publish(folder, '--no-examples')
    expect(status).toBe(exitCodes.done)
    expect(stdout).toMatch(new RegExp(`^${name} 1\\.0\\.0 was already submitted with this module: ${state}`))
    const advice = ['rejected', 'revoked'].includes(state)
      ? 'Fix the problem, bump the version and publish again.'
      : 'To change the manifest, bump the version.'
    expect(stdout).toMatch(`Nothing was uploaded. ${advice} For details, run: skill status ${name}@1.0.0\n`)
    if (actions.length > 0) expect(stdout).toMatch(`Review notes\n  It was ${state} with good reason.\n`)
    expect(uploads()).toEqual([])
  })

  test('with a different module is refused, and the message suggests a higher version', async () => {
    const { name, folder } = await newProject()
    await submitted(name)
    await writeFile(join(folder, `${name}.wasm`), await stepModule(2))
    const { status, stderr } = await publish(folder, '--no-examples')
    expect(status).toBe(exitCodes.refused)
    expect(stderr).toMatch(
      `skill: ${name} 1.0.0 was already submitted with a different module (this one has the SHA-256 `,
    )
    expect(stderr).toMatch('A version never changes. Bump the version in the manifest and publish again.\n')
    expect(uploads()).toEqual([])
    const manifest = quietManifest({ name, version: '1.0.1' })
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    expect((await publishJson(folder, ['--no-examples'])).data.submitted).toBe(true)
    expect(await stored(name)).toHaveLength(2)
  })

  test('is found after fifty newer ones', async () => {
    const nora = await app.token({ subject: 'nora' })
    const { name, folder } = await newProject()
    await app.submit(quietManifest({ name }), nora, wasm)
    for (let count = 0; count < 51; count += 1) await app.submit({ name: `younger-${count}` }, nora)
    const { data } = await publishJson(folder, ['--no-examples'], { SKILL_TOKEN: nora })
    expect(data).toMatchObject({ submitted: false, release: { name, status: 'pending' } })
    expect(proxy.seen.map(({ path }) => path)).toEqual([
      '/api/skilldock/mine?offset=0',
      '/api/skilldock/mine?offset=50',
    ])
  })
})

describe('what the registry rejects', () => {
  test('a name of another publisher, with a hint that does not mention signing in', async () => {
    const mira = await app.token({ subject: 'mira' })
    await app.submit({ name: 'of-mira' }, mira)
    const { folder } = await newProject({ name: 'of-mira' })
    const { status, stderr } = await publish(folder, '--no-examples')
    expect(status).toBe(exitCodes.notAllowed)
    expect(stderr).toMatch('skill: The name of-mira belongs to another publisher. Choose a different name.\n')
    expect(stderr).not.toMatch('login')
  })

  test('a missing or rejected token, before anything is uploaded', async () => {
    const { folder } = await newProject()
    for (const [token, hint] of [
      ['', 'Sign in with: skill login\n'],
      ['not-a-token', 'SKILL_TOKEN is set.'],
    ] as const) {
      const options = { folder, env: environment({ SKILL_TOKEN: token }) }
      const { status, stderr } = await skillHere(['publish', '--no-examples'], options)
      expect(status).toBe(exitCodes.notAllowed)
      expect(stderr).toMatch(hint)
    }
    expect(uploads()).toEqual([])
  })

  test('a submission over the quota, with the time of the next possible one', async () => {
    proxy.when(/\/publish$/, refuseWith(429, 'QUOTA_EXCEEDED', { 'retry-after': '5400' }))
    const { status, stderr } = await publish((await newProject()).folder, '--no-examples')
    expect(status).toBe(exitCodes.refused)
    expect(stderr).toMatch(/Try again in 1 h 30 min \(at \d\d:\d\d( tomorrow)?\)\.\n$/)
    expect(uploads()).toHaveLength(1)
    expect(uploads()[0]?.bodyBytes).toBe(0)
  })
})

describe('without a response', () => {
  test('the release is looked up instead', async () => {
    const { name, folder } = await newProject()
    proxy.when(/\/publish$/, (request, response) =>
      passOn(app.registry, (answer) => {
        answer.resume()
        answer.on('end', () => response.socket?.destroy())
      })(request, response),
    )
    const { status, stdout, stderr } = await publish(folder, '--no-examples')
    expect(status).toBe(exitCodes.done)
    expect(stderr).toMatch(/No valid response from .*\. Checking whether the release arrived\.\n/)
    expect(stdout).toMatch(`✓ Submitted ${name} 1.0.0: pending`)
    expect(uploads()).toHaveLength(1)
    expect(await stored(name)).toHaveLength(1)
  })

  test('the lost response is reported if the release cannot be found', async () => {
    const { name, folder } = await newProject()
    proxy.when(/\/publish$/, cutAfter(''))
    const { status, data } = await publishJson<Refused>(folder, ['--no-examples'], {
      SKILL_TIMEOUT: '10',
    })
    expect(status).toBe(exitCodes.unreachable)
    expect(data.error).toMatchObject({
      code: 'ANSWER_LOST',
      next: `Check with: skill status ${name}@1.0.0. If it is not there, publish it again.`,
    })
    expect(uploads()).toHaveLength(1)
  })

  test('Ctrl+C before the upload: says that nothing was uploaded', async () => {
    const { folder } = await newProject()
    const ending = new AbortController()
    proxy.when(/\/mine/, () => ending.abort())
    const options = { folder, env: environment(), signal: ending.signal }
    const { status, stderr } = await skillHere(['publish', '--no-examples'], options)
    expect(status).toBe(exitCodes.interrupted)
    expect(stderr).toMatch(/\nskill: Interrupted before anything was uploaded\.\n$/)
    expect(uploads()).toEqual([])
  })

  test('Ctrl+C after the release was accepted: says that it was submitted', async () => {
    const { name, folder } = await newProject()
    const ending = new AbortController()
    let times = 0
    proxy.when(/\/mine/, (request, response) => {
      times += 1
      if (times === 1) passOn(app.registry)(request, response)
      else ending.abort()
    })
    const options = { folder, env: environment(), signal: ending.signal }
    const { status, stdout } = await skillHere(['publish', '--no-examples'], options)
    expect(status).toBe(exitCodes.done)
    expect(stdout).toMatch(`✓ Submitted ${name} 1.0.0.\n`)
  })

  test.skipIf(process.platform === 'win32').each([
    ['SIGINT', exitCodes.interrupted],
    ['SIGTERM', exitCodes.terminated],
  ] as const)(
    '%s during the upload: says that the outcome is unknown, and exits with %i',
    async (signal, exitCode) => {
      const { name, folder } = await newProject()
      proxy.when(/\/publish$/, neverResponds)
      const started = startClient(['publish', '--no-examples'], { cwd: folder, env: environment() })
      await until('everything has arrived', () => uploads().some(({ body }) => body !== null))
      started.child.kill(signal)
      const { status, stderr } = await started.ended
      expect(status).toBe(exitCode)
      expect(stderr).toMatch(`${name}@1.0.0 was uploaded, but it is not known whether it was accepted.\n`)
      expect(stderr).toMatch(`To check, run: skill status ${name}@1.0.0\n`)
    },
  )

  test('failing to look up the position in the queue is not an error', async () => {
    const { name, folder } = await newProject()
    let times = 0
    proxy.when(/\/mine/, (request, response) => {
      times += 1
      const behavior = times === 1 ? passOn(app.registry) : refuseWith(500, 'INTERNAL')
      behavior(request, response)
    })
    const { status, stdout } = await publish(folder, '--no-examples')
    expect(status).toBe(exitCodes.done)
    expect(stdout).toMatch(`✓ Submitted ${name} 1.0.0.\n`)
  })
})

test('with the oldest supported Node too, no file is left behind in the project folder', async () => {
  const { folder } = await newProject()
  const home = temporaryFolder()
  const before = await folderState(folder)
  const node = oldestNode
  const { status } = await runClient(['publish'], { cwd: folder, home, env: environment(), node })
  expect(status).toBe(exitCodes.done)
  expect(await folderState(folder)).toEqual(before)
  expect(await folderState(home)).toEqual({})
})
