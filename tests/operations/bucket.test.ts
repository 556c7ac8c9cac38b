import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { openForInspection } from '../../src/server/db/inspect.ts'
import { skipWithout } from '../support/programs.ts'
import { fencedBlocks, runBlocks } from '../support/client/shell-blocks.ts'
import { skilldockHere, tokenHere } from '../support/server/command-here.ts'
import {
  cleanEnvironment,
  cleanUp,
  projectRoot,
  serve,
  temporaryFolder,
} from '../support/server/command-line.ts'
import type { Serving, Variables } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { bucketName, startFaultyRelay, startObjectStore } from '../support/server/object-store.ts'
import type { ObjectStore } from '../support/server/object-store.ts'
import { call, manifest, publish, review } from '../support/server/publish.ts'
import { serveHere } from '../support/server/serve-here.ts'
import type { TestServer } from '../support/server/server.ts'
import { readConfig } from '../../src/server/settings/config.ts'
import { until } from '../support/wait.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'

// Packages and images in an S3-compatible bucket, with the built server and a real object store.

describe.skipIf(skipWithout('versitygw'))('a registry with a bucket (needs versitygw)', () => {
  let objects: ObjectStore
  beforeAll(async () => {
    objects = await startObjectStore()
  })
  afterAll(async () => {
    await objects.stop()
    await cleanUp()
  })

  const running: { stop(): Promise<unknown> }[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.stop()))
  })
  const start = async (data: string, variables: Variables, options: string[] = []): Promise<Serving> => {
    const server = await serve(data, variables, undefined, options)
    running.push(server)
    return server
  }
  const startHere = async (data: string, variables: Variables): Promise<TestServer> => {
    const server = await serveHere(data, variables)
    running.push(server)
    return server
  }

  let prefixes = 0
  /** The variables of a prefix that no other test uses, and its folder in the object store. */
  const ownPrefix = (): { variables: Variables; url: string; folder: string } => {
    prefixes += 1
    const name = `registry-${prefixes}`
    const url = `s3://${bucketName}/${name}`
    return {
      variables: { ...objects.variables, SKILLDOCK_STORAGE: url },
      url,
      folder: join(objects.folder, name),
    }
  }
  const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
  const removeCopies = (data: string): void => {
    for (const folder of [dataPaths(data).packages, dataPaths(data).pictures])
      for (const name of namesIn(folder)) rmSync(join(folder, name))
  }
  const approvedIn = (data: string): { name: string; version: string; sha256: string }[] => {
    const connection = openForInspection(dataPaths(data).database)
    try {
      return connection
        .prepare<[], { name: string; version: string; sha256: string }>(
          "SELECT name, version, sha256 FROM releases WHERE status = 'approved' ORDER BY id",
        )
        .all()
    } finally {
      connection.close()
    }
  }
  const download = (registry: string, { name, version }: { name: string; version: string }) =>
    fetch(`${registry}/api/marketplace/skills/${name}/${version}/package`)

  test('a publish is acknowledged when its package is in the bucket, and served without any local copy', async () => {
    const { variables, folder } = ownPrefix()
    const data = temporaryFolder()
    const [token, admin] = [
      await tokenHere(data, '--subject', 'marta'),
      await tokenHere(data, '--subject', 'ilse', '--role', 'admin'),
    ]
    const first = await start(data, variables)
    const module = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
    const { status, body } = await publish(first.registry, token, manifest(), module)
    expect(status).toBe(201)
    const stored = namesIn(join(folder, 'packages'))
    expect(stored).toHaveLength(1)
    expect(readFileSync(join(folder, 'packages', stored[0] ?? '')).equals(module)).toBe(true)
    expect(
      (await review(first.registry, admin, body.id, 'approved', 'Small, and it does what it says.')).status,
    ).toBe(200)

    first.kill('SIGKILL')
    await first.ended
    removeCopies(data)
    const server = await startHere(data, variables)
    const answer = await download(server.registry, manifest())
    expect(Buffer.from(await answer.arrayBuffer()).equals(module)).toBe(true)
  })

  test('the bucket fails: 503 with Retry-After, everything else is answered, and nothing acknowledged is lost', async () => {
    const { variables } = ownPrefix()
    const relay = await startFaultyRelay(variables['SKILLDOCK_S3_ENDPOINT'] ?? '')
    const data = await copyOfDemo()
    expect(
      (await skilldockHere(data, ['storage', 'migrate', variables['SKILLDOCK_STORAGE'] ?? ''], variables))
        .status,
    ).toBe(0)
    removeCopies(data)
    const token = await tokenHere(data, '--subject', 'marta')
    const server = await startHere(data, { ...variables, SKILLDOCK_S3_ENDPOINT: relay.endpoint })
    const [first] = approvedIn(data)
    if (first === undefined) throw new Error('the demo has approved releases')
    relay.breakWith((_req, res) => Boolean(res.destroy()))

    const refused = await download(server.registry, first)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    const module = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
    const change = { name: 'brand-new' }
    expect((await publish(server.registry, token, manifest(change), module)).status).toBe(503)
    expect(
      (await fetch(`${server.registry}/api/marketplace/skills/${first.name}/${first.version}`)).status,
    ).toBe(200)
    const ready = `${server.dashboard}/api/skilldock/ready`
    const health = await call<{ checks: Record<string, string> }>(ready)
    expect(health.body.checks['storageWrite']).not.toBe('ok')

    relay.breakWith(null)
    expect((await download(server.registry, first)).status).toBe(200)
    await until('the server is ready again', async () => (await fetch(ready)).status === 200)
    expect((await publish(server.registry, token, manifest(change), module)).status).toBe(201)
    relay.stop()
  })

  test('a server starts and serves its copies while the bucket cannot be reached', async () => {
    const { variables, url } = ownPrefix()
    const data = await copyOfDemo()
    await skilldockHere(data, ['storage', 'migrate', url], variables)
    const [first] = approvedIn(data)
    const server = await start(data, { ...variables, SKILLDOCK_S3_ENDPOINT: 'http://127.0.0.1:9' })
    expect((await download(server.registry, first ?? { name: '', version: '' })).status).toBe(200)
    expect(server.output.stderr).not.toContain(variables['AWS_SECRET_ACCESS_KEY'])
  })

  test('workers serve from the same bucket', async () => {
    const { variables, url } = ownPrefix()
    const data = await copyOfDemo()
    await skilldockHere(data, ['storage', 'migrate', url], variables)
    removeCopies(data)
    const server = await start(data, variables, ['--workers', '2'])
    for (const release of approvedIn(data)) {
      expect((await download(server.registry, release)).status).toBe(200)
    }
  })

  describe('skilldock storage migrate', () => {
    test('copies every file there and back, verified, and says what to do next', async () => {
      const { variables, url, folder } = ownPrefix()
      const data = await copyOfDemo()
      const paths = dataPaths(data)
      const [packages, pictures] = [namesIn(paths.packages), namesIn(paths.pictures)]
      const there = await skilldockHere(data, ['storage', 'migrate', url], variables)
      expect(there.stdout).toContain(`Start the server with SKILLDOCK_STORAGE=${url}.`)
      expect(namesIn(join(folder, 'packages'))).toEqual(packages)
      expect(namesIn(join(folder, 'pictures'))).toEqual(pictures)
      expect(await skilldockHere(data, ['storage', 'migrate', url], variables)).toMatchObject({ status: 1 })

      removeCopies(data)
      const back = await skilldockHere(data, ['storage', 'migrate', 'local', '--json'], variables)
      expect(JSON.parse(back.stdout)).toEqual({
        folder: data,
        storage: null,
        files: packages.length + pictures.length,
      })
      expect([namesIn(paths.packages), namesIn(paths.pictures)]).toEqual([packages, pictures])
      expect(await skilldockHere(data, ['verify'])).toMatchObject({ status: 0 })
    })

    test('works as docs/OPERATIONS.md says', async () => {
      const { variables, url, folder } = ownPrefix()
      const data = await copyOfDemo()
      const [block = ''] = fencedBlocks(readFileSync(join(projectRoot, 'docs/OPERATIONS.md'), 'utf8'), 'bash')
      const script = block
        .replace('s3://skills/registry', url)
        .replace('eu-central-1', 'us-east-1')
        .replace('https://s3.example.com', variables['SKILLDOCK_S3_ENDPOINT'] ?? '')
        .replace('AWS_ACCESS_KEY_ID=...', `AWS_ACCESS_KEY_ID=${variables['AWS_ACCESS_KEY_ID']}`)
        .replace('AWS_SECRET_ACCESS_KEY=...', `AWS_SECRET_ACCESS_KEY=${variables['AWS_SECRET_ACCESS_KEY']}`)
      const env = cleanEnvironment({ SKILLDOCK_DATA: data })
      expect(await runBlocks([script], { cwd: projectRoot, env })).toMatchObject({ status: 0 })
      expect(namesIn(join(folder, 'packages'))).not.toEqual([])
    })

    test('stops at a damaged file without changing the place, and continues once it is repaired', async () => {
      const { variables, url } = ownPrefix()
      const data = await copyOfDemo()
      const [name = ''] = namesIn(dataPaths(data).packages)
      const path = join(dataPaths(data).packages, name)
      const bytes = readFileSync(path)
      writeFileSync(path, 'damaged')
      const refused = await skilldockHere(data, ['storage', 'migrate', url], variables)
      expect(refused).toMatchObject({ status: 1 })
      expect(refused.stderr).toContain(`packages/${name}`)
      expect((await startHere(data, {})).registry).toContain('127.0.0.1')
      await running.pop()?.stop()
      writeFileSync(path, bytes)
      expect(await skilldockHere(data, ['storage', 'migrate', url], variables)).toMatchObject({ status: 0 })
    })

    test('is refused while a server is running, and for a bucket of another registry', async () => {
      const { variables, url } = ownPrefix()
      const [data, other] = [await copyOfDemo(), temporaryFolder()]
      const server = await start(data, {})
      const busy = await skilldockHere(data, ['storage', 'migrate', url], variables)
      expect(busy).toMatchObject({ status: 4 })
      expect(busy.stderr).toContain('Stop it first')
      await server.stop()
      await skilldockHere(data, ['storage', 'migrate', url], variables)
      await tokenHere(other, '--subject', 'marta')
      const taken = await serveHere(other, variables).catch(String)
      expect(taken).toContain(`${url} belongs to another registry`)
    })
  })

  test('a server does not start with another place than where the files are', async () => {
    const { variables, url } = ownPrefix()
    const data = await copyOfDemo()
    expect(await serveHere(data, variables).catch(String)).toContain(`skilldock storage migrate ${url}`)
    await skilldockHere(data, ['storage', 'migrate', url], variables)
    expect(await serveHere(data, {}).catch(String)).toContain('skilldock storage migrate local')
  })

  test.each([
    ['SKILLDOCK_STORAGE', 'https://example.com', 'must be s3://BUCKET'],
    ['SKILLDOCK_STORAGE', 's3://UPPER', 'must be s3://BUCKET'],
    ['SKILLDOCK_S3_ENDPOINT', 'ftp://127.0.0.1', 'must be an http or https address'],
    ['SKILLDOCK_S3_ENDPOINT', 'http://127.0.0.1/path', 'must be an http or https address'],
    ['AWS_ACCESS_KEY_ID', '', 'set AWS_ACCESS_KEY_ID'],
    ['AWS_SECRET_ACCESS_KEY', '', 'set AWS_SECRET_ACCESS_KEY'],
  ])('%s=%s is invalid', (variable, value, reason) => {
    const environment = { ...ownPrefix().variables, SKILLDOCK_DATA: temporaryFolder(), [variable]: value }
    expect(() => readConfig(environment)).toThrow(reason)
  })

  test.each([
    ['AWS_SECRET_ACCESS_KEY', 'another', '403 SignatureDoesNotMatch'],
    ['SKILLDOCK_STORAGE', 's3://no-such-bucket', 'Create the bucket'],
  ])('%s=%s is refused at start with the reason', async (variable, value, reason) => {
    const { variables } = ownPrefix()
    expect(await serveHere(temporaryFolder(), { ...variables, [variable]: value }).catch(String)).toContain(
      reason,
    )
  })

  test('backup, verify, doctor and rebuild read the bucket', async () => {
    const { variables, url, folder } = ownPrefix()
    const data = await copyOfDemo()
    // A server writes the records that a rebuild needs.
    await (await startHere(data, {})).stop()
    await skilldockHere(data, ['storage', 'migrate', url], variables)
    removeCopies(data)
    const file = join(temporaryFolder(), 'backup.tar')
    expect(await skilldockHere(data, ['backup', file], variables)).toMatchObject({ status: 0 })
    expect(await skilldockHere(data, ['verify', file])).toMatchObject({ status: 0 })
    expect(await skilldockHere(data, ['verify'], variables)).toMatchObject({ status: 0 })
    expect((await skilldockHere(data, ['doctor'], variables)).stdout).not.toContain('missing')

    const releases = approvedIn(data)
    rmSync(dataPaths(data).database)
    expect(await serveHere(data, variables).catch(String)).toContain('rebuild')
    expect(await skilldockHere(data, ['rebuild'], variables)).toMatchObject({ status: 0 })
    expect(approvedIn(data)).toEqual(releases)

    const [lost = ''] = namesIn(join(folder, 'packages'))
    rmSync(join(folder, 'packages', lost))
    const found = await skilldockHere(data, ['verify'], variables)
    expect(found).toMatchObject({ status: 1 })
    expect(found.stdout).toContain(`packages/${lost}`)
    expect((await skilldockHere(data, ['doctor'], variables)).stdout).toContain(lost)
  })
})
