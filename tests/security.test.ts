import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options } from '@electron/fuses'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

describe('docs/SECURITY.md', () => {
  const rows = read('docs/SECURITY.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Point|Fuse|Protection|---)/.test(line))

  const testsIn = (row: string): { file: string; title: string }[] =>
    [...row.matchAll(/`([^`]+\.(?:spec|test)\.ts)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
      file,
      title,
    }))

  test('has a line for each of the twenty points of Electron’s checklist', () => {
    const numbers = rows.flatMap((row) => /^\| (\d+)\. /.exec(row)?.[1] ?? [])
    expect(numbers.map(Number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test('has a line for each fuse that @electron/fuses knows', () => {
    const known = Object.values(FuseV1Options).filter((name) => typeof name === 'string')
    expect(known.length).toBeGreaterThanOrEqual(9)
    expect(known.filter((name) => !rows.some((row) => row.startsWith(`| ${name} | `)))).toEqual([])
  })

  test('names existing code and an existing test in every line', () => {
    expect(rows.length).toBeGreaterThan(50)
    for (const row of rows) {
      const tests = testsIn(row)
      const places = [...row.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, path = '']) => path)
      expect([
        row,
        tests.length > 0,
        places.some((path) => !tests.some(({ file }) => file === path)),
      ]).toEqual([row, true, true])
      expect(places.filter((path) => !existsSync(join(root, path)))).toEqual([])
      for (const { file, title } of tests) {
        const text = existsSync(join(root, file)) ? read(file).replaceAll("\\'", "'") : ''
        expect([file, title, text.includes(title)]).toEqual([file, title, true])
      }
      // Every mention of a test file was recognized as a test.
      expect([row, row.match(/\.(?:spec|test)\.ts/g)?.length]).toEqual([row, tests.length])
    }
  })
})

test('every line that docs/THREATS.md refers to exists in docs/SECURITY.md', () => {
  const threats = read('docs/THREATS.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (?:Who|---)/.test(line))
  expect(threats.length).toBeGreaterThan(12)
  const security = read('docs/SECURITY.md').split('\n')
  for (const threat of threats) {
    const lines = [...threat.matchAll(/"([^"]+)"/g)].map(([, line = '']) => line)
    expect([threat, lines.length > 0]).toEqual([threat, true])
    expect(lines.filter((line) => !security.some((row) => row.startsWith(`| ${line}`)))).toEqual([])
  }
})

const sources = (folder: string): { path: string; text: string }[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path: `${folder}/${path.replaceAll('\\', '/')}`, text: read(`${folder}/${path}`) }))

const filesWith = (pattern: RegExp, folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    sources(folder)
      .filter(({ text }) => pattern.test(text))
      .map(({ path }) => path),
  )

// Settings that no test can turn off are checked in the configuration.
describe('the configuration', () => {
  test('pins Electron to an exact version, 45 or later', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as {
      devDependencies: Record<string, string>
    }
    expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/)
    expect(Number(devDependencies['electron']?.split('.')[0])).toBeGreaterThanOrEqual(45)
  })

  test('enables the sandbox for all pages, and no package starts without it', () => {
    expect(read('src/main/index.ts')).toMatch(/^ {2}app\.enableSandbox\(\)$/m)
    expect(read('electron-builder.yml')).toMatch(/^appImage:\n {2}executableArgs: \[\]/m)
  })

  test('loads no page from a file', () => {
    expect(filesWith(/loadFile|file:\/\/|pathToFileURL/, ['src/main', 'src/preload'])).toEqual([])
  })

  test('registers the protocol, on Windows after the end of options', () => {
    expect(read('electron-builder.yml')).toMatch(
      /^protocols:\n {2}- name: Skilldock\n {4}schemes: \[skilldock\]/m,
    )
    expect(read('electron-builder.yml')).toContain('include: resources/installer.nsh')
    expect(read('resources/installer.nsh')).toContain(
      String.raw`"Software\Classes\skilldock\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'`,
    )
  })

  test('allows only JIT compilation in the hardened runtime', () => {
    const builder = read('electron-builder.yml')
    expect(builder).toContain('hardenedRuntime: true')
    for (const name of ['entitlements', 'entitlementsInherit']) {
      expect(builder).toContain(`${name}: resources/entitlements.mac.plist`)
    }
    const keys = [...read('resources/entitlements.mac.plist').matchAll(/<key>(.*)<\/key>/g)].map(
      ([, key]) => key,
    )
    expect(keys).toEqual(['com.apple.security.cs.allow-jit'])
  })

  test('lets the server validate modules but never instantiate them', () => {
    const folders = ['src/server', 'src/main', 'src/preload']
    expect(filesWith(/WebAssembly\s*\.|\bimport\s.*wasi|shared\/sandbox/, folders)).toEqual([])
    // Validation shares code with the sandbox: only the engine, not the code that runs modules.
    const shared = ['src/shared/findings', 'src/shared/wasm']
    expect(filesWith(/\/sandbox\//, shared)).toEqual(['src/shared/findings/check-package.ts'])
    expect(read('src/shared/findings/check-package.ts').match(/'.*\/sandbox\/.*'/g)).toEqual([
      "'../sandbox/engine.ts'",
    ])
    expect(filesWith(/\b(?:compile|instantiate|Instance)\(/, [...folders, ...shared])).toEqual([])
  })
})
