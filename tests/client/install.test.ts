import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import type { RegistryVersion } from '../../src/shared/contracts/releases.ts'
import { formatInteger } from '../../src/shared/text.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { currentAttestationKey } from '../support/client/attestation-key.ts'
import { cleanUpClients, runClient, startClient } from '../support/client/client.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { startRelay } from '../support/server/relay.ts'
import { folderState } from '../support/server/folder-state.ts'
import { answerWith, changeJson, startHostileServer } from '../support/client/hostile-server.ts'
import type { HostileServer } from '../support/client/hostile-server.ts'
import { manifest } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
/** The registry, through a server that can falsify responses. */
let proxy: HostileServer
let bigModule: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  app = await startTestRegistry()
  proxy = await startHostileServer(app)
  bigModule = padModule(app.wasm, 300_000)
  await app.release({ name: 'tool', version: '1.0.0' }, 'approved')
  await app.decide(await app.submit({ name: 'tool', version: '2.0.0' }, app.developer, bigModule), 'approved')
  await app.release({ name: 'abacus' }, 'approved')
  await app.release({ name: 'abacus', version: '1.1.0' })
})
afterAll(async () => {
  await proxy.stop()
  await app.stop()
  await cleanUpClients()
})
beforeEach(() => proxy.reset())

const skill = (folder: string, ...args: string[]): Promise<HereEnded> =>
  skillHere(args, { folder, env: { SKILL_REGISTRY: proxy.url } })

interface ErrorOutput {
  error: { message: string; code: string; exitCode: number; next: string | null }
}

/** Expects a failure that changes nothing. */
async function refused(folder: string, ...args: string[]): Promise<ErrorOutput['error']> {
  const before = await folderState(folder)
  const { status, stdout } = await skill(folder, ...args, '--json')
  expect(await folderState(folder)).toEqual(before)
  const { error } = JSON.parse(stdout) as ErrorOutput
  expect(error.exitCode).toBe(status)
  return error
}

/** A folder with these skills installed. */
async function folderWith(...names: string[]): Promise<string> {
  const folder = temporaryFolder()
  const { status, stderr } = await skill(folder, 'install', ...names)
  expect(stderr).toBe('')
  expect(status).toBe(exitCodes.done)
  return folder
}

const lockOf = (folder: string): Promise<string> => readFile(join(folder, 'skill-lock.json'), 'utf8')
const moduleOf = (folder: string, name = 'tool'): string => join(folder, 'skills', name, 'skill.wasm')
const manifestOf = (folder: string, name = 'tool'): string => join(folder, 'skills', name, 'manifest.json')
const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

describe('skill install NAME', () => {
  test('writes the module, the manifest and a sorted lock file, and nothing else', async () => {
    const folder = await folderWith('tool', 'abacus')
    const locked = (version: string, bytes: Uint8Array): object => ({
      version,
      sha256: digest(bytes),
      size: bytes.length,
      registry: proxy.url,
    })
    expect(Object.keys(await folderState(folder))).toEqual([
      'skill-lock.json',
      'skills/abacus/manifest.json',
      'skills/abacus/skill.wasm',
      'skills/tool/manifest.json',
      'skills/tool/skill.wasm',
    ])
    expect(await lockOf(folder)).toBe(
      `${JSON.stringify(
        {
          lockVersion: 1,
          skills: { abacus: locked('1.0.0', app.wasm), tool: locked('2.0.0', bigModule) },
          keys: { [proxy.url]: await currentAttestationKey(app.registry) },
        },
        null,
        2,
      )}\n`,
    )
    expect(new Uint8Array(await readFile(moduleOf(folder)))).toEqual(bigModule)
    expect(JSON.parse(await readFile(manifestOf(folder), 'utf8'))).toEqual(
      manifest({ name: 'tool', version: '2.0.0' }),
    )
  })

  test('installs the given version, and upgrades to the latest', async () => {
    const folder = await folderWith('tool@1.0.0')
    expect(await lockOf(folder)).toMatch('"version": "1.0.0"')
    const { stdout } = await skill(folder, 'install', 'tool')
    expect(stdout).toBe('✓ tool 2.0.0 installed\nRun it with: skill run tool\n')
    expect(await lockOf(folder)).toMatch('"version": "2.0.0"')
    expect(new Uint8Array(await readFile(moduleOf(folder)))).toEqual(bigModule)
  })

  test('downloads nothing that is already installed', async () => {
    const folder = await folderWith('tool')
    const before = await folderState(folder)
    proxy.reset()
    expect((await skill(folder, 'install', 'tool')).stdout).toMatch('✓ tool 2.0.0 is up to date')
    expect(await folderState(folder)).toEqual(before)
    expect(proxy.seen.filter(({ path }) => path.endsWith('/package')).map(({ headers }) => headers)).toEqual([
      expect.objectContaining({ 'if-none-match': `"sha256-${digest(bigModule)}"` }),
    ])
  })

  test('uses the lock file of a parent folder', async () => {
    const folder = await folderWith('abacus')
    const below = join(folder, 'src', 'deep')
    await mkdir(below, { recursive: true })
    expect((await skill(below, 'install', 'tool')).status).toBe(exitCodes.done)
    expect(Object.keys(await folderState(folder))).toContain(join('skills', 'tool', 'skill.wasm'))
    expect(await folderState(below)).toEqual({})
  })

  test('keeps a skill that was installed before one that could not be found', async () => {
    const folder = temporaryFolder()
    const { status } = await skill(folder, 'install', 'tool', 'no-such-skill')
    expect(status).toBe(exitCodes.notFound)
    expect(await lockOf(folder)).toMatch('"tool"')
    expect((await skill(folder, 'install', '--frozen')).status).toBe(exitCodes.done)
  })

  test.each([['abacus@1.1.0'], ['abacus@9.9.9'], ['no-such-skill']])(
    'cannot install %s, which is not approved',
    async (name) => {
      expect(await refused(temporaryFolder(), 'install', name)).toMatchObject({
        exitCode: exitCodes.notFound,
        code: 'NOT_FOUND',
      })
    },
  )

  test.each([['../evil'], ['Tool'], ['tool@1'], ['tool@1.0.0@2'], ['']])(
    'sends no request for "%s", which is not a valid name',
    async (name) => {
      expect(await refused(temporaryFolder(), 'install', name)).toMatchObject({ exitCode: exitCodes.usage })
      expect(proxy.seen).toEqual([])
    },
  )

  test('reports that a version no longer has the locked bytes', async () => {
    const folder = await folderWith('tool@1.0.0')
    proxy.when(
      /\/tool\/1\.0\.0$/,
      changeJson(app.registry, (release: RegistryVersion) => ({ ...release, sha256: digest(bigModule) })),
    )
    for (const args of [['install', 'tool@1.0.0'], ['install'], ['install', '--frozen']]) {
      expect(await refused(folder, ...args)).toMatchObject({
        exitCode: exitCodes.mismatch,
        code: 'DIGEST_MISMATCH',
        message: expect.stringMatching('A release must never change'),
        next: "It was not installed. Contact the registry's administrator.",
      })
    }
  })

  test('names what differs if only the locked size does', async () => {
    const folder = await folderWith('tool@1.0.0')
    const file = join(folder, 'skill-lock.json')
    const text = await readFile(file, 'utf8')
    const { size } = (JSON.parse(text) as { skills: { tool: { size: number } } }).skills.tool
    await writeFile(file, text.replace(`"size": ${size}`, `"size": ${size + 1}`))
    const { message } = await refused(folder, 'install')
    expect(message).toContain(`${formatInteger(size)} bytes`)
    expect(message).toContain(`${formatInteger(size + 1)} bytes`)
  })
})

describe('skill install', () => {
  test('restores exactly the locked version, even if there is a newer one', async () => {
    const folder = await folderWith('tool@1.0.0', 'abacus')
    const before = await folderState(folder)
    await rm(join(folder, 'skills'), { recursive: true })
    const { status, stdout } = await skill(folder, 'install')
    expect(status).toBe(exitCodes.done)
    expect(stdout).toBe('✓ abacus 1.0.0 restored\n✓ tool 1.0.0 restored\n')
    expect(await folderState(folder)).toEqual(before)
  })

  test.each<[string, (folder: string) => Promise<void>]>([
    ['a changed module', (folder) => writeFile(moduleOf(folder), 'other')],
    ['a missing manifest', (folder) => rm(manifestOf(folder))],
    ['a changed manifest', (folder) => writeFile(manifestOf(folder), '{}')],
  ])('restores %s', async (_what, damage) => {
    const folder = await folderWith('tool')
    const before = await folderState(folder)
    await damage(folder)
    expect((await skill(folder, 'install')).stdout).toBe('✓ tool 2.0.0 restored\n')
    expect(await folderState(folder)).toEqual(before)
  })

  test('transfers a module only if it is not there, and again if it is damaged', async () => {
    const relay = await startRelay(app.registry)
    const folder = temporaryFolder()
    /** The bytes that the registry sends during an install, and its output. */
    const install = async (...args: string[]): Promise<[sent: number, stdout: string]> => {
      const before = relay.sent()
      const env = { SKILL_REGISTRY: relay.url }
      const { stdout } = await skillHere(['install', ...args], { folder, env })
      return [relay.sent() - before, stdout]
    }
    const whole = [expect.closeTo(bigModule.length, -4), '✓ tool 2.0.0 restored\n']
    expect((await install('tool'))[0]).toBeGreaterThan(bigModule.length)
    for (const args of [[], ['--frozen']]) {
      const [sent, stdout] = await install(...args)
      expect(stdout).toBe('✓ tool 2.0.0 is up to date\n')
      // The release and two heads.
      expect(sent).toBeLessThan(4000)
    }
    const bytes = await readFile(moduleOf(folder))
    bytes[1000] = (bytes[1000] ?? 0) ^ 1
    await writeFile(moduleOf(folder), bytes)
    expect(await install()).toEqual(whole)
    await rm(moduleOf(folder))
    expect(await install('--frozen')).toEqual(whole)
    expect(new Uint8Array(await readFile(moduleOf(folder)))).toEqual(bigModule)
    await relay.stop()
  })

  test('verifies the module that a registry sends although it is there', async () => {
    const folder = await folderWith('tool')
    proxy.when(/\/package$/, answerWith(200, bigModule.subarray(0, -1)))
    expect(await refused(folder, 'install')).toMatchObject({ code: 'DIGEST_MISMATCH' })
    proxy.when(/\/package$/, answerWith(200, bigModule))
    expect((await skill(folder, 'install')).stdout).toBe('✓ tool 2.0.0 is up to date\n')
  })

  test('takes no 304 for a module that is not there', async () => {
    const folder = await folderWith('tool')
    await rm(moduleOf(folder))
    proxy.when(/\/package$/, answerWith(304, ''))
    expect(await refused(folder, 'install')).toMatchObject({ code: 'REDIRECT' })
  })

  test('uses the registry in the lock file, whichever one is configured', async () => {
    const folder = await folderWith('tool')
    const { status } = await skillHere(['install'], { folder, env: { SKILL_REGISTRY: 'http://127.0.0.1:9' } })
    expect(status).toBe(exitCodes.done)
  })

  test('needs a lock file', async () => {
    expect(await refused(temporaryFolder(), 'install')).toMatchObject({
      exitCode: exitCodes.failed,
      code: 'NO_LOCK',
      next: 'To create one, install a skill by name: skill install NAME',
    })
  })

  test.each<[string, string]>([
    ['is truncated', '{"lockVersion":1,"skil'],
    ['has another lockVersion', '{"lockVersion":2,"skills":{}}'],
    ['contains an invalid name', '{"lockVersion":1,"skills":{"../x":{}}}'],
    ['has an unknown field', '{"lockVersion":1,"skills":{},"more":1}'],
    ['is empty', ''],
  ])('rejects a lock file that %s', async (_how, text) => {
    const folder = temporaryFolder()
    await writeFile(join(folder, 'skill-lock.json'), text)
    for (const args of [['install'], ['install', 'tool'], ['install', '--frozen']]) {
      expect(await refused(folder, ...args)).toMatchObject({
        exitCode: exitCodes.failed,
        code: 'LOCK_DAMAGED',
        message: `${join(folder, 'skill-lock.json')} is not a valid lock file.`,
        next: expect.stringMatching(
          /^Restore it from version control, or update skill if a newer version wrote it/,
        ),
      })
    }
    expect(proxy.seen).toEqual([])
  })

  test('refuses a revoked release, even if its bytes are still there', async () => {
    const id = await app.release({ name: 'withdrawn' }, 'approved')
    const folder = await folderWith('withdrawn')
    await app.decide(id, 'revoked')
    for (const args of [['install'], ['install', '--frozen']]) {
      expect(await refused(folder, ...args)).toMatchObject({
        exitCode: exitCodes.notFound,
        code: 'WITHDRAWN',
        message: expect.stringMatching(
          /^skill-lock\.json lists withdrawn@1\.0\.0, which is not available at .*\.$/,
        ),
        next: expect.stringMatching('It may have been revoked, so do not run it.'),
      })
    }
    expect(await refused(folder, 'install', 'withdrawn')).toMatchObject({ exitCode: exitCodes.notFound })
  })
})

describe('skill install --frozen', () => {
  test('installs what is missing, and leaves the lock file alone', async () => {
    const folder = await folderWith('tool')
    const before = await folderState(folder)
    const { mtimeMs } = await stat(join(folder, 'skill-lock.json'))
    await rm(join(folder, 'skills'), { recursive: true })
    expect((await skill(folder, 'install', '--frozen')).status).toBe(exitCodes.done)
    expect((await skill(folder, 'install', 'tool', '--frozen')).status).toBe(exitCodes.done)
    expect((await skill(folder, 'install', 'tool@2.0.0', '--frozen')).status).toBe(exitCodes.done)
    expect(await folderState(folder)).toEqual(before)
    expect((await stat(join(folder, 'skill-lock.json'))).mtimeMs).toBe(mtimeMs)
  })

  test.each<[string, (folder: string) => Promise<void>, string[], string]>([
    [
      'a changed module',
      (folder) => writeFile(moduleOf(folder), 'other'),
      [],
      'skills/tool does not match it',
    ],
    [
      'a changed manifest',
      (folder) => writeFile(manifestOf(folder), '{}'),
      [],
      'skills/tool/manifest.json does not match tool@2.0.0',
    ],
    ['a skill that is not locked', async () => {}, ['abacus'], 'it does not list abacus'],
    ['a version other than the locked one', async () => {}, ['tool@1.0.0'], 'it lists tool 2.0.0, not 1.0.0'],
  ])('refuses %s', async (_what, change, args, reason) => {
    const folder = await folderWith('tool')
    await change(folder)
    expect(await refused(folder, 'install', ...args, '--frozen')).toMatchObject({
      exitCode: exitCodes.failed,
      code: 'DRIFT',
      message: `skill-lock.json is frozen, but ${reason}.`,
    })
  })

  test('needs a lock file', async () => {
    expect(await refused(temporaryFolder(), 'install', 'tool', '--frozen')).toMatchObject({ code: 'NO_LOCK' })
  })
})

describe('in one folder', () => {
  const client = { SKILL_REGISTRY: '' }
  beforeAll(() => (client.SKILL_REGISTRY = proxy.url))

  test('two installs at once wait for each other, and the lock file has both', async () => {
    const folder = temporaryFolder()
    const ended = await Promise.all(
      ['tool', 'abacus', 'tool@1.0.0'].map((name) =>
        runClient(['install', name], { cwd: folder, env: client }),
      ),
    )
    expect(ended.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      Array.from({ length: 3 }, () => ({ status: 0, stderr: '' })),
    )
    expect(Object.keys(JSON.parse(await lockOf(folder)).skills as object)).toEqual(['abacus', 'tool'])
    expect((await skill(folder, 'install', '--frozen')).status).toBe(exitCodes.done)
    expect(Object.keys(await folderState(folder))).toHaveLength(5)
  })

  test('an install that was killed does not block the next one, which cleans up after it', async () => {
    const folder = await folderWith('tool@1.0.0')
    const before = await folderState(folder)
    proxy.reset()
    proxy.when(/\/package$/, (_request, response) => {
      response.writeHead(200, { 'content-length': bigModule.length })
      response.write(bigModule.subarray(0, 1000))
    })
    const started = startClient(['install', 'tool'], { cwd: folder, env: client })
    await until('it downloads', () => proxy.seen.some(({ path }) => path.endsWith('/package')))
    started.child.kill('SIGKILL')
    await started.ended
    const left = await folderState(folder)
    expect(left).toEqual({ ...before, 'skill-lock.json.busy': String(started.child.pid) })
    // Files that a crash between writing and renaming leaves behind.
    await writeFile(`${moduleOf(folder)}.new`, 'half')
    await writeFile(`${manifestOf(folder)}.new`, 'half')
    await writeFile(join(folder, 'skill-lock.json.new'), '{')
    proxy.reset()
    expect((await skill(folder, 'install', 'tool')).status).toBe(exitCodes.done)
    expect(Object.keys(await folderState(folder))).toEqual([
      'skill-lock.json',
      'skills/tool/manifest.json',
      'skills/tool/skill.wasm',
    ])
  })

  test('an install waits until another one in the same folder is done', async () => {
    const folder = await folderWith('abacus')
    const note = join(folder, 'skill-lock.json.busy')
    await writeFile(note, String(process.pid))
    const ended = skill(folder, 'install', 'tool')
    // Runs to completion while the other one waits.
    await folderWith('abacus')
    expect(proxy.seen.some(({ path }) => path.includes('tool'))).toBe(false)
    await rm(note)
    expect((await ended).status).toBe(exitCodes.done)
  })

  test('the lock of a process that has exited is ignored, even by several installs at once', async () => {
    const folder = temporaryFolder()
    const { pid } = spawnSync(process.execPath, ['--version'])
    await writeFile(join(folder, 'skill-lock.json.busy'), String(pid))
    const ended = await Promise.all(['tool', 'abacus'].map((name) => skill(folder, 'install', name)))
    expect(ended.map(({ status }) => status)).toEqual([0, 0])
    expect(Object.keys(await folderState(folder))).toHaveLength(5)
  })
})
