import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEBIAN_PACKAGES } from './support/programs.ts'
import { compileCache } from './support/server/command-line.ts'
import {
  addTallies,
  closingLine,
  countOutcomes,
  durationLines,
  findOverspending,
  readPlaywrightReport,
  readVitestReport,
  type Outcome,
} from './support/reports.ts'

const PROJECT = join(import.meta.dirname, '..')

// A separate project with the real runner and real suites, so that the reports are real as well.
const root = mkdtempSync(join(tmpdir(), 'skilldock-runner-'))

beforeAll(() => {
  for (const path of ['tests/run.ts', 'tests/support', 'resources/skills/c-toolchain.ts', 'package.json']) {
    cpSync(join(PROJECT, path), join(root, path), { recursive: true })
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'), 'junction')
  const files = {
    'vitest.config.ts':
      "export default { test: { include: ['unit/*.test.ts'], retry: 1, pool: 'threads', isolate: false } }",
    'unit/good.test.ts':
      "import { test } from 'vitest'\ntest('a', () => {})\ntest.skip('needs Electron\\'s binary', () => {})",
    'unit/bad.test.ts':
      "import { describe, expect, test } from 'vitest'\ntest('a', () => {})\n" +
      "describe('of two', () => test('b', () => expect(1).toBe(2)))",
    'unit/flaky.test.ts':
      "import { expect, test } from 'vitest'\nlet tries = 0\n" +
      "test('works in the end', () => expect((tries += 1)).toBe(2))",
    'unit/stray.test.ts':
      "import { test } from 'vitest'\ntest('a', () => void Promise.reject(new Error('stray')))",
    'unit/broken.test.ts': "import 'no-such-package'",
    'unit/many.test.ts':
      "import { expect, test } from 'vitest'\n" +
      'for (let index = 1; index <= 42; index += 1) test(`t${index}`, () => expect(index).toBe(0))',
    'unit/clang.test.ts':
      "import { describe, expect, test } from 'vitest'\n" +
      "import { requireProgram, skipWithout } from '../tests/support/programs.ts'\n" +
      "describe.skipIf(skipWithout('clang'))('C', () => {\n" +
      "  test('has its compiler', () => expect(requireProgram('clang')).not.toBeNull())\n})",
    'unit/plain-skip.test.ts': "import { test } from 'vitest'\ntest.skip('for no good reason', () => {})",
    'browser/good.spec.ts':
      "import { expect, test } from '@playwright/test'\ntest('a', () => {})\n" +
      "test('b', () => test.skip(true, 'needs another operating system'))\n" +
      "test('c', { tag: '@alone' }, () => expect(test.info().config.workers).toBe(1))",
    'browser/bad.spec.ts':
      "import { expect, test } from '@playwright/test'\n" +
      // A retry takes a new process of Playwright each time.
      "test.describe('of two', () => {\n  test.describe.configure({ retries: 0 })\n" +
      "  test('a', () => expect(1).toBe(2))\n})",
    'browser/flaky.spec.ts':
      "import { expect, test } from '@playwright/test'\n" +
      "test('opens in the end', () => expect(test.info().retry).toBe(1))",
  }
  mkdirSync(join(root, 'unit'))
  mkdirSync(join(root, 'browser'))
  for (const [file, source] of Object.entries(files)) writeFileSync(join(root, file), source)
})

afterAll(() => rmSync(root, { recursive: true }))

const runWithBrowserTests = (filters: string[]): ReturnType<typeof run> => {
  const config = join(root, 'playwright.config.ts')
  writeFileSync(
    config,
    "export default { testDir: 'browser', retries: 1, workers: 2, projects: [{ name: 'e2e' }, { name: 'desktop' }] }",
  )
  try {
    return run(filters)
  } finally {
    rmSync(config)
  }
}

const run = (
  filters: string[],
  env: Record<string, string> = {},
): { status: number | null; output: string; lines: string[]; last: string } => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|PLAYWRIGHT_)/.test(name))
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'tests/run.ts'), ...filters], {
    encoding: 'utf8',
    env: {
      ...Object.fromEntries(inherited),
      NODE_COMPILE_CACHE: compileCache,
      SKILLDOCK_TEST_STRICT: '',
      SKILLDOCK_TEST_PROVIDE: '0',
      ...env,
    },
  })
  const lines = stdout.trimEnd().split('\n')
  return { status, output: stdout + stderr, lines, last: lines.at(-1) ?? '' }
}

const STRICT = { SKILLDOCK_TEST_STRICT: '1' }
// A folder without programs, so that none of the installed ones is found.
const NO_PROGRAMS = { PATH: join(PROJECT, 'tests/support') }

// Each test runs several programs in sequence, which takes long on a busy machine.
describe('the runner', { timeout: 120_000 }, () => {
  test('adds up vitest and every Playwright project, and counts a test that passes on a retry as failed', () => {
    const ran = runWithBrowserTests(['good', 'bad', 'flaky'])
    expect(ran).toMatchObject({ status: 1, last: '6 passed, 6 failed, 3 skipped' })
    const unequal = 'Error: expect(received).toBe(expected) // Object.is equality'
    expect(ran.lines.slice(-7, -1)).toEqual([
      'failed: unit/bad.test.ts > of two > b: AssertionError: expected 1 to be 2 // Object.is equality',
      'failed: unit/flaky.test.ts > works in the end: AssertionError: expected 1 to be 2 // Object.is equality',
      `failed: e2e > bad.spec.ts > of two > a: ${unequal}`,
      `failed: desktop > bad.spec.ts > of two > a: ${unequal}`,
      `failed: e2e > flaky.spec.ts > opens in the end: ${unequal}`,
      `failed: desktop > flaky.spec.ts > opens in the end: ${unequal}`,
    ])
  })

  test('lists forty failed tests of a suite and counts the rest', () => {
    const ran = run(['many'])
    expect(ran).toMatchObject({ status: 1, last: '0 passed, 42 failed' })
    const named = ran.lines.filter((line) => line.startsWith('failed: '))
    expect(named).toHaveLength(41)
    expect(named[39]).toContain('unit/many.test.ts > t40: AssertionError: expected 40 to be')
    expect(named[40]).toBe('failed: 2 more')
  })

  test("passes in strict mode if the only skipped test needs Electron's binary", () => {
    expect(run(['good'], STRICT)).toMatchObject({ status: 0, last: '1 passed, 0 failed, 1 skipped' })
  })

  test('fails with an error outside the tests', () => {
    const ran = run(['stray'])
    expect(ran).toMatchObject({ status: 1, last: '1 passed, 1 failed' })
    // vitest does not always know which test ran last.
    expect(ran.lines.at(-2)).toMatch(
      /^failed: uncaught error during or after unit\/stray\.test\.ts( > a)?: Error: stray$/,
    )
  })

  test('fails with a file that cannot be loaded', () => {
    const ran = run(['broken'])
    expect(ran).toMatchObject({ status: 1, last: '0 passed, 1 failed' })
    expect(ran.lines.at(-2)).toMatch(/^failed: unit\/broken\.test\.ts: .*no-such-package/)
  })

  test('fails when no test was run', () => {
    expect(run(['nothing-has-this-name'])).toMatchObject({ status: 1, last: '0 passed, 1 failed' })
  })

  test('fails when a suite writes no report', () => {
    const config = join(root, 'vitest.config.ts')
    const original = readFileSync(config)
    writeFileSync(config, 'process.exit(0)')
    try {
      expect(run(['good'])).toMatchObject({ status: 1, last: '0 passed, 1 failed' })
    } finally {
      writeFileSync(config, original)
    }
  })

  test.runIf(process.platform === 'linux')('names the command that provides a missing program', () => {
    const without = run(['clang', 'plain-skip'], NO_PROGRAMS)
    expect(without).toMatchObject({ status: 0, last: '0 passed, 0 failed, 2 skipped' })
    expect(without.output).toMatch(
      /apt-get install -y clang lld wasi-libc libclang-rt-dev-wasm32 cargo rustc libstd-rust-dev-wasm32 caddy openssl shellcheck dash busybox curl wget prometheus zsh fish mandoc groff-base skopeo systemd python3\n/,
    )
  })

  test('counts a missing program and a plain skip as failed in strict mode', () => {
    const strict = run(['clang', 'plain-skip'], { ...NO_PROGRAMS, ...STRICT })
    expect(strict).toMatchObject({ status: 1, last: '0 passed, 2 failed' })
    expect(strict.output).toContain(
      'skipped (counts as failed): unit/plain-skip.test.ts > for no good reason',
    )
  })

  test('accepts filters but no options', () => {
    expect(run(['--watch']).status).toBe(2)
    expect(run(['--help'])).toMatchObject({ status: 0, output: expect.stringContaining('FILTER') })
  })
})

const skipped = (name: string, reason = ''): Outcome => ({
  name,
  status: 'skipped',
  reason,
  message: '',
  file: '',
  ms: 0,
})

const vitestTest = (title: string, status: string, failureMessages: string[] = []) => ({
  ancestorTitles: ['b'],
  title,
  status,
  failureMessages,
})

describe('reports', () => {
  test('a vitest file that failed without a failed test counts as one', () => {
    const file = {
      name: join(root, 'unit/a.test.ts'),
      status: 'failed',
      message: '\u001B[31mcannot load\u001B[39m\nit',
      assertionResults: [],
    }
    expect(readVitestReport({ testResults: [file], unhandledErrors: [] }, root)).toMatchObject([
      { name: 'unit/a.test.ts', status: 'failed', message: 'cannot load' },
    ])
  })

  test('every vitest status is passed, failed or skipped', () => {
    const statuses = ['passed', 'failed', 'skipped', 'todo', 'pending', 'something new']
    const assertionResults = statuses.map((status) => vitestTest(status, status))
    const file = { name: join(root, 'a.test.ts'), status: 'failed', message: '', assertionResults }
    expect(
      readVitestReport({ testResults: [file], unhandledErrors: [] }, root).map(({ status }) => status),
    ).toEqual(['passed', 'failed', 'skipped', 'skipped', 'skipped', 'failed'])
  })

  test('Playwright suites may be nested, and errors outside tests count as failed', () => {
    const spec = {
      title: 'opens',
      tests: [{ projectName: 'e2e', status: 'unexpected', annotations: [], results: [] }],
    }
    const suite = { title: 'a.spec.ts', specs: [], suites: [{ title: 'desk', specs: [spec] }] }
    const outcomes = readPlaywrightReport({ suites: [suite], errors: [{ message: 'no server' }] })
    expect(outcomes).toMatchObject([
      { name: 'e2e > a.spec.ts > desk > opens', status: 'failed', message: '' },
      { name: 'an error outside the tests', status: 'failed', message: 'no server' },
    ])
  })

  test.each([[{}], [null], [{ testResults: 1 }], [{ suites: [] }]])('%j is not a report', (report) => {
    expect(() => readVitestReport(report, root)).toThrow()
    expect(() => readPlaywrightReport(report)).toThrow()
  })

  test('a skip is allowed by its title or its reason', () => {
    const outcomes = [
      skipped("the tray (needs Electron's binary)"),
      skipped('the registry key', 'needs another operating system'),
      skipped('the queue', 'needs more time'),
    ]
    expect(countOutcomes(outcomes, true)).toMatchObject({ passed: 0, failed: 1, skipped: 2 })
    expect(countOutcomes(outcomes, false)).toMatchObject({ passed: 0, failed: 0, skipped: 3 })
  })

  test('failed tests are listed with the first line of their first error', () => {
    const assertionResults = [
      vitestTest('at once', 'passed'),
      vitestTest('later', 'passed', ['Error: slow\n    at line 1']),
      vitestTest('never', 'failed', ['Error: wrong\n    at line 2', 'Error: wrong again']),
    ]
    const file = { name: join(root, 'a.test.ts'), status: 'failed', message: '', assertionResults }
    const outcomes = readVitestReport({ testResults: [file], unhandledErrors: [] }, root)
    expect(countOutcomes(outcomes, true)).toEqual({
      passed: 1,
      failed: 2,
      skipped: 0,
      remarks: ['failed: a.test.ts > b > later: Error: slow', 'failed: a.test.ts > b > never: Error: wrong'],
      seconds: {},
    })
  })

  test('durations of both runners are added up by area and printed, longest first', () => {
    const vitest = {
      name: join(root, 'tests/registry/a.test.ts'),
      status: 'passed',
      message: '',
      assertionResults: [
        { ...vitestTest('one', 'passed'), duration: 1500 },
        { ...vitestTest('two', 'passed'), duration: 2000 },
      ],
    }
    const spec = {
      title: 'opens',
      tests: [
        {
          projectName: 'e2e',
          status: 'flaky',
          annotations: [],
          results: [{ duration: 9000 }, { duration: 3000 }],
        },
      ],
    }
    const suite = { title: 'tests/e2e/a.spec.ts', specs: [], suites: [{ title: 'desk', specs: [spec] }] }
    const tally = addTallies([
      countOutcomes(readVitestReport({ testResults: [vitest], unhandledErrors: [] }, root), true),
      countOutcomes(readPlaywrightReport({ suites: [suite], errors: [] }), true),
    ])
    expect(tally.seconds).toEqual({ 'tests/registry': 3.5, 'tests/e2e': 12 })
    expect(durationLines(tally)).toEqual(['tests/e2e          12 s', 'tests/registry      4 s'])
  })

  test('an area that takes half more time than the others is reported, on a machine of any speed', () => {
    const budgets = {
      'tests/e2e': 400,
      'tests/client': 300,
      'tests/desk': 200,
      'tests/registry': 150,
      'src/shared': 60,
    }
    const at = (pace: number, change: Record<string, number>): string[] =>
      findOverspending(
        Object.fromEntries(
          Object.entries({ ...budgets, ...change }).map(([area, took]) => [area, took * pace]),
        ),
        budgets,
      )
    for (const pace of [0.5, 1, 3]) {
      expect(at(pace, {})).toEqual([])
      expect(at(pace, { 'tests/desk': 295 })).toEqual([])
      expect(at(pace, { 'tests/desk': 305 })).toEqual([
        expect.stringMatching(
          /^tests\/desk took \d+ s; at the pace of this run its limit is \d+ s\. .*budgets\.json$/,
        ),
      ])
      expect(at(pace, { 'tests/new': 210 })).toEqual([
        expect.stringMatching(/^tests\/new took \d+ s and has no budget/),
      ])
    }
    // A few more seconds in a small area are normal variation.
    expect(at(1, { 'src/tiny': 99, 'src/shared': 149 })).toEqual([])
    expect(at(1, { 'src/shared': 151 })).toEqual([expect.stringContaining('its limit is 150 s')])
    expect(at(1, { 'tests/e2e': 200, 'tests/registry': 50 })).toEqual([])
  })

  test('the closing line mentions skipped tests only if there are any', () => {
    const tally = { passed: 2, failed: 0, skipped: 0, remarks: [], seconds: {} }
    expect(closingLine(tally)).toBe('2 passed, 0 failed')
    expect(closingLine(addTallies([tally, { ...tally, failed: 1, skipped: 3 }]))).toBe(
      '4 passed, 1 failed, 3 skipped',
    )
  })
})

test(".ci/run installs every package that the tests' programs need", () => {
  const lines = readFileSync(join(PROJECT, 'tests/support/debian-packages.txt'), 'utf8').split('\n')
  const listed = lines.map((line) => line.split(' ')[0])
  expect(listed).toEqual(expect.arrayContaining(Object.values(DEBIAN_PACKAGES).flat()))
})
