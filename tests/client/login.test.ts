import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clientName } from '../../src/client/sign-in/confirm-in-desk.ts'
import { isConfirmPage } from '../../src/client/sign-in/open-page.ts'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { loginClientSchema } from '../../src/shared/contracts/logins.ts'
import {
  cleanUpClients,
  clientEnvironment,
  clientFile,
  oldestNode,
  startClient,
} from '../support/client/client.ts'
import type { StartedClient } from '../support/client/client.ts'
import { skillHere } from '../support/client/client-here.ts'
import type { HereOptions } from '../support/client/client-here.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { passOn, refuseWith, startHostileServer } from '../support/client/hostile-server.ts'
import type { HostileServer } from '../support/client/hostile-server.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
let alice: DeskClient
let proxy: HostileServer
beforeAll(async () => {
  app = await startTestRegistry()
  alice = await signIn(app, 'alice')
  proxy = await startHostileServer({ registry: app.registry })
})
afterEach(() => proxy.reset())
afterAll(async () => {
  await proxy?.stop()
  await app?.stop()
  await cleanUpClients()
})

const fileOf = (home: string): string => join(home, '.config/skill/credentials.json')
interface SavedLogins {
  registries: Record<string, { token: string; person: string; expiresAt: string }>
}
const savedLogin = (home: string, registry = app.registry): SavedLogins['registries'][string] | undefined =>
  existsSync(fileOf(home))
    ? (JSON.parse(readFileSync(fileOf(home), 'utf8')) as SavedLogins).registries[registry]
    : undefined
const statusOf = async (token: string): Promise<number> => (await call(`${app.api}/mine`, { token })).status
const login = (home: string, args: string[] = [], registry = app.registry): StartedClient =>
  startClient(['login', ...args, '--registry', registry], { home })
/** Runs `skill` in this process, for this person. */
const runHere = (
  home: string,
  args: string[],
  { registry = app.registry, env, ...options }: HereOptions & { registry?: string } = {},
) =>
  skillHere([...args, '--registry', registry], {
    folder: home,
    env: { XDG_CONFIG_HOME: join(home, '.config'), ...env },
    ...options,
  })
const codeOf = ({ output }: StartedClient): Promise<string> =>
  until('the code is shown', () => /^ {2}([A-Z]{4}-[A-Z]{4})$/m.exec(output.stderr)?.[1])
const decide = async (code: string, decision: 'confirm' | 'refuse', desk = alice): Promise<void> => {
  const { status } = await desk.send('POST', `/logins/${code}/${decision}`)
  expect(status).toBe(200)
}
const tokensOf = (subject: string) => withPeople((people) => people.listTokens(subject), app.folder)

// These tests spend most of their time waiting for the next poll.
describe.concurrent('a confirmation in the desk', () => {
  test('signs in: the token is saved for this registry, readable by its owner only, and sent where it is needed', async () => {
    const home = temporaryFolder()
    const started = login(home)
    const code = await codeOf(started)
    const page = `${app.dashboard}/desk/confirm#${code}`
    await until('the address is shown', () => started.output.stderr.includes(page))
    const { body } = await alice.get<{ client: string }>(`/logins/${code}`)
    expect(body.client).toBe(clientName(hostname()))
    await decide(code, 'confirm')
    const { status, stdout, stderr } = await started.ended
    expect(status).toBe(0)
    expect(stdout).toContain(`Signed in to ${new URL(app.registry).host} as Alice.`)
    expect(stdout).toContain('The token can publish and expires on 20')
    const credential = savedLogin(home)
    expect(credential).toMatchObject({ person: 'Alice' })
    expect(stdout + stderr).not.toContain(credential?.token)
    expect(await statusOf(credential?.token ?? '')).toBe(200)
    if (process.platform !== 'win32') {
      expect(statSync(fileOf(home)).mode & 0o777).toBe(0o600)
      expect(statSync(join(home, '.config/skill')).mode & 0o777).toBe(0o700)
    }
    expect(await runHere(home, ['mine'])).toMatchObject({ status: 0 })
  })

  test('prints one JSON document without the token, and the code on standard error', async () => {
    const home = temporaryFolder()
    const started = login(home, ['--json'])
    await decide(await codeOf(started), 'confirm')
    const { status, stdout } = await started.ended
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      registry: app.registry,
      person: { subject: 'alice', name: 'Alice' },
      scope: 'publish',
      expiresAt: savedLogin(home)?.expiresAt,
      credentials: fileOf(home),
    })
  })

  test('signs in with the oldest Node', async () => {
    const home = temporaryFolder()
    const started = startClient(['login', '--registry', app.registry], { home, node: oldestNode })
    await decide(await codeOf(started), 'confirm')
    expect(await started.ended).toMatchObject({ status: 0 })
    expect(savedLogin(home)).toBeDefined()
  })

  test('that is denied saves nothing and exits with 3', async () => {
    const home = temporaryFolder()
    const started = login(home)
    await decide(await codeOf(started), 'refuse')
    const { status, stderr } = await started.ended
    expect(status).toBe(3)
    expect(stderr).toContain('The sign-in was denied in the desk.')
    expect(savedLogin(home)).toBeUndefined()
  })

  test('revokes the token if it cannot be saved', async () => {
    const home = temporaryFolder()
    const started = login(home)
    const code = await codeOf(started)
    // A file in place of the folder.
    writeFileSync(join(home, '.config'), '')
    const before = await tokensOf('rita')
    await decide(code, 'confirm', await signIn(app, 'rita'))
    const { status } = await started.ended
    expect(status).toBe(1)
    const known = new Set(before.map(({ jti }) => jti))
    const [made, ...others] = (await tokensOf('rita')).filter(({ jti }) => !known.has(jti))
    expect(others).toEqual([])
    expect(made?.revokedAt).not.toBeNull()
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is canceled by %s, exits with %i, and nothing is saved', async (signal, exitCode) => {
    const home = temporaryFolder()
    const started = login(home)
    await codeOf(started)
    started.child.kill(signal)
    expect(await started.ended).toMatchObject(process.platform === 'win32' ? {} : { status: exitCode })
    expect(existsSync(fileOf(home))).toBe(false)
  })
})

describe('a confirmation in the desk', () => {
  test('continues while the registry is briefly unavailable or busy, and says so once', async () => {
    const home = temporaryFolder()
    let answers = 0
    proxy.when(/^\/api\/skilldock\/logins\/token$/, (request, response) => {
      answers += 1
      if (answers <= 2) request.socket.destroy()
      else {
        response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
        response.end('{"error":"Too busy.","code":"TOO_MANY_REQUESTS"}')
      }
      if (answers === 3) proxy.reset()
    })
    const started = login(home, [], proxy.url)
    const code = await codeOf(started)
    await until('it has polled three times', () => answers === 3)
    await decide(code, 'confirm')
    const { status, stderr } = await started.ended
    expect(status).toBe(0)
    expect(stderr.match(/the connection was closed\. Retrying\./g)).toHaveLength(1)
    expect(stderr).toContain('Too busy. Retrying.')
    expect(savedLogin(home, proxy.url)).toBeDefined()
  })

  test('whose response is lost exits with 3 and says what to do about the token', async () => {
    const home = temporaryFolder()
    let lost = ''
    proxy.when(/^\/api\/skilldock\/logins\/token$/, (request, response) => {
      // The registry responds, but the response is lost.
      void (async () => {
        const pieces: Buffer[] = []
        for await (const piece of request) pieces.push(piece as Buffer)
        const answer = await fetch(`${app.registry}/api/skilldock/logins/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: Buffer.concat(pieces),
        })
        lost = await answer.text()
        if (lost.includes('"confirmed"')) proxy.reset()
        response.destroy()
      })()
    })
    const started = login(home, [], proxy.url)
    await decide(await codeOf(started), 'confirm')
    const { status, stderr } = await started.ended
    expect(status).toBe(3)
    expect(stderr).toContain('the token was lost. Revoke it in the desk, under My releases')
    expect(stderr).toContain('Start again with: skill login')
    expect(lost).toContain('"token"')
    expect(existsSync(fileOf(home))).toBe(false)
  })

  test('that was not given in time is not reported as lost because the network once failed before', async () => {
    let answers = 0
    const forward = passOn(app.registry)
    proxy.when(/^\/api\/skilldock\/logins\/token$/, (request, response) => {
      answers += 1
      if (answers === 1) request.socket.destroy()
      else if (answers === 2) forward(request, response)
      else refuseWith(404, 'NOT_FOUND')(request, response)
    })
    const { status, stderr } = await runHere(temporaryFolder(), ['login'], { registry: proxy.url })
    expect(status).toBe(3)
    expect(stderr).toContain('Retrying.')
    expect(stderr).toContain('The code is no longer valid')
    expect(stderr).not.toContain('the token was lost')
  })

  test('that the registry no longer knows exits with 3', async () => {
    const refuse = { error: 'This code is not known here.', code: 'NOT_FOUND' }
    proxy.when(/^\/api\/skilldock\/logins\/token$/, (_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(refuse))
    })
    const { status, stdout } = await runHere(temporaryFolder(), ['login', '--json'], { registry: proxy.url })
    expect(status).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'LOGIN_OVER', exitCode: 3 } })
  })

  test('is not requested if the token file cannot be used', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, '.config/skill'), { recursive: true })
    writeFileSync(fileOf(home), '{"version":1,"registries":{}}', { mode: 0o644 })
    chmodSync(fileOf(home), 0o644)
    const ended = await runHere(home, ['login'], { registry: proxy.url })
    expect(ended.status).toBe(process.platform === 'win32' ? ended.status : 3)
    expect(proxy.seen).toEqual([])
    writeFileSync(fileOf(home), 'damaged')
    chmodSync(fileOf(home), 0o600)
    expect(await runHere(home, ['login'], { registry: proxy.url })).toMatchObject({ status: 1 })
    expect(proxy.seen).toEqual([])
  })

  test('is not supported by every registry; the message names the alternative', async () => {
    proxy.when(/^\/api\/skilldock\/logins$/, (_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end('{"error":"There is nothing at /api/skilldock/logins.","code":"NOT_FOUND"}')
    })
    const ended = await runHere(temporaryFolder(), ['login'], { registry: proxy.url })
    expect(ended).toMatchObject({ status: 4 })
    expect(ended.stderr).toContain('Sign in with a token: skill login --paste')
  })
})

describe('a token on standard input', () => {
  const give = (stdin: string, home = temporaryFolder(), registry = app.registry) =>
    runHere(home, ['login', '--token-stdin'], { stdin, registry })

  test('is checked with the registry and saved', async () => {
    const home = temporaryFolder()
    const token = await app.token({ subject: 'alice', scope: 'publish' })
    const ended = await startClient(['login', '--token-stdin', '--registry', app.registry], {
      home,
      stdin: `\n  ${token}\r\n`,
    }).ended
    expect(ended).toMatchObject({ status: 0 })
    expect(ended.stdout).toContain('as Alice')
    expect(savedLogin(home)).toMatchObject({ token, person: 'Alice' })
    expect(ended.stdout + ended.stderr).not.toContain(token)
    const everything = await app.token({ subject: 'rita' })
    const other = await give(`Bearer ${everything}`, home)
    expect(other.stdout).toContain('The token has all of your permissions')
    expect(other.stdout).toContain('The previously saved token of Alice may still be valid.')
    expect(savedLogin(home)).toMatchObject({ token: everything, person: 'rita' })
  })

  test('is no longer waited for after SIGTERM', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, '.config/skill'), { recursive: true })
    execFileSync('mkfifo', ['-m', '600', fileOf(home)])
    const { child, ended } = startClient(['login', '--token-stdin', '--registry', proxy.url], {
      home,
      stdin: null,
    })
    // Can be opened when the client reads it.
    const pipe = await openFile(fileOf(home), 'w')
    child.kill('SIGTERM')
    await pipe.writeFile('{"version":1,"registries":{}}')
    await pipe.close()
    expect(await ended).toMatchObject({ status: 143, stderr: 'skill: Interrupted.\n' })
  })

  test('that is rejected is not saved, and the previous token stays', async () => {
    const home = temporaryFolder()
    const token = await app.token({ subject: 'alice' })
    await give(token, home)
    const wrong = await give(`${token.slice(0, -6)}AAAAAA`, home)
    expect(wrong).toMatchObject({ status: 3 })
    expect(wrong.stderr).toContain('This token is invalid.')
    expect(savedLogin(home)?.token).toBe(token)
    const away = await give(token, temporaryFolder(), 'http://127.0.0.1:1')
    expect(away).toMatchObject({ status: 6 })
  })

  test.concurrent.each([
    ['', 'No token was given.'],
    [' \n', 'No token was given.'],
    ['two words', 'The input is not a token.'],
    ['one\ntwo', 'The input is not a token.'],
    ['tökën', 'The input is not a token.'],
    ['x'.repeat(8193), 'The input is not a token.'],
    ['x'.repeat(1_000_000), 'is too long to be a token'],
  ])('that is not valid is refused before any request', async (text, sentence) => {
    const ended = await give(text, temporaryFolder(), proxy.url)
    expect(ended).toMatchObject({ status: 2 })
    expect(ended.stderr).toContain(sentence)
    expect(proxy.seen).toEqual([])
  })

  test('is not sent to a redirect, and over plain HTTP only to this computer', async () => {
    const token = await app.token({ subject: 'alice' })
    proxy.when(/./, (_request, response) => {
      response.writeHead(307, { location: `${app.registry}/api/skilldock/token` }).end()
    })
    expect(await give(token, temporaryFolder(), proxy.url)).toMatchObject({ status: 7 })
    expect(await give(token, temporaryFolder(), 'http://skills.example')).toMatchObject({ status: 2 })
  })

  test('belongs to one registry and is not sent to another', async () => {
    const home = temporaryFolder()
    await give(await app.token({ subject: 'alice' }), home)
    const mine = await runHere(home, ['mine'], { registry: proxy.url })
    expect(mine).toMatchObject({ status: 3 })
    expect(proxy.seen).toEqual([])
  })

  test('is not used while SKILL_TOKEN is set, and a message says so', async () => {
    const home = temporaryFolder()
    const token = await app.token({ subject: 'alice' })
    const ended = await runHere(home, ['login', '--token-stdin'], {
      stdin: token,
      env: { SKILL_TOKEN: 'another' },
    })
    expect(ended).toMatchObject({ status: 0 })
    expect(ended.stdout).toContain('SKILL_TOKEN is set and takes precedence.')
  })
})

describe.skipIf(process.platform !== 'linux')('on a terminal (needs another operating system)', () => {
  /** `skill` on a real terminal; what is typed is written to it. */
  function onTerminal(args: string, home: string, variables: Record<string, string> = {}) {
    const command = `'${process.execPath}' '${clientFile}' ${args} --registry ${app.registry}`
    const child = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { ...clientEnvironment(home, variables), TERM: 'xterm' },
      cwd: home,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const seen = { text: '' }
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (seen.text += piece))
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    return { child, seen, ended }
  }

  test('a pasted token is read and never shown', async () => {
    const home = temporaryFolder()
    const token = await app.token({ subject: 'alice' })
    const { child, seen, ended } = onTerminal('login --paste', home)
    await until('it prompts', () => seen.text.includes('input is hidden'))
    // Earlier typing is deleted, and the terminal may use bracketed paste.
    child.stdin.write(`wrong\u0015x\u007F\u001B[200~${token}\u001B[201~\r`)
    expect(await ended).toBe(0)
    expect(savedLogin(home)?.token).toBe(token)
    expect(seen.text).not.toContain(token.slice(0, 20))
    expect(seen.text).toContain('as \u001B[1mAlice\u001B[22m')
  })

  test('Ctrl+C cancels the prompt for the token', async () => {
    const home = temporaryFolder()
    const { child, seen, ended } = onTerminal('login --paste', home)
    await until('it prompts', () => seen.text.includes('input is hidden'))
    child.stdin.write('half\u0003')
    expect(await ended).toBe(130)
    expect(savedLogin(home)).toBeUndefined()
  })

  test('--token-stdin does not read from a terminal, which would show the token', async () => {
    const { seen, ended } = onTerminal('login --token-stdin', temporaryFolder())
    expect(await ended).toBe(2)
    expect(seen.text).toContain('skill login --paste')
  })

  test('the confirmation opens in the browser if there is one, unless turned off', async () => {
    const programs = temporaryFolder()
    const opened = join(programs, 'opened')
    writeFileSync(
      join(programs, 'xdg-open'),
      `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}.new'\nmv '${opened}.new' '${opened}'\n`,
      {
        mode: 0o755,
      },
    )
    const variables = { PATH: `${programs}:${process.env['PATH'] ?? ''}`, DISPLAY: ':7' }
    const codeIn = (seen: { text: string }): Promise<string> =>
      until('the code is shown', () => /#([A-Z]{4}-[A-Z]{4})\s/.exec(seen.text)?.[1])

    const quiet = onTerminal('login --no-browser', temporaryFolder(), variables)
    await decide(await codeIn(quiet.seen), 'confirm')
    expect(await quiet.ended).toBe(0)
    const remote = onTerminal('login', temporaryFolder(), { ...variables, SSH_CONNECTION: 'somewhere' })
    await decide(await codeIn(remote.seen), 'confirm')
    expect(await remote.ended).toBe(0)
    expect(existsSync(opened)).toBe(false)

    const open = onTerminal('login', temporaryFolder(), variables)
    const code = await codeIn(open.seen)
    await until('the page is opened', () => existsSync(opened))
    expect(readFileSync(opened, 'utf8')).toBe(`${app.dashboard}/desk/confirm#${code}\n`)
    await until('it says so', () => open.seen.text.includes('Opening the page in your browser.'))
    await decide(code, 'confirm')
    expect(await open.ended).toBe(0)
  })
})

test('without a terminal there is no hidden prompt', async () => {
  const ended = await runHere(temporaryFolder(), ['login', '--paste'], { stdin: 'x' })
  expect(ended).toMatchObject({ status: 2 })
  expect(ended.stderr).toContain('skill login --token-stdin')
  const both = await runHere(temporaryFolder(), ['login', '--paste', '--token-stdin'])
  expect(both).toMatchObject({ status: 2 })
})

test.each([
  ['http://127.0.0.1:4200/desk/confirm#BCDF-GHJK', true],
  ['http://localhost:4200/desk/confirm#BCDF-GHJK', true],
  ['http://[::1]:4200/desk/confirm#BCDF-GHJK', true],
  ['http://127.0.0.1:4200/desk/confirm#BCDF-GHJL', false],
  ['http://127.0.0.1:4200/desk/confirm?x#BCDF-GHJK', false],
  ['http://127.0.0.1:4200/desk/other#BCDF-GHJK', false],
  ['http://me@127.0.0.1:4200/desk/confirm#BCDF-GHJK', false],
  ['http://127.0.0.1.example/desk/confirm#BCDF-GHJK', false],
  ['https://skills.example/desk/confirm#BCDF-GHJK', false],
  ['file:///desk/confirm#BCDF-GHJK', false],
  ['--help', false],
])('a registry on this computer can open this in the browser: %s, %s', (address, isOpened) => {
  expect(isConfirmPage(address, 'BCDF-GHJK', new URL('http://127.0.0.1:4280'))).toBe(isOpened)
})

test.each([
  ['https://skills.example/desk/confirm#BCDF-GHJK', true],
  ['https://skills.example/desk/confirm#BCDF-GHJL', false],
  ['https://skills.example/desk/confirm?x#BCDF-GHJK', false],
  ['https://skills.example/desk/other#BCDF-GHJK', false],
  ['https://me@skills.example/desk/confirm#BCDF-GHJK', false],
  ['https://:word@skills.example/desk/confirm#BCDF-GHJK', false],
  ['https://skills.example:8443/desk/confirm#BCDF-GHJK', false],
  ['https://other.example/desk/confirm#BCDF-GHJK', false],
  ['http://skills.example/desk/confirm#BCDF-GHJK', false],
  ['http://127.0.0.1:4200/desk/confirm#BCDF-GHJK', false],
])('a registry elsewhere can open this in the browser: %s, %s', (address, isOpened) => {
  expect(isConfirmPage(address, 'BCDF-GHJK', new URL('https://skills.example'))).toBe(isOpened)
})

test.each([
  ['annas-laptop', 'skill on annas-laptop'],
  ['Anna’s “PC”', 'skill on Anna’s “PC”'],
  ['a\u0301b', 'skill on áb'],
  ['a\u202Eb\u200Bc\n', 'skill on abc'],
  ['', 'skill'],
  ['\u0000', 'skill'],
  ['x'.repeat(300), `skill on ${'x'.repeat(40)}`],
])('a computer named "%s" signs in as "%s"', (host, name) => {
  expect(clientName(host)).toBe(name)
  expect(loginClientSchema.parse(name)).toBe(name)
})

describe('signing out', () => {
  const signedIn = async (registry = app.registry): Promise<{ home: string; token: string }> => {
    const home = temporaryFolder()
    const token = await app.token({ subject: 'alice', scope: 'publish' })
    const ended = await runHere(home, ['login', '--token-stdin'], { stdin: token, registry })
    expect(ended).toMatchObject({ status: 0 })
    return { home, token }
  }
  const logout = (home: string, args: string[] = []) => runHere(home, ['logout', ...args])

  test('revokes the token and deletes it, and no token of another registry', async () => {
    const { home, token } = await signedIn()
    const other = await app.token({ subject: 'rita', scope: 'publish' })
    await runHere(home, ['login', '--token-stdin'], { stdin: other, registry: proxy.url })
    const ended = await logout(home)
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    expect(ended.stdout).toContain('The token was revoked.')
    expect(await statusOf(token)).toBe(401)
    expect(savedLogin(home)).toBeUndefined()
    expect(savedLogin(home, proxy.url)?.token).toBe(other)
    expect(await statusOf(other)).toBe(200)
    const again = await logout(home)
    expect(again).toMatchObject({ status: 0 })
    expect(again.stdout).toContain('You were not signed in')
  })

  test('keeps the token of a sign-in that ends before it', async () => {
    const { home } = await signedIn(proxy.url)
    let revoke: (() => void) | null = null
    proxy.when(/^\/api\/skilldock\/token$/, (request, response) => {
      if (request.method === 'DELETE') revoke = () => passOn(app.registry)(request, response)
      else passOn(app.registry)(request, response)
    })
    const out = runHere(home, ['logout'], { registry: proxy.url })
    const finish = await until('the first token is being revoked', () => revoke)
    const next = await app.token({ subject: 'alice', scope: 'publish' })
    await runHere(home, ['login', '--token-stdin'], { stdin: next, registry: proxy.url })
    finish()
    expect((await out).stdout).toContain('The token was revoked.')
    expect(savedLogin(home, proxy.url)?.token).toBe(next)
  })

  test.concurrent('only deletes the saved copy with --keep-token', async () => {
    const { home, token } = await signedIn()
    const ended = await logout(home, ['--keep-token'])
    expect(ended.stdout).toContain('The token itself is still valid until 20')
    expect(await statusOf(token)).toBe(200)
    expect(savedLogin(home)).toBeUndefined()
  })

  test.concurrent('deletes a token that has already been revoked', async () => {
    const { home, token } = await signedIn()
    await call(`${app.registry}/api/skilldock/token`, { token, method: 'DELETE' })
    const ended = await logout(home)
    expect(ended).toMatchObject({ status: 0 })
    expect(ended.stdout).toContain('The token was no longer valid.')
    expect(savedLogin(home)).toBeUndefined()
  })

  test('deletes it even if the registry cannot be reached, says so, and exits with 6', async () => {
    const { home, token } = await signedIn(proxy.url)
    proxy.when(/./, (request) => request.socket.destroy())
    const { status, stdout } = await runHere(home, ['logout', '--json'], { registry: proxy.url })
    expect(status).toBe(6)
    expect(JSON.parse(stdout)).toEqual({
      registry: proxy.url,
      wasSignedIn: true,
      token: 'not ended',
      reason: expect.stringContaining('the connection was closed') as unknown,
    })
    expect(savedLogin(home, proxy.url)).toBeUndefined()
    expect(await statusOf(token)).toBe(200)
  })

  test.concurrent('with SKILL_TOKEN set says that this token is still used', async () => {
    const { home, token } = await signedIn()
    const ended = await runHere(home, ['logout'], { env: { SKILL_TOKEN: 'another' } })
    expect(ended.stdout).toContain('SKILL_TOKEN is set')
    // The saved token was revoked.
    expect(await statusOf(token)).toBe(401)
  })
})
