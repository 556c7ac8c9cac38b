import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commands } from '../../src/server/commands/run-command.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, projectRoot, skilldock, temporaryFolder } from '../support/server/command-line.ts'

afterAll(cleanUp)

const run = (...args: string[]) => skilldockHere(temporaryFolder(), args)

test.each([[['--help']], [['-h']], [['help']], [['help', '--help']], [['help', 'help']]])(
  '%j shows all commands, settings and exit statuses',
  async (args) => {
    const { status, stdout, stderr } = await run(...args)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: skilldock COMMAND/m)
    for (const command of ['serve', 'token', 'people', 'help'])
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    for (const name of ['DATA', 'HOST', 'PORT', 'DASHBOARD_PORT', 'PUBLIC_URL', 'TLS_CERT', 'READY_FILE']) {
      expect(stdout).toContain(`SKILLDOCK_${name}`)
    }
    for (const code of [0, 1, 2, 3, 4]) expect(stdout).toMatch(new RegExp(`^  ${code}  \\S`, 'm'))
  },
)

test.each([[['help', 'dance']], [['help', 'constructor']]])(
  '%j names the unknown command, with status 2',
  async (args) => {
    const { status, stdout, stderr } = await run(...args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain(`Unknown command "${args[1]}".`)
  },
)

test('--version prints the version', async () => {
  const { version } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string
  }
  expect(await skilldock(temporaryFolder(), ['--version'])).toMatchObject({
    status: 0,
    stdout: `${version}\n`,
    stderr: '',
  })
})

test.each(commands.map(({ name }) => name))(
  '%s --help, -h and "help" before it show that command alone',
  async (command) => {
    const lines = [
      [command, '--help'],
      [command, '-h'],
      ['help', command],
      ['help', '-h', command],
    ]
    const pages = await Promise.all(lines.map((args) => run(...args)))
    for (const { status, stdout, stderr } of pages) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^Usage: skilldock ${command}`))
      expect(stdout).toBe(pages[0]?.stdout)
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
    }
  },
)

test('without a command it shows the overview, with status 2', async () => {
  const { status, stdout } = await run()
  expect(status).toBe(2)
  expect(stdout).toMatch(/^Usage: skilldock COMMAND/m)
})

test.each(['dance', 'constructor'])('the unknown command "%s" is named, with status 2', async (command) => {
  const { status, stdout, stderr } = await run(command, 'x')
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^Unknown command "${command}"\\. Commands: .*serve, token, people`))
  expect(stderr).toMatch(/^See: skilldock --help$/m)
})

test.each([
  [['--port', '80'], '--port is a setting, not an option. Set SKILLDOCK_PORT, or "port" in settings.json.'],
  [['--undo-ms=0'], '--undo-ms is a setting, not an option. Set "undoMs" in settings.json.'],
  [['--nothing'], "Unknown option '--nothing'."],
  [['80'], 'Unexpected argument "80".'],
])('serve %j says what to do instead', async (args, expected) => {
  const { status, stdout, stderr } = await run('serve', ...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(expected)
})
