import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { manifest } from '../support/server/publish.ts'
import { runSkill } from '../support/client/run-skill.ts'
import { createRuntimeClient } from '../support/client/runtime-client.ts'
import type { RuntimeClient } from '../support/client/runtime-client.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

// The client of the agent runtime against the real server with its default limits.

let app: TestServer
let home: string
let anonymous: RuntimeClient
let rita: RuntimeClient
let wasm: Uint8Array

beforeAll(async () => {
  app = await startTestServer()
  home = await mkdtemp(join(tmpdir(), 'skilldock-runtime-'))
  anonymous = createRuntimeClient({ NEXUS_REGISTRY_URL: app.registry })
  rita = await signIn('rita', { role: 'administrator' })
  wasm = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
})
afterAll(async () => {
  await app.stop()
  await rm(home, { recursive: true, force: true })
})

async function signIn(subject: string, order: { name?: string; role?: 'administrator' } = {}) {
  const token = await app.token({ subject, ...order })
  return createRuntimeClient({ NEXUS_REGISTRY_URL: app.registry, NEXUS_REGISTRY_TOKEN: token })
}

/** Publishes a manifest and a module from two files, as a publisher does. */
async function publish(client: RuntimeClient, change: Partial<SkillManifest>, module = wasm) {
  const sent = manifest(change)
  const files = [join(home, `${sent.name}.json`), join(home, `${sent.name}.wasm`)] as const
  await Promise.all([writeFile(files[0], JSON.stringify(sent, null, 2)), writeFile(files[1], module)])
  return client.publish(...files)
}

const emptyFolder = (): Promise<string> => mkdtemp(join(home, 'skills-'))
const decide = (id: number, action: string): Promise<void> =>
  rita.review(id, action, `It was ${action} with good reason.`)

test('a skill is published, reviewed, found, installed and run; once revoked, it can be neither found nor installed', async () => {
  const alice = await signIn('alice', { name: 'Alice' })
  const source = join(import.meta.dirname, '../../resources/skills/csv-to-json')
  const submission = await alice.publish(join(source, 'manifest.json'), join(source, 'csv-to-json.wasm'))
  expect(await anonymous.search('csv')).toEqual([])
  expect((await alice.mine())[0]).toMatchObject({ id: submission.id, status: 'pending', reviewReason: null })

  const [waiting] = await rita.reviews()
  expect(waiting).toMatchObject({ id: submission.id, publisher: 'Alice' })
  if (waiting === undefined) return
  expect(await rita.inspect(waiting)).toEqual(await readFile(join(source, 'csv-to-json.wasm')))
  await decide(submission.id, 'approved')

  const [found] = await anonymous.search('csv')
  expect(found).toEqual(await anonymous.info('csv-to-json'))
  expect(await anonymous.manifest('csv-to-json', '1.0.0')).toEqual(found?.manifest)
  const folder = await emptyFolder()
  const { file, release } = await anonymous.install('csv-to-json@1.0.0', folder)
  expect(release).toMatchObject({ status: 'approved', reviewReason: 'It was approved with good reason.' })
  expect((await anonymous.install('csv-to-json', folder)).file).toBe(file)
  expect(await runSkill(await readFile(file), 'id,city\n')).toMatchObject({ exitCode: 0, stdout: '[]\n' })

  await decide(submission.id, 'revoked')
  const empty = await emptyFolder()
  await expect(anonymous.install('csv-to-json@1.0.0', empty)).rejects.toMatchObject({ status: 404 })
  expect(await anonymous.search('csv')).toEqual([])
  expect(await readdir(empty)).toEqual([])
  expect((await alice.mine())[0]?.status).toBe('revoked')
})

test('the latest release is the one submitted last, not the highest version', async () => {
  const alice = await signIn('latest')
  for (const version of ['2.0.0', '1.5.0']) {
    await decide((await publish(alice, { name: 'latest', version })).id, 'approved')
  }
  const { file } = await anonymous.install('latest', await emptyFolder())
  expect(file).toMatch(/latest-1\.5\.0\.wasm$/)
})

test('a publisher without a name is shown as Developer N, with the id of the owner', async () => {
  const { id } = await publish(await signIn('nameless'), { name: 'nameless' })
  await decide(id, 'approved')
  const release = await anonymous.info('nameless')
  expect(release.publisher).toBe(`Developer ${release.ownerId}`)
})

test('texts are stored without surrounding spaces', async () => {
  const around = (text: string): string => `\n  ${text}\t`
  const { readme, description, license } = manifest()
  const texts = { readme: around(readme), description: around(description), license: around(license) }
  const { id } = await publish(await signIn('trim'), { name: 'trimmed', ...texts })
  await decide(id, 'approved')
  expect((await anonymous.info('trimmed')).manifest).toMatchObject({ readme, description, license })
})

describe('errors are shown with the message of the registry', () => {
  test.each([
    ['rejected', ['rejected']],
    ['revoked', ['approved', 'revoked']],
  ])(
    'a version that was %s can never be submitted again, and its name stays with its publisher',
    async (end, actions) => {
      const name = `once-${end}`
      const alice = await signIn(`alice-${end}`)
      const { id } = await publish(alice, { name })
      for (const action of actions) await decide(id, action)
      await expect(publish(alice, { name })).rejects.toMatchObject({
        status: 409,
        message: `${name} 1.0.0 has already been submitted, and a version number can't be reused. Bump the version and submit again.`,
      })
      await expect(publish(await signIn('someone-else'), { name, version: '2.0.0' })).rejects.toMatchObject({
        status: 403,
        message: `The name ${name} belongs to another publisher. Choose a different name.`,
      })
    },
  )

  test.each([
    ['without a memory', '(module (func (export "_start")))', /memory/],
    ['without _start', '(module (memory (export "memory") 1))', /_start/],
    [
      'that imports from an unknown module',
      '(module (import "env" "now" (func)) (memory (export "memory") 1) (func (export "_start")))',
      /env/,
    ],
  ])('a module %s is refused with the reason', async (_case, text, why) => {
    const module = await assembleWat(text)
    await expect(publish(await signIn('wrong'), { name: 'wrong-module' }, module)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(why) as string,
    })
  })

  test('the eleventh submission within a day is refused with the time to wait', async () => {
    const eager = await signIn('eager')
    for (let minor = 0; minor < 10; minor += 1) {
      await publish(eager, { name: 'eager', version: `1.${minor}.0` })
    }
    const refused: unknown = await publish(eager, { name: 'eager', version: '2.0.0' }).catch(
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({
      status: 429,
      message: expect.stringContaining("You've reached the limit of 10 submissions in 24 hours") as string,
    })
    const { retryAfter } = refused as { retryAfter: number }
    expect(retryAfter).toBeGreaterThan(86_000)
    expect(retryAfter).toBeLessThanOrEqual(86_400)
  })

  test('a missing token, an invalid one, and the token of a developer for an endpoint of administrators', async () => {
    const broken = createRuntimeClient({ NEXUS_REGISTRY_URL: app.registry, NEXUS_REGISTRY_TOKEN: 'x' })
    await expect(broken.mine()).rejects.toMatchObject({ status: 401 })
    await expect(anonymous.mine()).rejects.toThrow('NEXUS_REGISTRY_TOKEN is not set')
    await expect((await signIn('bob')).reviews()).rejects.toMatchObject({ status: 403 })
  })

  test('a second decision on the same release is refused', async () => {
    const { id } = await publish(await signIn('twice'), { name: 'twice' })
    await decide(id, 'rejected')
    await expect(decide(id, 'approved')).rejects.toMatchObject({ status: 409 })
    await expect(decide(9_007_199_254_740_991, 'approved')).rejects.toMatchObject({ status: 404 })
  })
})

test('nothing that this client reads may be cached', async () => {
  const { id } = await publish(await signIn('cached'), { name: 'not-cached' })
  await decide(id, 'approved')
  const paths = ['skills', 'skills/not-cached', 'skills/not-cached/1.0.0', 'skills/not-cached/1.0.0/manifest']
  for (const path of [...paths, 'skills/not-cached/1.0.0/package', 'skills/unknown', 'mine', 'review']) {
    const response = await fetch(`${app.registry}/api/marketplace/${path}`)
    await response.body?.cancel()
    expect(response.headers.get('cache-control'), path).toBe('no-store')
  }
})
