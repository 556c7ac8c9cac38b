import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runCommand } from './run-command.ts'

let folder: string
let written: { stdout: string; stderr: string }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-commands-'))
  vi.stubEnv('SKILLDOCK_DATA', join(folder, 'data'))
  written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text)
      return true
    })
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const run = (args: string[]) =>
  runCommand(args, {
    appFolder: '',
    startHelper: () => {
      throw new Error('No command here starts a process.')
    },
    skillsFolder: '',
    markdownEntry: '',
    workerEntry: '',
  })

const tokenMistakes: [string[], RegExp][] = [
  [[], /--subject/],
  [['--subject', ''], /--subject must be 1 to 200/],
  [['--subject', 'x'.repeat(201)], /--subject must be 1 to 200/],
  [['--subject', 'jörg'], /--subject must be 1 to 200/],
  [['--subject'], /--subject/],
  [['--subject', 'x', '--ttl', '0s'], /--ttl "0s"/],
  [['--subject', 'x', '--ttl', '1'], /--ttl "1"/],
  [['--subject', 'x', '--ttl=-1h'], /--ttl "-1h"/],
  [['--subject', 'x', '--ttl', '1.5h'], /--ttl "1.5h"/],
  [['--subject', 'x', '--ttl', '1w'], /--ttl "1w"/],
  [['--subject', 'x', '--ttl', '3651d'], /--ttl "3651d"/],
  [['--subject', 'x', '--ttl', ''], /--ttl ""/],
  [['--subject', 'x', '--scope', 'all'], /Invalid scope "all"/],
  [['--subject', 'x', '--scope', ''], /Invalid scope ""/],
  [['--subject', 'x', '--role', 'administrator'], /Invalid role "administrator"/],
  [['--subject', 'x', '--role', ''], /Invalid role ""/],
  [['--subject', 'x', '--label', ''], /--label must have at least 1 character/],
  [['--subject', 'x', '--label', 'x'.repeat(101)], /--label must have at most 100 characters/],
  [['--subject', 'x', '--label', 'a\nb'], /--label must not contain control characters/],
  [['--subject', 'x', '--name', '  '], /--name must have at least 1 character/],
  [['--subject', 'x', '--name', 'x'.repeat(101)], /--name must have at most 100 characters/],
  [['--subject', 'x', '--color', 'red'], /--color/],
  [['--subject', 'x', 'y'], /Unexpected argument "y"/],
]
const peopleMistakes: [string[], RegExp][] = [
  [[], /Missing action: list, add, role, remove, tokens or revoke/],
  [['dance'], /Unknown action "dance"\. Use list, add, role, remove, tokens or revoke\./],
  [['add'], /Missing argument\. Usage: skilldock people add NAME$/m],
  [['add', 'a b'], /NAME must be 1 to 200 visible ASCII characters/],
  [['add', 'a', '--role', 'king'], /Invalid role "king"/],
  [['add', 'a', '--name', ''], /--name must have at least 1 character/],
  [['add', 'a', 'b'], /Unexpected argument "b"/],
  [['role', 'a'], /Missing role/],
  [['role'], /Usage: skilldock people role NAME admin\|reviewer\|editor\|developer$/m],
  [['role', 'a', 'king'], /Invalid role "king"/],
  [['role', 'a', 'admin', 'x'], /Unexpected argument "x"/],
  [['remove'], /Usage: skilldock people remove NAME$/m],
  [['remove', 'a', 'b'], /Unexpected argument "b"/],
  [['tokens'], /Usage: skilldock people tokens NAME$/m],
  [['revoke'], /Usage: skilldock people revoke TOKEN-ID$/m],
  [['list', 'a'], /Unexpected argument "a"/],
  [['list', '--yaml'], /--yaml/],
]
const otherMistakes: [string[], RegExp][] = [
  [['demo', 'extra'], /^Unexpected argument "extra"\.\nSee: skilldock demo --help\n$/],
  [['backup', '--nope', 'x.tar'], /^Unknown option '--nope'\.\nSee: /],
  [['start', '--patience', '0'], /--patience must be a whole number of seconds/],
  [['start', 'x'], /x/],
  [['serve', 'x'], /Unexpected argument "x"/],
  [['desk', 'x'], /x/],
  [['demo', '--live'], /--live needs --agents/],
  [['demo', '--agents', ''], /--agents needs a folder/],
  [['backup'], /Usage: skilldock backup FILE$/m],
  [['backup', 'a', 'b'], /Unexpected argument "b"/],
  [['restore'], /Usage: skilldock restore FILE$/m],
  [['restore', 'a', 'b'], /Unexpected argument "b"/],
  [['verify', 'a', 'b'], /Unexpected argument "b"/],
  [['verify', '--repair', 'a'], /A backup can't be repaired/],
]
const mistakes = [
  ...tokenMistakes.map(([args, naming]) => [['token', ...args], naming] as const),
  ...peopleMistakes.map(([args, naming]) => [['people', ...args], naming] as const),
  ...otherMistakes,
]

test.each(mistakes)(
  '%j exits with status 2 and names the mistake, and creates nothing',
  async (args, naming) => {
    expect(await run([...args])).toBe(2)
    expect(written.stdout).toBe('')
    expect(written.stderr).toMatch(naming)
    expect(written.stderr).toMatch(new RegExp(`^See: skilldock ${args[0]} --help$`, 'm'))
    expect(written.stderr).not.toMatch(/^\s+at /m)
    expect(readdirSync(folder)).toEqual([])
  },
)

test.each(['dance', 'constructor', '__proto__', 'toString', '', '--subject'])(
  'an unknown command "%s" exits with status 2 and lists the commands',
  async (command) => {
    expect(await run([command, 'x'])).toBe(2)
    expect(written.stdout).toBe('')
    expect(written.stderr).toMatch(
      new RegExp(`^Unknown command "${command}"\\. Commands: .*serve, token, people`),
    )
    expect(written.stderr).toMatch(/^See: skilldock --help$/m)
  },
)

test('a database that cannot be used, and a folder in place of a file, are reported with what to do', async () => {
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data/skilldock.db'), Buffer.alloc(8192, 7))
  expect(await run(['people', 'list'])).toBe(1)
  expect(written.stderr).toBe(
    'The database cannot be used: file is not a database. To see what is wrong, run: skilldock doctor\n',
  )
  written.stderr = ''
  expect(await run(['verify', folder])).toBe(1)
  expect(written.stderr).toBe(`${folder} is a folder.\n`)
})
