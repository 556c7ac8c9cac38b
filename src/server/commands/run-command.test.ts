import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
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

const run = (words: string[]) =>
  runCommand(words, {
    appFolder: '',
    helpers: { modules: '', pictures: '', agents: '' },
    skillsFolder: '',
    markdownEntry: '',
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
  [['--subject', 'x', '--scope', 'all'], /scope is publish or admin, not "all"/],
  [['--subject', 'x', '--scope', ''], /scope is publish or admin, not ""/],
  [['--subject', 'x', '--role', 'administrator'], /role is admin or developer, not "administrator"/],
  [['--subject', 'x', '--role', ''], /role is admin or developer, not ""/],
  [['--subject', 'x', '--label', ''], /--label must have at least 1 character/],
  [['--subject', 'x', '--label', 'x'.repeat(101)], /--label must have at most 100 characters/],
  [['--subject', 'x', '--label', 'a\nb'], /--label must not hold control characters/],
  [['--subject', 'x', '--name', '  '], /--name must have at least 1 character/],
  [['--subject', 'x', '--name', 'x'.repeat(101)], /--name must have at most 100 characters/],
  [['--subject', 'x', '--colour', 'red'], /--colour/],
  [['--subject', 'x', 'y'], /y/],
]
const peopleMistakes: [string[], RegExp][] = [
  [[], /Say what to do: list, add, role, remove, tokens or revoke/],
  [['dance'], /There is no "people dance"/],
  [['add'], /who is to be added/],
  [['add', 'a b'], /NAME must be 1 to 200 visible ASCII characters/],
  [['add', 'a', '--role', 'king'], /role is admin or developer, not "king"/],
  [['add', 'a', '--name', ''], /--name must have at least 1 character/],
  [['add', 'a', 'b'], /"b" is one word too many/],
  [['role', 'a'], /Say which role/],
  [['role'], /whose role/],
  [['role', 'a', 'king'], /role is admin or developer, not "king"/],
  [['role', 'a', 'admin', 'x'], /"x" is one word too many/],
  [['remove'], /who is to be removed/],
  [['remove', 'a', 'b'], /"b" is one word too many/],
  [['tokens'], /whose tokens/],
  [['revoke'], /id of the token/],
  [['list', 'a'], /"a" is one word too many/],
  [['list', '--yaml'], /--yaml/],
]
const otherMistakes: [string[], RegExp][] = [
  [['start', '--patience', '0'], /--patience takes whole seconds/],
  [['start', 'x'], /x/],
  [['serve', 'x'], /serve takes no words/],
  [['desk', 'x'], /x/],
  [['demo', '--live'], /--live needs --agents/],
  [['demo', '--agents', ''], /--agents needs the folder/],
  [['backup'], /which file the backup is to be/],
  [['backup', 'a', 'b'], /"b" is one word too many/],
  [['restore'], /which backup is to be restored/],
  [['restore', 'a', 'b'], /"b" is one word too many/],
  [['verify', 'a', 'b'], /"b" is one word too many/],
  [['verify', '--repair', 'a'], /A backup is never changed/],
]
const mistakes = [
  ...tokenMistakes.map(([words, naming]) => [['token', ...words], naming] as const),
  ...peopleMistakes.map(([words, naming]) => [['people', ...words], naming] as const),
  ...otherMistakes,
]

test.each(mistakes)('%j is refused with status 2 and named, and nothing is made', async (words, naming) => {
  expect(await run([...words])).toBe(2)
  expect(written.stdout).toBe('')
  expect(written.stderr).toMatch(naming)
  expect(written.stderr).toMatch(new RegExp(`^See: skilldock ${words[0]} --help$`, 'm'))
  expect(written.stderr).not.toMatch(/^\s+at /m)
  expect(readdirSync(folder)).toEqual([])
})

test.each(['dance', 'constructor', '__proto__', 'toString', '', '--subject'])(
  'the unknown command "%s" is named, with status 2',
  async (command) => {
    expect(await run([command, 'x'])).toBe(2)
    expect(written.stdout).toBe('')
    expect(written.stderr).toMatch(
      new RegExp(`^There is no command "${command}"\\. The commands are .*serve, token, people`),
    )
    expect(written.stderr).toMatch(/^See: skilldock --help$/m)
  },
)
