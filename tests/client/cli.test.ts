import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { commandLoaders, loadAllCommands } from '../../src/client/commands/command-loaders.ts'
import { exitCodeHelp, exitCodes } from '../../src/client/exit-codes.ts'
import { padModule } from '../support/fixtures/big-modules.ts'
import { startClient } from '../support/client/client.ts'
import { skillHere } from '../support/client/client-here.ts'
import { onTerminal, scriptProgram } from '../support/client/pty.ts'
import { behindHostileServer, control, signedInAt } from '../support/client/signed-in-client.ts'
import { quietManifest, stepModule, writeProject } from '../support/client/skill-project.ts'

const allCommands = await loadAllCommands()
const parts = behindHostileServer()
const signedIn = (): Record<string, string> => signedInAt(parts)

describe('help', () => {
  test('lists every command once, every variable and every exit code', async () => {
    const { status, stdout } = await skillHere(['--help'])
    expect(status).toBe(exitCodes.done)
    for (const { name, summary } of allCommands) {
      expect(stdout.split(`\n  ${name.padEnd(10)}  ${summary}\n`)).toHaveLength(2)
    }
    for (const [code, meaning] of exitCodeHelp) {
      expect(stdout).toContain(`  ${String(code).padEnd(5)}  ${meaning}`)
    }
    expect(new Set(exitCodeHelp.map(([code]) => code))).toEqual(new Set(Object.values(exitCodes)))
    for (const name of ['SKILL_REGISTRY', 'SKILL_TOKEN', 'SKILL_TIMEOUT', 'NO_COLOR', 'FORCE_COLOR']) {
      expect(stdout).toContain(name)
    }
  })

  test.each([[[]], [['-h']], [['help']]])('is printed for %j', async (args) => {
    expect(await skillHere(args)).toEqual(await skillHere(['--help']))
    expect(await skillHere([...args, '--json'])).toEqual(await skillHere(['--help', '--json']))
  })

  test('lists commands sorted by name', () => {
    const names = allCommands.map(({ name }) => name)
    expect(names).toEqual(names.toSorted())
    expect(names).toEqual([...commandLoaders.keys()])
  })

  test.each(allCommands.map((command) => [command.name, command] as const))(
    'for %s shows its usage, all of its options and an example',
    async (name, { usage, summary, options }) => {
      const { status, stdout } = await skillHere([name, '--help'])
      expect(status).toBe(exitCodes.done)
      expect(stdout).toMatch(summary)
      for (const form of usage) expect(stdout).toContain(`skill ${name} ${form}`.trim())
      for (const option of Object.keys(options)) expect(stdout).toMatch(new RegExp(`\n  --${option}\\b`))
      expect(stdout).toMatch(new RegExp(`\n  .*skill ${name}`))
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
      expect(await skillHere(['help', name])).toEqual({ status, stdout, stderr: '' })
      expect(await skillHere([name, '-h'])).toEqual({ status, stdout, stderr: '' })
    },
  )
})

test.each(allCommands.map(({ name }) => name))('%s --version prints the version', async (name) => {
  expect(await skillHere([name, '--version'])).toEqual(await skillHere(['--version']))
})

describe('an invalid command line', () => {
  test.each<[string[], RegExp]>([
    [['serach'], /^skill: Unknown command "serach"\.\nFor a list of commands, run: skill --help\n$/],
    [['help', 'serach'], /Unknown command "serach"/],
    [
      ['search', '--ofset', '5'],
      /^skill: .*--ofset.*\nUsage: skill search \[WORDS\] \[--offset N\]\nFor details, run: skill search --help\n$/,
    ],
    [['search', '--offset'], /--offset/],
    [['search', '--offset', 'ten'], /--offset must be a whole number from 0 to 100000\./],
    [['search', '--offset', '100001'], /--offset must be a whole number from 0 to 100000\./],
    [['info'], /^skill: An argument is missing\.\nUsage: skill info NAME\[@VERSION\]\n/],
    [['info', 'one', 'two'], /^skill: Too many arguments\.\n/],
    [['mine', 'all'], /^skill: Too many arguments\.\n/],
    [
      ['info', 'No-Name'],
      /"No-Name" is not a valid skill name\.\nUse NAME or NAME@VERSION, such as csv-to-json@1\.0\.0\.\n$/,
    ],
    [
      ['search', '--offset', '-1'],
      /^skill: Option '--offset' [^\n]* with a dash use '--offset=-XYZ'\.\nUsage: /,
    ],
    [['search', '--registry', 'skills'], /"skills" is not a valid registry address/],
    [['search', '--registry', 'ftp://skills.example.com'], /is not a valid registry address/],
    [
      ['search', '--registry', 'https://me:secret@skills.example.com'],
      /must not contain a user name or password/,
    ],
    [['search', '--registry', 'https://skills.example.com/?x=1'], /and everything after it/],
  ])('%j explains the correct usage', async (args, message) => {
    const { status, stdout, stderr } = await skillHere(args, { env: { SKILL_REGISTRY: parts.proxy.url } })
    expect({ status, stdout }).toEqual({ status: exitCodes.usage, stdout: '' })
    expect(stderr).toMatch(message)
    expect(parts.proxy.seen).toEqual([])
  })

  test.each(['0', '0.01', '4000', 'long', '-1'])('SKILL_TIMEOUT=%s is rejected', async (seconds) => {
    const env = { SKILL_REGISTRY: parts.proxy.url, SKILL_TIMEOUT: seconds }
    const { status, stderr } = await skillHere(['search'], { env })
    expect(status).toBe(exitCodes.usage)
    expect(stderr).toBe(
      `skill: SKILL_TIMEOUT is "${seconds}" but must be 0.1 to 3600 seconds.\nUnset it to use the default of 30 seconds.\n`,
    )
  })

  test('without a registry says how to set one', async () => {
    const { status, stderr } = await skillHere(['search'])
    expect(status).toBe(exitCodes.usage)
    expect(stderr).toMatch('Pass --registry URL or set SKILL_REGISTRY.\n')
  })
})

describe('the choice of the registry', () => {
  test('--registry takes precedence over SKILL_REGISTRY, before or after the command', async () => {
    const env = { SKILL_REGISTRY: 'http://127.0.0.1:9' }
    for (const args of [
      ['search', 'tool', '--registry', parts.proxy.url],
      ['--registry', parts.proxy.url, 'search', 'tool'],
      [`--registry=${parts.proxy.url}/`, '--json', 'search', 'tool'],
    ]) {
      expect((await skillHere(args, { env })).status).toBe(exitCodes.done)
    }
    expect((await skillHere(['search'], { env })).status).toBe(exitCodes.unreachable)
  })
})

describe('--json', () => {
  test.each<[string[], number]>([
    [['--help'], exitCodes.done],
    [['--version'], exitCodes.done],
    [['search', '--help'], exitCodes.done],
    [['search'], exitCodes.done],
    [['search', 'nothing-of-this-name'], exitCodes.done],
    [['info', 'tool'], exitCodes.done],
    [['install', 'tool'], exitCodes.done],
    [['mine'], exitCodes.done],
    [['status'], exitCodes.notFound],
    [['info', 'no-such-skill'], exitCodes.notFound],
    [['install'], exitCodes.failed],
    [['install', '--frozen'], exitCodes.failed],
    [['publish'], exitCodes.failed],
    [['check'], exitCodes.failed],
    [['run', 'tool'], exitCodes.notRun],
    [['no-such-command'], exitCodes.usage],
    [['search', '--no-such-option'], exitCodes.usage],
    [['info'], exitCodes.usage],
    [['search', '--registry', 'http://127.0.0.1:9'], exitCodes.unreachable],
  ])('%j writes one document and nothing else, and exits with %i', async (args, exitCode) => {
    const env = { ...signedIn(), SKILL_TOKEN: await parts.app.token({ subject: 'nobody' }) }
    const { status, stdout } = await skillHere([...args, '--json'], { env })
    expect(status).toBe(exitCode)
    expect(stdout.endsWith('}\n')).toBe(true)
    const document = JSON.parse(stdout) as { error?: Record<string, unknown> }
    if (exitCode === exitCodes.done) expect(document.error).toBeUndefined()
    else {
      expect(document.error).toMatchObject({
        message: expect.stringMatching(/\.$/),
        code: expect.stringMatching(/^[A-Z][A-Z_]+$/),
        exitCode,
      })
    }
  })

  test.each(allCommands.map(({ name }) => name))('is accepted by %s', async (name) => {
    const { stdout } = await skillHere([
      name,
      '--json',
      '--registry',
      'http://127.0.0.1:9',
      '--no-such-option',
    ])
    expect(JSON.parse(stdout)).toMatchObject({ error: { message: "Unknown option '--no-such-option'." } })
  })

  test('after -- is an argument, not an option', async () => {
    const { stdout } = await skillHere(['search', '--', '--json'], {
      env: { SKILL_REGISTRY: parts.proxy.url },
    })
    expect(stdout).toBe('No approved skills match "--json".\n')
  })
})

describe('colors', () => {
  const colored = '\u001B['

  test('are used on a terminal, unless turned off', async () => {
    const env = { SKILL_REGISTRY: parts.proxy.url }
    expect((await skillHere(['info', 'tool'], { env, columns: 80 })).stdout).toContain(colored)
    expect((await skillHere(['info', 'tool'], { env })).stdout).not.toContain(colored)
    for (const more of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      const { stdout } = await skillHere(['info', 'tool'], { env: { ...env, ...more }, columns: 80 })
      expect(stdout).not.toContain(colored)
    }
  })

  test('are used without a terminal with FORCE_COLOR, which overrides NO_COLOR', async () => {
    const env = { SKILL_REGISTRY: parts.proxy.url }
    const info = (more: Record<string, string>, columns?: number) =>
      skillHere(['info', 'tool'], { env: { ...env, ...more }, ...(columns === undefined ? {} : { columns }) })
    expect((await info({ FORCE_COLOR: '1' })).stdout).toContain(colored)
    expect((await info({ FORCE_COLOR: '1', NO_COLOR: '1' })).stdout).toContain(colored)
    expect((await info({ FORCE_COLOR: '0' }, 80)).stdout).not.toContain(colored)
  })

  test('are never in JSON', async () => {
    const env = { SKILL_REGISTRY: parts.proxy.url, FORCE_COLOR: '1' }
    expect((await skillHere(['info', 'tool', '--json'], { env, columns: 80 })).stdout).not.toMatch(control)
  })

  describe.skipIf(scriptProgram === null)('on a real terminal', () => {
    test('are used by the installed program, and so is the progress indicator', async () => {
      const manifest = quietManifest({ name: 'on-terminal' })
      const cwd = await writeProject({ manifest, wasm: padModule(await stepModule(), 3_000_000) })
      const { status, screen } = await onTerminal(['publish'], { cwd, env: signedIn() })
      expect(status).toBe(exitCodes.done)
      expect(screen).toContain(colored)
      expect(screen).toContain('\r\u001B[2KRunning example 1 of 1')
      expect(screen).toMatch(/Uploading {2}█+░* {2} *\d+% {2}[\d.]+ \w+ of 2\.9 MiB/)
      expect(screen).toContain('\r\u001B[2K\u001B[32m✓\u001B[39m Submitted on-terminal 1.0.0')
    })

    test('no line is wider than the terminal', async () => {
      const { screen } = await onTerminal(['search'], { columns: 40, env: signedIn() })
      // oxlint-disable-next-line no-control-regex
      const lines = screen.replaceAll(/\u001B\[\d+m/g, '').split(/\r?\n/)
      expect(lines[0]).toMatch(/^NAME +VERSION/)
      expect(Math.max(...lines.map((line) => [...line].length))).toBe(40)
      expect(lines.some((line) => line.endsWith('…'))).toBe(true)
    })

    test('a long name is cut in the progress indicator, of which only one line can be replaced', async () => {
      const name = `tool-${'with-a-long-name-'.repeat(3)}2`
      await parts.app.release({ name }, 'approved')
      const { status, screen } = await onTerminal(['install', name], { columns: 80, env: signedIn() })
      expect(status).toBe(exitCodes.done)
      const shown = screen.split(/[\r\n]/).filter((line) => line.includes('█'))
      expect(shown.length).toBeGreaterThan(0)
      expect(shown.map((line) => [...line.replace('\u001B[2K', '')].length)).toEqual(shown.map(() => 80))
      expect(shown[0]).toMatch(/tool-with-a-long-.*… {2}█{24} {2}100% {2}(\d+ \w+) of \1$/)
    })

    test('are off with NO_COLOR', async () => {
      const { screen } = await onTerminal(['info', 'tool'], { env: { ...signedIn(), NO_COLOR: '1' } })
      expect(screen).toMatch('tool 1.0.0')
      expect(screen).not.toContain(colored)
    })
  })
})

test('skill exits silently when the reader closes the pipe', async () => {
  const { child, output } = startClient(['--help'], { stdin: null })
  child.stdout?.destroy()
  const [status] = (await once(child, 'close')) as [number]
  expect({ status, stderr: output.stderr }).toEqual({ status: 0, stderr: '' })
})
