import { readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereEnded } from '../support/client/client-here.ts'
import { startHostileServer } from '../support/client/hostile-server.ts'
import type { HostileServer } from '../support/client/hostile-server.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { folderState } from '../support/server/folder-state.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
/** The registry, through a server that records requests and can falsify responses. */
let proxy: HostileServer
beforeAll(async () => {
  app = await startTestRegistry()
  proxy = await startHostileServer(app)
  await app.release({ name: 'tool', version: '2.0.0' }, 'approved')
  await app.release({ name: 'tool', version: '2.1.0' }, 'approved')
  await app.release({ name: 'abacus' }, 'approved')
  await app.release({ name: 'abacus', version: '1.1.0' })
})
afterAll(async () => {
  await proxy.stop()
  await app.stop()
})
beforeEach(() => proxy.reset())

const skill = (folder: string, ...args: string[]): Promise<HereEnded> =>
  skillHere(args, { folder, env: { SKILL_REGISTRY: proxy.url } })

async function folderWith(...names: string[]): Promise<string> {
  const folder = temporaryFolder()
  const { status, stderr } = await skill(folder, 'install', ...names)
  expect({ status, stderr }).toEqual({ status: exitCodes.done, stderr: '' })
  proxy.reset()
  return folder
}

/** Installs a release of its own, which the test can then revoke. */
let made = 0
async function installOwn(): Promise<{ folder: string; name: string; id: number }> {
  made += 1
  const name = `own-${made}`
  const id = await app.release({ name }, 'approved')
  return { folder: await folderWith(name, 'abacus'), name, id }
}

async function deprecate(name: string, version = '1.0.0'): Promise<void> {
  const reply = await call(`${app.registry}/api/skilldock/skills/${name}/${version}/deprecation`, {
    method: 'POST',
    token: app.developer,
    body: { reason: 'It does not handle quoted fields.', successor: 'tool' },
  })
  expect(reply.status).toBe(200)
}

interface Output {
  skills: ({ name: string; version: string } & Record<string, unknown>)[]
  error: { message: string; code: string; next: string | null }
}

async function json(folder: string, ...args: string[]): Promise<Output & { status: number }> {
  const { status, stdout } = await skill(folder, ...args, '--json')
  return { status, ...(JSON.parse(stdout) as Output) }
}

/** Expects a failure that changes nothing. */
async function refused(folder: string, ...args: string[]): Promise<Output['error'] & { status: number }> {
  const before = await folderState(folder)
  const { status, error } = await json(folder, ...args)
  expect(await folderState(folder)).toEqual(before)
  return { ...error, status }
}

const lockOf = (folder: string): Promise<string> => readFile(join(folder, 'skill-lock.json'), 'utf8')
const moduleOf = (folder: string, name: string): string => join(folder, 'skills', name, 'skill.wasm')

test.each([['list'], ['outdated'], ['update'], ['remove', 'tool'], ['audit']])(
  'skill %s says that there is no lock file',
  async (...args) => {
    expect(await refused(temporaryFolder(), ...args)).toMatchObject({
      status: exitCodes.failed,
      code: 'NO_LOCK',
    })
  },
)

test.each([['outdated'], ['update'], ['remove']])(
  'skill %s says that the lock file does not list a name, and changes nothing',
  async (command) => {
    const folder = await folderWith('tool@2.0.0')
    for (const name of ['abacus', 'constructor', '../evil']) {
      expect(await refused(folder, command, 'tool', name)).toMatchObject({
        status: exitCodes.notFound,
        code: 'NOT_LISTED',
        message: `skill-lock.json does not list ${name}.`,
      })
    }
  },
)

test.each([['outdated'], ['update'], ['audit']])(
  'skill %s names the registry that can not be reached, exits with 6, and changes nothing',
  async (command) => {
    const folder = await folderWith('tool@2.0.0', 'abacus')
    const lock = await lockOf(folder)
    await writeFile(join(folder, 'skill-lock.json'), lock.replace(proxy.url, 'http://127.0.0.1:9'))
    const error = await refused(folder, command)
    expect(error).toMatchObject({
      status: exitCodes.unreachable,
      message: 'No valid response from 127.0.0.1:9: the connection was refused.',
    })
  },
)

test.each([['outdated'], ['audit']])('skill %s sends one request for each skill', async (command) => {
  const folder = await folderWith('tool@2.0.0', 'abacus')
  await skill(folder, command)
  expect(proxy.seen.map(({ path }) => path).toSorted()).toEqual([
    '/api/skilldock/skills/abacus/1.0.0/state',
    '/api/skilldock/skills/tool/2.0.0/state',
  ])
})

describe('skill list', () => {
  test('lists the installed skills without asking the registry', async () => {
    const folder = await folderWith('tool', 'abacus')
    await rm(moduleOf(folder, 'abacus'))
    await writeFile(moduleOf(folder, 'tool'), 'another')
    const { status, stdout } = await skill(folder, 'list')
    expect(status).toBe(exitCodes.done)
    expect(stdout).toBe(
      [
        'NAME    VERSION  MODULE   REGISTRY',
        `abacus  1.0.0    missing  ${proxy.url}`,
        `tool    2.1.0    changed  ${proxy.url}`,
        '',
      ].join('\n'),
    )
    await skill(folder, 'install')
    proxy.reset()
    const { skills } = await json(folder, 'list')
    expect(skills.map(({ state }) => state)).toEqual(['installed', 'installed'])
    expect(proxy.seen).toEqual([])
  })
})

describe('skill outdated', () => {
  test('exits with 1 and shows the latest release where it is another one', async () => {
    const folder = await folderWith('tool@2.0.0', 'abacus')
    const { status, stdout } = await skill(folder, 'outdated')
    expect(status).toBe(exitCodes.failed)
    expect(stdout).toBe('NAME  INSTALLED  LATEST\ntool  2.0.0      2.1.0\nUpdate them with: skill update\n')
    expect((await json(folder, 'outdated')).skills).toMatchObject([
      { name: 'tool', version: '2.0.0', latest: '2.1.0' },
    ])
  })

  test('exits with 0 if all, or those named, are the latest approved release', async () => {
    const folder = await folderWith('tool@2.0.0', 'abacus')
    const { status, stdout } = await skill(folder, 'outdated', 'abacus')
    expect({ status, stdout }).toEqual({
      status: exitCodes.done,
      stdout: '1 skill checked: all are the latest release.\n',
    })
  })

  test('exits with 1 if no release is approved', async () => {
    const { folder, name, id } = await installOwn()
    await app.decide(id, 'revoked')
    expect(await json(folder, 'outdated')).toMatchObject({
      status: exitCodes.failed,
      skills: [{ name, latest: null }],
    })
  })
})

describe('skill update', () => {
  test('installs the latest approved release from the registry of the lock file', async () => {
    const folder = await folderWith('tool@2.0.0', 'abacus')
    const { status, stdout } = await skillHere(['update'], { folder })
    expect(stdout).toBe('✓ abacus 1.0.0 is the latest release\n✓ tool 2.0.0 updated to 2.1.0\n')
    expect(status).toBe(exitCodes.done)
    expect(await lockOf(folder)).toMatch(
      /"tool": \{\n {6}"version": "2\.1\.0"[^}]*"registry": "http:\/\/127\.0\.0\.1/,
    )
    expect(await readFile(join(folder, 'skills/tool/manifest.json'), 'utf8')).toMatch('"version": "2.1.0"')
    expect((await skill(folder, 'install', '--frozen')).status).toBe(exitCodes.done)
  })

  test('updates only the skills that are named', async () => {
    const folder = await folderWith('tool@2.0.0', 'abacus')
    expect(await json(folder, 'update', 'abacus')).toMatchObject({ skills: [{ state: 'unchanged' }] })
    expect(await json(folder, 'update', 'tool')).toMatchObject({
      skills: [{ name: 'tool', from: '2.0.0', version: '2.1.0', state: 'updated' }],
    })
  })

  test('changes neither the lock file nor the module if the download is not the reviewed module', async () => {
    const { folder, name } = await installOwn()
    await app.decide(
      await app.submit({ name, version: '1.1.0' }, app.developer, padModule(app.wasm, 900)),
      'approved',
    )
    proxy.when(new RegExp(`${name}/1.1.0/package$`), (_request, response) => response.end(app.wasm))
    expect(await refused(folder, 'update')).toMatchObject({
      status: exitCodes.mismatch,
      code: 'DIGEST_MISMATCH',
    })
  })

  test('updates the others if one skill has no approved release, and exits with 1', async () => {
    const { folder, name, id } = await installOwn()
    await skill(folder, 'install', 'tool@2.0.0')
    await app.decide(id, 'revoked')
    const { status, stdout } = await skill(folder, 'update')
    expect(status).toBe(exitCodes.failed)
    expect(stdout).toMatch(`✗ ${name} 1.0.0 was not updated: the registry has no approved release of it.`)
    expect(stdout).toMatch('✓ tool 2.0.0 updated to 2.1.0')
  })
})

describe('skill remove', () => {
  test('removes the module, the manifest and the lock entry, and nothing else', async () => {
    const folder = await folderWith('tool', 'abacus')
    const notes = join(folder, 'skills/tool/notes.txt')
    await writeFile(notes, 'mine')
    const { status, stdout } = await skill(folder, 'remove', 'tool')
    expect({ status, stdout }).toEqual({ status: exitCodes.done, stdout: '✓ tool 2.1.0 removed\n' })
    expect(Object.keys(await folderState(folder))).toEqual([
      'skill-lock.json',
      'skills/abacus/manifest.json',
      'skills/abacus/skill.wasm',
      'skills/tool/notes.txt',
    ])
    expect(await lockOf(folder)).not.toMatch('tool')
    await rm(notes)
    await skill(folder, 'remove', 'abacus')
    expect(JSON.parse(await lockOf(folder))).toEqual({
      lockVersion: 1,
      skills: {},
      keys: { [proxy.url]: expect.anything() },
    })
    expect(proxy.seen).toEqual([])
  })

  test('also removes a skill whose module is missing, and leaves no empty folder', async () => {
    const folder = await folderWith('tool')
    await rm(moduleOf(folder, 'tool'))
    expect((await skill(folder, 'remove', 'tool')).status).toBe(exitCodes.done)
    expect(await readdir(folder)).toEqual(['skill-lock.json'])
  })

  test('removes nothing if one of the modules is not the installed one', async () => {
    const folder = await folderWith('tool', 'abacus')
    await writeFile(moduleOf(folder, 'abacus'), 'my own build')
    expect(await refused(folder, 'remove', 'tool', 'abacus')).toMatchObject({
      status: exitCodes.failed,
      code: 'MODULE_CHANGED',
    })
  })

  test('does not follow a symbolic link out of the folder', async () => {
    const folder = await folderWith('tool')
    const elsewhere = await folderWith('tool')
    await rm(join(folder, 'skills'), { recursive: true })
    await symlink(join(elsewhere, 'skills'), join(folder, 'skills'))
    const before = await folderState(elsewhere)
    expect(await json(folder, 'remove', 'tool')).toMatchObject({ error: { code: 'FOLDER_IS_LINK' } })
    expect(await folderState(elsewhere)).toEqual(before)
  })
})

describe('skill audit', () => {
  test('exits with 0 if every locked release is approved, and with 1 with --strict if one is outdated', async () => {
    const folder = await folderWith('tool@2.0.0', 'abacus')
    const { status, stdout } = await skill(folder, 'audit')
    expect(status).toBe(exitCodes.done)
    expect(stdout).toBe(
      [
        '✓ abacus@1.0.0 is approved.',
        '✓ tool@2.0.0 is approved.',
        '  The latest release is 2.1.0.',
        '2 skills checked: 0 must not be run, 0 deprecated, 1 outdated.',
        '',
      ].join('\n'),
    )
    expect((await skill(folder, 'audit', '--strict')).status).toBe(exitCodes.failed)
    await skill(folder, 'update')
    expect((await skill(folder, 'audit', '--strict')).status).toBe(exitCodes.done)
  })

  test('exits with 1 if a locked release was revoked', async () => {
    const { folder, name, id } = await installOwn()
    await app.decide(id, 'revoked')
    const { status, stdout } = await skill(folder, 'audit')
    expect(status).toBe(exitCodes.failed)
    expect(stdout).toMatch(
      `✗ ${name}@1.0.0 was revoked (x_SKILLDOCK-${new Date().getUTCFullYear()}-${id}). Do not run it.\n`,
    )
    expect(await json(folder, 'audit')).toMatchObject({
      skills: [
        { name: 'abacus', verdict: 'approved' },
        { name, verdict: 'revoked', latest: null },
      ],
    })
  })

  test('exits with 1 if the registry does not know a locked release, or has another module for it', async () => {
    const folder = await folderWith('tool', 'abacus')
    const lock = await lockOf(folder)
    await writeFile(
      join(folder, 'skill-lock.json'),
      lock
        .replace('"version": "1.0.0"', '"version": "1.1.0"')
        .replace(/("tool"[^}]*"sha256": ")\w{8}/, '$100000000'),
    )
    const { status, stdout } = await skill(folder, 'audit')
    expect(status).toBe(exitCodes.failed)
    expect(stdout).toMatch(/✗ abacus@1\.1\.0 is not known to 127\.0\.0\.1:\d+\. Do not run it\./)
    expect(stdout).toMatch(/✗ tool@2\.1\.0 at 127\.0\.0\.1:\d+ is a different module than the locked one\./)
  })

  test('shows a deprecation with its successor, and exits with 1 with --strict', async () => {
    const { folder, name } = await installOwn()
    await deprecate(name)
    const { status, stdout } = await skill(folder, 'audit')
    expect(status).toBe(exitCodes.done)
    expect(stdout).toMatch(
      `✓ ${name}@1.0.0 is approved.\n  Deprecated: It does not handle quoted fields. Use tool instead.\n`,
    )
    expect(await json(folder, 'audit', '--strict')).toMatchObject({
      status: exitCodes.failed,
      skills: [{ isDeprecated: false }, { name, isDeprecated: true, deprecation: { successor: 'tool' } }],
    })
  })

  test('cannot combine --strict with --log', async () => {
    expect(await refused(temporaryFolder(), 'audit', '--log', '--strict')).toMatchObject({
      status: exitCodes.usage,
    })
  })
})

test('what a mirror does not have is not reported as missing from the registry', async () => {
  const folder = await folderWith('abacus')
  const mirror = await startTestRegistry()
  try {
    const asked = (...args: string[]): Promise<HereEnded> =>
      skillHere(args, { folder, env: { SKILL_MIRROR: mirror.registry } })
    const { host } = new URL(mirror.registry)
    expect((await asked('install')).stderr).toContain(`which is not available at ${host}.`)
    expect((await asked('audit')).stdout).toContain(`abacus@1.0.0 is not known to ${host}.`)
    expect((await asked('verify')).stderr).toContain(`${host} has no signed approval of abacus@1.0.0`)
  } finally {
    await mirror.stop()
  }
})

describe('a deprecated release', () => {
  const warning = 'Deprecated: It does not handle quoted fields. Use tool instead.'

  test('is installed, restored and updated to, with a warning', async () => {
    const { folder, name } = await installOwn()
    await deprecate(name)
    const installed = `✓ ${name} 1.0.0 is up to date\n  ${warning}\n`
    expect((await skill(folder, 'install', name)).stdout).toMatch(installed)
    expect((await skill(folder, 'install', '--frozen')).stdout).toMatch(installed)
    expect((await skill(folder, 'update', name)).stdout).toMatch(warning)
    await app.release({ name, version: '1.1.0' }, 'approved')
    await deprecate(name, '1.1.0')
    const { status, stdout } = await skill(folder, 'update', name)
    expect({ status, stdout }).toEqual({
      status: exitCodes.done,
      stdout: `✓ ${name} 1.0.0 updated to 1.1.0\n  ${warning}\n`,
    })
  })

  test('is shown as such by skill info', async () => {
    const { folder, name } = await installOwn()
    expect((await skill(folder, 'info', name)).stdout).not.toMatch('Deprecated')
    await deprecate(name)
    expect((await skill(folder, 'info', name)).stdout).toMatch(`${name} 1.0.0\n${warning}\n`)
  })

  test('can be installed even if the registry does not say whether it is deprecated', async () => {
    proxy.when(/\/state$/, (_request, response) => response.destroy())
    expect((await skill(temporaryFolder(), 'install', 'tool')).status).toBe(exitCodes.done)
  })
})

describe('skill whoami', () => {
  const whoami = (token: string, ...args: string[]): Promise<HereEnded> =>
    skillHere(['whoami', ...args], { env: { SKILL_REGISTRY: app.registry, SKILL_TOKEN: token } })

  test('shows the person, the role, and the rights and expiry of the token', async () => {
    const { status, stdout } = await whoami(app.developer)
    expect(status).toBe(exitCodes.done)
    expect(stdout).toMatch(
      /^Signed in to 127\.0\.0\.1:\d+ as Alice \(alice\), developer\.\nThe token has all of your permissions and expires on \d{4}-\d\d-\d\d\.\n$/,
    )
    expect(JSON.parse((await whoami(app.administrator, '--json')).stdout)).toMatchObject({
      registry: app.registry,
      person: { subject: 'rita', role: 'administrator' },
      scope: null,
    })
  })

  test('exits with 3 without a token, or with one that is not accepted', async () => {
    const without = await skillHere(['whoami'], { env: { SKILL_REGISTRY: app.registry } })
    expect(without.stderr).toMatch(/You are not signed in to/)
    expect(without.status).toBe(exitCodes.notAllowed)
    expect((await whoami(`${app.developer}x`)).status).toBe(exitCodes.notAllowed)
  })
})
