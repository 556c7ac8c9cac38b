import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { cp, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { extractAll, getRawHeader, listPackage, statFile } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { expect, test } from '@playwright/test'
import { cleanUp, projectRoot, start, temporaryFolder } from '../support/server/command-line.ts'
import { bridge, deskOrigin } from '../support/desk/desk-page.ts'
import { isDouble, launchDesktop, readRunning } from '../support/desk/desktop.ts'
import { noise } from '../support/fixtures/images.ts'
import { skipWithout } from '../support/programs.ts'
import { makeStandInElectron } from '../support/desk/stand-in-electron.ts'
import type { Platform } from '../support/desk/stand-in-electron.ts'
import { showcaseUpload, upload } from '../support/server/uploads.ts'
import { until } from '../support/wait.ts'

const require = createRequire(import.meta.url)
const { load } = require('js-yaml') as { load(text: string): unknown }
const { version } = require('../../package.json') as { version: string }

interface Packed {
  /** Paths in the packed app: the program with the fuses, and the archive. */
  program: string
  archive: string
  contents: string
  /** Output of electron-builder. */
  output: string
}

const paths: Record<Platform, Omit<Packed, 'output'>> = {
  linux: {
    program: 'skilldock-desk',
    archive: 'resources/app.asar',
    contents: process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`,
  },
  mac: {
    program: 'Skilldock.app',
    archive: 'Skilldock.app/Contents/Resources/app.asar',
    contents: process.arch === 'x64' ? 'mac' : `mac-${process.arch}`,
  },
  win: {
    program: 'Skilldock.exe',
    archive: 'resources/app.asar',
    contents: process.arch === 'x64' ? 'win-unpacked' : `win-${process.arch}-unpacked`,
  },
}
const platforms = ['linux', 'mac', 'win'] as const
const packed = {} as Record<Platform, Packed>

/** Packs like `npm run package`, but without access to downloads. */
async function pack(platform: Platform): Promise<Packed> {
  const folder = temporaryFolder()
  await makeStandInElectron(platform, join(folder, 'electron'))
  const nowhere = 'http://127.0.0.1:1/'
  const { status, stdout, stderr } = await start(
    process.execPath,
    [
      join(projectRoot, 'node_modules/electron-builder/cli.js'),
      `--${platform}`,
      'dir',
      `--${process.arch}`,
      '--publish=never',
      `-c.electronDist=${join(folder, 'electron')}`,
      `-c.directories.output=${join(folder, 'dist')}`,
    ],
    {
      HOME: join(folder, 'home'),
      ELECTRON_MIRROR: nowhere,
      ELECTRON_BUILDER_BINARIES_MIRROR: nowhere,
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
    },
  ).ended
  expect(status, stdout + stderr).toBe(0)
  const { program, archive, contents } = paths[platform]
  const made = join(folder, 'dist', contents)
  return {
    program: join(made, program),
    archive: join(made, archive),
    contents: made,
    output: stdout + stderr,
  }
}

const prebuilds: Record<Platform, string> = {
  linux: `linux-${process.arch}`,
  // One app for both architectures.
  mac: 'darwin-(?:arm64|x64)',
  win: `win32-${process.arch}`,
}

/** Native files of the image library. */
const imagePart = new RegExp(
  `^node_modules/@img/sharp-(?:libvips-)?(?:linux|darwin|win32)-(?:${process.arch}${process.platform === 'darwin' ? '|x64|arm64' : ''})/` +
    '(?:LICENSE|package\\.json|versions\\.json|index\\.cjs|lib/[\\w.-]+)$',
)
const systems: Record<Platform, string> = { linux: 'linux', mac: 'darwin', win: 'win32' }
const isOwn = (platform: Platform): boolean => systems[platform] === process.platform

/** All files that an archive may contain. */
const allowed = (platform: Platform): RegExp[] => [
  /^package\.json$/,
  /^LICENSE$/,
  /^THIRD-PARTY-NOTICES\.md$/,
  /^out\/main\/(?:agents|backups|cli|images|index|markdown|server|validator|worker)\.js$/,
  /^out\/main\/chunks\/[\w.-]+\.js$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/(?:[\w-]+\/)*[\w.-]+\.(?:css|html|js|svg|wasm|woff2)$/,
  /^out\/renderer\/assets\/[\w.-]+\.(?:css|js)\.br$/,
  /^out\/client\/(?:install\.sh|skill)$/,
  // The demo data.
  /^resources\/demo\/[\w-]+\.(?:jpg|png|webp)$/,
  /^resources\/skills\/([\w-]+)\/(?:manifest\.json|\1\.wasm)$/,
  /^node_modules\/better-sqlite3\/(?:LICENSE|package\.json|lib\/(?:methods\/)?[\w-]+\.js)$/,
  new RegExp(`^node_modules/better-sqlite3/prebuilds/${prebuilds[platform]}\\.node$`),
  /^node_modules\/sharp\/(?:LICENSE|package\.json|dist\/[\w-]+\.mjs)$/,
  /^node_modules\/detect-libc\/(?:LICENSE|package\.json|lib\/[\w-]+\.js)$/,
  /^node_modules\/semver\/(?:LICENSE|package\.json|(?:(?:classes|functions|internal|ranges)\/)?[\w-]+\.js)$/,
  /^node_modules\/@img\/colour\/(?:LICENSE\.md|package\.json|\w+\.cjs)$/,
  // Only for the system that packs, because npm installs no others.
  ...(isOwn(platform) ? [imagePart] : []),
]

for (const platform of platforms) {
  test(`${platform}: packing warns if the app cannot process images`, () => {
    const part = `@img/sharp-${systems[platform]}-${process.arch}`
    const warning = `This app cannot process images: ${part} is missing.`
    expect(packed[platform].output.includes(warning)).toBe(!isOwn(platform))
  })
}

const filesOf = (archive: string): string[] =>
  listPackage(archive, { isPack: false })
    .map((path) => path.slice(1).replaceAll('\\', '/'))
    .filter((path) => !('files' in statFile(archive, path)))

const unpackedOf = (archive: string): string[] =>
  filesOf(archive).filter((path) => 'unpacked' in statFile(archive, path))

// The apps are packed once for all tests.
test.describe.configure({ mode: 'default' })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  // One after another, because each uses all cores.
  for (const platform of platforms) packed[platform] = await pack(platform)
})

test.afterAll(cleanUp)

for (const platform of platforms) {
  test(`${platform}: the fuses are set`, async () => {
    const wire = (await getCurrentFuseWire(packed[platform].program)) as unknown as Record<string, number>
    const states = Object.entries(wire)
      .filter(([key]) => key !== 'version')
      .map(([key, state]) => [FuseV1Options[Number(key)], String.fromCodePoint(state)])
    expect(Object.fromEntries(states)).toEqual({
      RunAsNode: '0',
      EnableCookieEncryption: '1',
      EnableNodeOptionsEnvironmentVariable: '0',
      EnableNodeCliInspectArguments: '0',
      EnableEmbeddedAsarIntegrityValidation: '1',
      OnlyLoadAppFromAsar: '1',
      LoadBrowserProcessSpecificV8Snapshot: '0',
      GrantFileProtocolExtraPrivileges: '0',
      WasmTrapHandlers: '1',
    })
  })

  test(`${platform}: the archive contains only what the app needs`, () => {
    const files = filesOf(packed[platform].archive)
    expect(files.filter((path) => !allowed(platform).some((pattern) => pattern.test(path)))).toEqual([])
    for (const needed of [
      'LICENSE',
      'THIRD-PARTY-NOTICES.md',
      'out/main/index.js',
      'out/main/backups.js',
      'out/main/markdown.js',
      'out/preload/index.cjs',
      'out/renderer/index.html',
      'out/client/install.sh',
      'out/client/skill',
    ]) {
      expect(files).toContain(needed)
    }
    const databases = files.filter((path) => /better-sqlite3.*\.node$/.test(path))
    expect(databases).toHaveLength(platform === 'mac' ? 2 : 1)
    const images = files.filter((path) => imagePart.test(path) && path.endsWith('.node'))
    expect(images.length > 0).toBe(isOwn(platform))
  })

  test(`${platform}: only native files are outside the archive`, () => {
    const unpacked = unpackedOf(packed[platform].archive)
    expect(unpacked.length).toBeGreaterThan(0)
    expect(unpacked.filter((path) => !/\.(?:node|dll|dylib|so(?:\.[\d.]+)?)$/.test(path))).toEqual([])
  })

  test(`${platform}: the tray icons are outside the archive`, async () => {
    const icons = join(dirname(packed[platform].archive), 'icons')
    expect((await readdir(icons)).toSorted()).toEqual(['16x16.png', '32x32.png'])
  })

  test(`${platform}: the app takes less than 40 MiB without Electron`, async () => {
    const { archive } = packed[platform]
    const natives = unpackedOf(archive).map((path) => join(`${archive}.unpacked`, path))
    const sizes = await Promise.all([archive, ...natives].map(async (path) => (await stat(path)).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40 * 1024 ** 2)
  })
}

/** The digest that Electron checks before it runs the archive. */
const digestOf = (archive: string): string =>
  createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')

test('on macOS the app contains the digest of its archive and registers the protocol', async () => {
  const { archive, contents } = packed.mac
  const list = await readFile(join(contents, 'Skilldock.app/Contents/Info.plist'), 'utf8')
  expect(list).toContain(`<string>${digestOf(archive)}</string>`)
  expect(list).toMatch(/<key>CFBundleURLSchemes<\/key>\s*<array>\s*<string>skilldock<\/string>/)
})

test('on Windows the program contains the digest of its archive', async () => {
  expect((await readFile(packed.win.program)).includes(digestOf(packed.win.archive))).toBe(true)
})

test('on Windows notifications use the app id that the installer registers', async () => {
  const builder = await readFile(join(projectRoot, 'electron-builder.yml'), 'utf8')
  const appId = /^appId: (.+)$/m.exec(builder)?.[1] ?? ''
  const main = await readFile(join(projectRoot, 'src/main/index.ts'), 'utf8')
  expect(main).toContain(`setAppUserModelId('${appId}')`)
})

test('the packed app starts its services and shows the desk, and makes a tested backup', async () => {
  test.skip(process.platform !== 'linux', 'needs another operating system')
  test.skip(skipWithout('chromium'), 'needs Chromium')
  const appFolder = join(temporaryFolder(), 'app.asar')
  extractAll(packed.linux.archive, appFolder)
  const folder = temporaryFolder()
  const app = await launchDesktop({ appFolder, folder })
  const page = await app.page()
  await deskOrigin(page)
  await expect(page.locator('#root')).not.toBeEmpty()
  expect(await bridge.info(page)).toMatchObject({ ownsServices: true })
  const services = await readRunning(folder)
  expect((await fetch(`${services?.registry}/api/health`)).status).toBe(200)
  const given = await Promise.all(
    ['/install.sh', '/api/skilldock/client'].map(async (path) =>
      (await fetch(services?.registry + path)).text(),
    ),
  )
  expect(given[0]).toContain(
    `sha256='${createHash('sha256')
      .update(given[1] ?? '')
      .digest('hex')}'`,
  )
  const sent = await upload(`${services?.registry}${showcaseUpload}`, await noise(300, 200).jpeg().toBuffer())
  expect(sent).toMatchObject({ status: 200, body: { key: expect.stringMatching(/\.jpg$/) } })
  await page.getByRole('button', { name: 'Load demo data' }).click()
  await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible({ timeout: 60_000 })
  const post = await fetch(`${services?.registry}/blog/a-registry-with-human-review`)
  expect(await post.text()).toContain('<h2>What happens to a submission</h2>')
  await page.getByRole('link', { name: 'Services', exact: true }).click()
  await page.getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByText(/^Last backup tested/)).toBeVisible({ timeout: 60_000 })
  const backups = await readdir(join(folder, 'data/backups'))
  await app.close()
  expect(await app.ended).toBe(0)
  expect(backups.filter((name) => name.endsWith('.tar'))).toHaveLength(1)
})

test.describe('the command line of the packed app', () => {
  test.skip(process.platform !== 'linux', 'needs another operating system')
  test.skip(!isDouble, 'the packed program is a substitute that only the double replaces')
  let command = ''

  test.beforeAll(async () => {
    const appFolder = join(temporaryFolder(), 'app.asar')
    extractAll(packed.linux.archive, appFolder)
    const installed = join(temporaryFolder(), 'Skilldock')
    await cp(packed.linux.contents, installed, { recursive: true })
    const double = [process.execPath, join(projectRoot, 'tests/double/launch.ts'), appFolder]
    await writeFile(
      join(installed, 'skilldock-desk'),
      `#!/bin/sh\nexec ${double.map((word) => `'${word}'`).join(' ')} "$@"\n`,
      { mode: 0o755 },
    )
    // As in a folder of the PATH.
    command = join(temporaryFolder(), 'skilldock')
    await symlink(join(installed, 'resources/bin/skilldock'), command)
  })

  const run = (args: string[], folder: string) =>
    start(command, args, {
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      SKILLDOCK_DATA: join(folder, 'data'),
      SKILLDOCK_PORT: '0',
      SKILLDOCK_DASHBOARD_PORT: '0',
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
    })

  test('prints the same as that of the server, with its exit codes', async () => {
    const folder = temporaryFolder()
    expect(await run(['--version'], folder).ended).toMatchObject({
      status: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
    expect(await run(['token', '--subject', 'alice'], folder).ended).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^eyJ\S+\n$/),
    })
    expect(await run(['no-such-command'], folder).ended).toMatchObject({ status: 2, stdout: '' })
  })

  test('checks modules and images in processes of their own: demo, backup, verify', async () => {
    const folder = temporaryFolder()
    expect(await run(['demo'], folder).ended).toMatchObject({ status: 0 })
    const backup = await run(['backup', join(folder, 'made.tar')], folder).ended
    expect(backup).toMatchObject({ status: 0 })
    expect(await run(['verify'], folder).ended).toMatchObject({ status: 0, stderr: '' })
    expect(await run(['verify', join(folder, 'made.tar')], folder).ended).toMatchObject({
      status: 0,
    })
  })

  test('serve answers and stops gracefully at SIGTERM, and has no workers', async () => {
    const folder = temporaryFolder()
    const serving = run(['serve'], folder)
    const registry = await until(
      'the address is printed',
      () => /^Registry +(http\S+)$/m.exec(serving.output.stdout)?.[1],
    )
    expect((await fetch(`${registry}/api/health`)).status).toBe(200)
    expect(
      (await fetch(`${/^Local services +(http\S+)$/m.exec(serving.output.stdout)?.[1]}/desk/`)).status,
    ).toBe(200)
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/"service":"registry","msg":"stopped"/),
    })
    const workers = await run(['serve', '--workers', '2'], folder).ended
    expect(workers).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('The command of the desktop app has no --workers.'),
    })
  })
})

test('the deb puts the command line into the PATH', async () => {
  const { deb } = load(await readFile(join(projectRoot, 'electron-builder.yml'), 'utf8')) as {
    deb: { fpm: string[] }
  }
  expect(deb.fpm).toEqual(['resources/bin/skilldock=/usr/bin/skilldock'])
})
