import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/shared/contracts/findings.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { cleanUpClients, clientNodes, runClient, runOnTerminal } from '../support/client/client.ts'
import { skillHere, skillHereJson } from '../support/client/client-here.ts'
import { projectRoot, temporaryFolder } from '../support/server/command-line.ts'
import { evilModule } from '../support/fixtures/evil-modules.ts'
import { ALLOWED_SKIPS } from '../support/programs.ts'
import { call, publish } from '../support/server/publish.ts'
import { startTestServer } from '../support/server/server.ts'

const skills = join(projectRoot, 'resources/skills')
const names = readdirSync(skills, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

afterAll(cleanUpClients)

interface Change {
  manifest?: Partial<Record<keyof SkillManifest, unknown>>
  module?: Uint8Array
}

const readManifest = (name: string): SkillManifest =>
  JSON.parse(readFileSync(join(skills, name, 'manifest.json'), 'utf8')) as SkillManifest

/** A changed copy of an example skill. */
const project = (name: string, { manifest, module }: Change = {}): string => {
  const folder = temporaryFolder()
  cpSync(join(skills, name), folder, { recursive: true })
  if (manifest !== undefined) {
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...readManifest(name), ...manifest }))
  }
  if (module !== undefined) writeFileSync(join(folder, `${name}.wasm`), module)
  return folder
}

interface Checked {
  passed: boolean
  manifest: SkillManifest | null
  manifestProblems: { path: string; message: string }[]
  module: { imports: string[] } | null
  moduleProblems: { path: string; message: string }[]
  size: number
  sha256: string
  findings: Finding[]
  examples: { verdict: string; stdout: { text: string }; calls: { name: string; count: number }[] }[] | null
}

const check = (folder: string, args: readonly string[] = []) => skillHere(['check', folder, ...args])

const checkJson = (folder: string) => skillHereJson<Checked>(['check', folder])

const oneExample = (input: string, output: string) => ({ examples: [{ input, output }] })

describe('a skill without problems', () => {
  test.each(names)('%s passes', async (name) => {
    const { status, data } = await checkJson(join(skills, name))
    expect(status).toBe(0)
    expect(data.passed).toBe(true)
    expect(data.examples?.map(({ verdict }) => verdict)).toEqual(
      readManifest(name).examples.map(() => 'passed'),
    )
  })

  test.each(clientNodes())('is reported in a few lines, with Node $version', async ({ node }) => {
    const cwd = join(skills, 'rot13')
    const { status, stdout, stderr } = await runClient(['check'], { cwd, node })
    expect([status, stderr]).toEqual([0, ''])
    const lines = stdout.split('\n')
    expect(lines.slice(0, 7)).toEqual([
      'rot13 1.0.0',
      expect.stringMatching(/^SHA-256 [0-9a-f]{64}$/),
      '',
      '✓ Manifest  valid',
      '✓ Module    483 bytes, 6 functions, 3 imported, 64 KiB initial memory',
      '✓ Findings  1 note',
      '✓ Examples  3 of 3 passed',
    ])
    expect(lines[7]).toMatch(/^ {2}1 {2}passed {2}exit 0 {2}[\d.]+ m?s {2}64 KiB {2}fd_read 2, fd_write 1$/)
    expect(lines.at(-2)).toBe('Ready to publish. Submit it for review with: skill publish')
  })

  test('is reported in full with --json', async () => {
    const { data, stderr } = await checkJson(join(skills, 'rot13'))
    expect(stderr).toBe('')
    expect(data).toMatchObject({
      manifest: { name: 'rot13', examples: readManifest('rot13').examples },
      manifestProblems: [],
      module: { imports: ['fd_read', 'fd_write', 'proc_exit'], functionCount: 6 },
      moduleProblems: [],
      size: 483,
      findings: [{ check: 'import-unused', severity: 'note' }],
    })
    expect(data.examples?.[0]).toMatchObject({
      example: 1,
      input: readManifest('rot13').examples[0]?.input,
      end: 'exited',
      exitCode: 0,
      stdout: { text: readManifest('rot13').examples[0]?.output },
      calls: [
        { name: 'fd_read', count: 2 },
        { name: 'fd_write', count: 1 },
      ],
    })
  })

  test('may use other file names', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'build'))
    cpSync(join(skills, 'rot13/rot13.wasm'), join(folder, 'build/out.wasm'))
    cpSync(join(skills, 'rot13/manifest.json'), join(folder, 'skill.json'))
    const args = ['check', '--manifest', 'skill.json', '--wasm', 'build/out.wasm']
    expect(await runClient(args, { cwd: folder })).toMatchObject({ status: 0 })
  })
})

describe('an example', () => {
  test('whose output differs is shown next to the expected output', async () => {
    const [first, second] = readManifest('csv-to-json').examples
    const folder = project('csv-to-json', {
      manifest: {
        examples: [
          { ...first, output: first?.output.replace('1912', '1913') },
          { ...second, output: second?.output.slice(0, -1) },
        ],
      },
    })
    const { status, stdout } = await check(folder)
    expect(status).toBe(1)
    expect(stdout).toContain('✗ Examples  0 of 2 passed\n')
    expect(stdout).toContain('− expected   {"name":"Alan Turing","born":"1913"}\n')
    expect(stdout).toContain('+ actual     {"name":"Alan Turing","born":"1912"}\n')
    expect(stdout).toContain(
      'Only the end differs: the actual output ends with a line break, but the expected one does not.\n',
    )
    expect(stdout).toMatch(/An example did not pass: .*\n$/)
    const { status: again, data } = await checkJson(folder)
    expect([again, data.passed, data.examples?.map(({ verdict }) => verdict)]).toEqual([
      1,
      false,
      ['differs', 'differs'],
    ])
  })

  test.each([
    ['trap', 'hello\n', 'trapped', 'It trapped: unreachable'],
    ['grow', '', 'out of memory', 'It was denied more memory and trapped: unreachable'],
    ['flood', 'x', 'output over 1 MiB', 'It wrote more than 1 MiB to standard output.'],
    ['stubbornExit', '', 'exited with 3', 'exit 3'],
  ] as const)(
    'of a module that does %s fails with the same verdict as at the desk',
    async (name, output, verdict, detail) => {
      const module = await evilModule(name)
      const { status, stdout } = await check(project('rot13', { module, manifest: oneExample('', output) }))
      expect(status).toBe(1)
      expect(stdout).toContain(`\n  1  ${verdict}  `)
      expect(stdout).toContain(detail)
    },
  )

  test('that writes to standard error is shown, without control characters', async () => {
    const module = await assembleWat(`(module
      (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
      (memory (export "memory") 1) (data (i32.const 0) "\\08\\00\\00\\00\\0b\\00\\00\\00\\1b[2Jcolumn\\0a")
      (func (export "_start") (drop (call $write (i32.const 2) (i32.const 0) (i32.const 1) (i32.const 100)))))`)
    const { stdout } = await check(project('rot13', { module, manifest: oneExample('', '\u001B[2Jx') }))
    expect(stdout).toContain(String.raw`     − expected \u{1b}[2Jx` + '\n     standard error:\n')
    expect(stdout).toContain(String.raw`       \u{1b}[2Jcolumn` + '\n')
    expect(stdout).not.toContain('\u001B')
  })
})

describe('what the registry would reject', () => {
  test('in a manifest is reported with every path, and the module is still checked', async () => {
    const folder = project('rot13', { manifest: { version: '1.0', license: 7, examples: [] } })
    const { status, stdout } = await check(folder)
    expect(status).toBe(1)
    expect(stdout).toContain('✗ Manifest  would be rejected: 3 problems\n  version: ')
    expect(stdout).toContain('\n  license: ')
    expect(stdout).toContain('\n  examples: ')
    expect(stdout).toContain('✓ Module    483 bytes')
    expect(stdout).not.toContain('Examples')
    expect(stdout).toMatch(/The registry would reject this release\. Fix the problems and check again\.\n$/)
    expect((await checkJson(folder)).data).toMatchObject({ manifest: null, examples: null, findings: [] })
  })

  test.each([
    ['(module)', 'The module does not export a function "_start".'],
    [
      '(module (memory (export "memory") 1) (func (export "_start") i32.add))',
      'does not validate: Compiling',
    ],
    [
      '(module (import "env" "x" (func)) (memory (export "memory") 1) (func (export "_start")))',
      'imports.env.x: ',
    ],
  ])('in a module is reported: %s', async (source, reason) => {
    const { status, stdout } = await check(project('rot13', { module: await assembleWat(source) }))
    expect(status).toBe(1)
    expect(stdout).toContain('✗ Module    would be rejected')
    expect(stdout).toContain(reason)
    expect(stdout).toContain('✓ Manifest  valid')
  })

  test('a file that is not a module and one that is too large are rejected quickly', async () => {
    const text = await check(project('rot13', { module: Buffer.from('(module)') }))
    expect(text).toMatchObject({ status: 1, stdout: expect.stringContaining('WebAssembly text') })
    const large = padModule(readFileSync(join(skills, 'rot13/rot13.wasm')), 16_777_217)
    const examples = [
      { input: 'a', output: 'n' },
      { input: 'a', output: 'n' },
    ]
    const { status, stdout } = await check(project('rot13', { module: large, manifest: { examples } }))
    expect([status, stdout]).toEqual([1, expect.stringContaining('The module is larger than 16 MiB.')])
    expect(stdout).toContain('Example 2 is the same as example 1')
  })

  test.each([
    [[], 'manifest.json does not exist.', 'To create a new skill, run: skill init'],
    [['--manifest', 'none.json'], 'none.json does not exist.', 'skill init'],
    [['--manifest', 'named.json'], 'named.wasm does not exist.', 'Build it first'],
    [
      ['--manifest', 'nameless.json'],
      'nameless.json has no valid "name"',
      'pass the module with --wasm FILE',
    ],
  ])('missing files are named: %j', async (args, sentence, next) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'named.json'), '{"name":"named"}')
    writeFileSync(join(cwd, 'nameless.json'), '{"name":"../up"}')
    const { status, stdout, stderr } = await skillHere(['check', ...args], { folder: cwd })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).toContain(next)
  })
})

describe('findings', () => {
  const { readme } = readManifest('rot13')
  const withWarning = { readme: `${readme}\n\nSee http://203.0.113.77/ and bit.ly: https://bit.ly/abc` }
  const withError = { readme: `${readme}\n\nSee [github.com/x](https://elsewhere.example/x).` }

  test('an error fails the check, a warning only if requested', async () => {
    const failing = await check(project('rot13', { manifest: withError }))
    expect(failing).toMatchObject({ status: 1 })
    expect(failing.stdout).toContain('✗ Findings  1 error, 1 note\n')
    expect(failing.stdout).toContain('The readme contains a disguised link')
    expect(failing.stdout).toMatch(/would accept this release, but reviewers would see an error\.\n$/)

    const folder = project('rot13', { manifest: withWarning })
    const withWarnings = await check(folder)
    expect(withWarnings).toMatchObject({ status: 0 })
    expect(withWarnings.stdout).toMatch(/^! Findings {2}\d warnings?, 1 note$/m)
    const strict = await check(folder, ['--strict'])
    expect(strict).toMatchObject({ status: 1 })
    expect(strict.stdout).toMatch(
      /The registry would accept this release, but --strict treats warnings as errors\.\n$/,
    )
  })

  test('are the same as in the registry', async () => {
    const app = await startTestServer()
    try {
      const folder = project('csv-to-json', { manifest: withWarning })
      const { data } = await checkJson(folder)
      const token = await app.token({ subject: 'alice' })
      const sent = await publish(
        app.registry,
        token,
        readFileSync(join(folder, 'manifest.json'), 'utf8'),
        readFileSync(join(folder, 'csv-to-json.wasm')),
      )
      expect(sent.status).toBe(201)
      const { items } = (
        await call<{ items: { sha256: string; findings: Finding[] }[] }>(
          `${app.registry}/api/skilldock/mine`,
          { token },
        )
      ).body
      const keys = (findings: readonly Finding[] = []): string[] =>
        findings.map(({ check: id, severity, fingerprint }) => `${severity} ${id} ${fingerprint}`)
      expect(items[0]?.sha256).toBe(data.sha256)
      const localFindings = data.findings.filter((finding) => finding.check !== 'import-unused')
      expect(localFindings.length).toBeGreaterThan(1)
      expect(keys(localFindings)).toEqual(keys(items[0]?.findings))
    } finally {
      await app.stop()
    }
  })
})

const notLinux = process.platform !== 'linux'

test.skipIf(notLinux)(
  `on a terminal it shows progress, in color${notLinux ? ` (${ALLOWED_SKIPS.otherSystem})` : ''}`,
  async () => {
    const { status, seen } = await runOnTerminal(['check'], { cwd: join(skills, 'rot13') })
    expect(status).toBe(0)
    expect(seen).toContain('Running example 2 of 3\r\u001B[2K')
    expect(seen).toContain('\u001B[32m✓\u001B[39m \u001B[1mManifest')
  },
)
