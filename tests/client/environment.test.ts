import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../../src/client/exit-codes.ts'
import { askHidden } from '../../src/client/sign-in/hidden-prompt.ts'
import { createTerminal } from '../../src/client/terminal/terminal.ts'
import { cleanUpClients, clientEnvironment, clientFile, runClient } from '../support/client/client.ts'
import { skillHere } from '../support/client/client-here.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { startHostileServer } from '../support/client/hostile-server.ts'
import type { HostileServer } from '../support/client/hostile-server.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
let proxy: HostileServer
let env: Record<string, string>
beforeAll(async () => {
  app = await startTestRegistry()
  proxy = await startHostileServer(app)
  env = { SKILL_REGISTRY: proxy.url }
  await app.release({ name: 'tool', version: '1.0.0' }, 'approved')
})
afterEach(() => proxy.reset())
afterAll(async () => {
  await proxy.stop()
  await app.stop()
  await cleanUpClients()
})

describe('SKILL_TOKEN', () => {
  test.each([
    ['two lines', 'one\ntwo'],
    ['two words', 'one two'],
    ['non-ASCII letters', 'tokĀn'],
  ])('with %s is rejected, and sent nowhere', async (_case, token) => {
    const { status, stdout, stderr } = await skillHere(['mine'], { env: { ...env, SKILL_TOKEN: token } })
    expect({ status, stdout }).toEqual({ status: exitCodes.usage, stdout: '' })
    expect(stderr).toMatch(/^skill: The value of SKILL_TOKEN is not a token\.\n/)
    expect(stderr).not.toContain(token)
    expect(proxy.seen).toEqual([])
  })

  test('is not used for public endpoints', async () => {
    const { status } = await skillHere(['search'], { env: { ...env, SKILL_TOKEN: 'no token' } })
    expect(status).toBe(exitCodes.done)
    expect(proxy.seen.map(({ headers }) => headers.authorization)).toEqual([undefined])
  })
})

test('the terminal hides input from before the prompt until after the answer', async () => {
  const seen: string[] = []
  const setRawMode = (isRaw: boolean): void => void seen.push(isRaw ? 'hidden' : 'shown')
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode })
  const terminal = {
    ...createTerminal(new PassThrough(), 'never'),
    status: (text: string) => void seen.push(text),
  }
  const answer = askHidden({ stdin, terminal, signal: new AbortController().signal }, 'Token:')
  stdin.write('secret\r')
  expect(await answer).toBe('secret')
  expect(seen).toEqual(['hidden', 'Token:', 'shown', ''])
})

describe('the token file', () => {
  const withFile = (write: (file: string) => void): string => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'skill'), { recursive: true })
    write(join(folder, 'skill/credentials.json'))
    return folder
  }

  test.each<[string, (file: string) => void, RegExp]>([
    ['is damaged', (file) => writeFileSync(file, '{', { mode: 0o600 }), /credentials\.json is damaged\./],
    ['is a folder', (file) => mkdirSync(file, { mode: 0o700 }), /\/credentials\.json is a folder\./],
    [
      'can be read by others',
      (file) => {
        writeFileSync(file, '{"version":1,"registries":{}}')
        chmodSync(file, 0o644)
      },
      /Other users of this computer can read /,
    ],
  ])('that %s stops commands that need a token, but no others', async (_case, write, message) => {
    const folder = withFile(write)
    const { status, stderr } = await skillHere(['mine'], { folder, env })
    expect([exitCodes.failed, exitCodes.notAllowed]).toContain(status)
    expect(stderr).toMatch(message)
    expect((await skillHere(['search'], { folder, env })).status).toBe(exitCodes.done)
    const given = { ...env, SKILL_TOKEN: app.developer }
    expect((await skillHere(['mine'], { folder, env: given })).status).toBe(exitCodes.done)
  })

  test('contains both tokens after simultaneous sign-ins at two registries', async () => {
    const home = temporaryFolder()
    const other = await startHostileServer(app)
    const addresses = [proxy.url, other.url]
    const logins = await Promise.all(
      addresses.map((registry) =>
        runClient(['login', '--token-stdin', '--registry', registry], { home, stdin: app.developer }),
      ),
    )
    await other.stop()
    expect(logins.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      addresses.map(() => ({ status: 0, stderr: '' })),
    )
    const folder = join(home, '.config/skill')
    const { registries } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8')) as {
      registries: object
    }
    expect(Object.keys(registries).toSorted()).toEqual(addresses.toSorted())
    expect(readdirSync(folder)).toEqual(['credentials.json'])
  })
})

describe('without a home folder', () => {
  const noHome = { HOME: '', USERPROFILE: '', XDG_CONFIG_HOME: '', APPDATA: '' }

  test('commands without a token work, and so does SKILL_TOKEN', async () => {
    const given = { ...env, ...noHome }
    expect((await runClient(['search'], { env: given })).status).toBe(exitCodes.done)
    expect((await runClient(['mine'], { env: given })).stderr).toMatch(/^skill: You are not signed in to /)
    const { status } = await runClient(['mine'], { env: { ...given, SKILL_TOKEN: app.developer } })
    expect(status).toBe(exitCodes.done)
  })

  test('signing in is refused, because the token could not be saved', async () => {
    const cwd = temporaryFolder()
    const args = ['login', '--token-stdin']
    const ended = await runClient(args, { cwd, env: { ...env, ...noHome }, stdin: app.developer })
    expect(ended.status).toBe(exitCodes.failed)
    expect(ended.stderr).toBe(
      'skill: There is no home folder to save a token in.\n' +
        'Set HOME, or pass the token in SKILL_TOKEN.\n',
    )
    expect(readdirSync(cwd)).toEqual([])
    expect(proxy.seen).toEqual([])
  })
})

test.skipIf(process.platform === 'win32')(
  'a removed working directory is reported by commands that need it',
  () => {
    const inRemoved = (...args: string[]) => {
      const cwd = temporaryFolder()
      return spawnSync(
        'sh',
        ['-c', 'rmdir "$PWD" && exec "$0" "$@"', process.execPath, clientFile, ...args],
        {
          cwd,
          env: clientEnvironment(cwd, env),
          encoding: 'utf8',
        },
      )
    }
    expect(inRemoved('--help').status).toBe(exitCodes.done)
    const { status, stdout } = inRemoved('install', 'tool', '--json')
    expect(status).toBe(exitCodes.failed)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'NO_FOLDER', next: 'Change to another folder and try again.' },
    })
  },
)

describe('a folder that is a link', () => {
  test.each(['skills', 'skills/tool'])('%s is not followed out of the project', async (link) => {
    const folder = temporaryFolder()
    expect((await skillHere(['install', 'tool'], { folder, env })).status).toBe(exitCodes.done)
    const project = temporaryFolder()
    const elsewhere = temporaryFolder()
    writeFileSync(join(elsewhere, 'manifest.json'), 'mine')
    writeFileSync(join(project, 'skill-lock.json'), readFileSync(join(folder, 'skill-lock.json')))
    mkdirSync(join(project, link, '..'), { recursive: true })
    symlinkSync(elsewhere, join(project, link))
    const { status, stderr } = await skillHere(['install'], { folder: project, env })
    expect(status).toBe(exitCodes.failed)
    expect(stderr).toBe(
      `skill: ${join(project, link)} is a symbolic link, so nothing was written to it.\n` +
        'Remove the link, then install again.\n',
    )
    expect(readdirSync(elsewhere)).toEqual(['manifest.json'])
    expect(readFileSync(join(elsewhere, 'manifest.json'), 'utf8')).toBe('mine')
  })
})

test('a skill may be named like a property of every object', async () => {
  const folder = temporaryFolder()
  await skillHere(['install', 'tool'], { folder, env })
  const run = await skillHere(['run', 'constructor'], { folder, env })
  expect(run.stderr).toMatch(/^skill: constructor is not installed: /)
  const frozen = await skillHere(['install', '--frozen', 'constructor'], { folder, env })
  expect(frozen.stderr).toMatch(/^skill: skill-lock\.json is frozen, but it does not list constructor\.\n/)
  expect((await skillHere(['constructor'], { folder, env })).stderr).toMatch(/Unknown command/)
})

test('a lock file without skills is reported', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'skill-lock.json'), '{"lockVersion":1,"skills":{}}')
  const { status, stdout } = await skillHere(['install'], { folder, env })
  expect({ status, stdout }).toEqual({
    status: exitCodes.done,
    stdout: 'skill-lock.json lists no skills. Add one with: skill install NAME\n',
  })
})

test('the hint to sign in names the registry given with --registry', async () => {
  const { stderr } = await skillHere(['mine', '--registry', proxy.url], { env })
  expect(stderr).toMatch(`\nSign in with: skill login --registry ${proxy.url}\n`)
})

test.each(['not-there', 'not-there@1.0.0'])(
  'the missing release %s is reported with a hint to search with this program',
  async (release) => {
    const { status, stderr } = await skillHere(['info', release], { env })
    expect(status).toBe(exitCodes.notFound)
    expect(stderr).toBe(
      `skill: There is no approved release of ${release} at ${new URL(proxy.url).host}.\n` +
        'Search for it with: skill search\n',
    )
  },
)

test('a response that is nested too deeply is rejected', async () => {
  const deep = '['.repeat(500_000) + ']'.repeat(500_000)
  proxy.when(/skills/, (_request, response) => void response.end(`{"items":${deep},"more":${deep}}`))
  const { status, stderr } = await skillHere(['search'], { env })
  expect(status).toBe(exitCodes.mismatch)
  expect(stderr).toMatch(/ sent a response that is not in the format of a registry\.\n/)
})

describe.skipIf(!existsSync('/dev/full'))('a full disk', () => {
  const toFullDisk = (redirection: string, ...args: string[]) =>
    spawnSync('sh', ['-c', `"$0" "$@" ${redirection}`, process.execPath, clientFile, ...args], {
      env: clientEnvironment(temporaryFolder(), env),
      encoding: 'utf8',
    })

  test.each([['--help'], ['--json']])('is reported if output cannot be written, with %s', (arg) => {
    const { status, stderr } = toFullDisk('>/dev/full', arg)
    expect({ status, stderr }).toEqual({
      status: exitCodes.failed,
      stderr: 'skill: Standard output cannot be written: the disk is full.\n',
    })
  })

  test('leaves no partial new project', () => {
    const cwd = temporaryFolder()
    const args = ['-c', 'ulimit -f 4; exec "$0" "$@"', process.execPath, clientFile]
    const { status, stderr } = spawnSync('sh', [...args, 'init', 'new-one', '--language', 'c'], {
      cwd,
      env: clientEnvironment(cwd, env),
      encoding: 'utf8',
    })
    expect(status).toBe(exitCodes.failed)
    expect(stderr).toMatch(/^skill: \S+new-one\/\S+ cannot be written: the file is too large\.\n$/)
    expect(readdirSync(cwd)).toEqual([])
  })

  test('does not change the exit code if only a message cannot be written', () => {
    expect(toFullDisk('2>/dev/full', 'no-such-command').status).toBe(exitCodes.usage)
  })
})
