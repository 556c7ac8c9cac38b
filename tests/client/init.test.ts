import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { runCommandLine } from '../../src/client/cli.ts'
import { readConfig } from '../../src/client/config.ts'
import { fillNewFolder } from '../../src/client/project/new-folder.ts'
import { languages, projectFiles } from '../../src/client/project/project-templates.ts'
import { maxManifestBytes } from '../../src/shared/contracts/manifest.ts'
import { parseManifest } from '../../src/shared/parse-manifest.ts'
import { cleanUpClients, clientFile, oldestNode, runClient } from '../support/client/client.ts'
import { skillHere, skillHereJson } from '../support/client/client-here.ts'
import { temporaryFolder } from '../support/server/command-line.ts'

afterAll(cleanUpClients)

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()
}

/** A person at a terminal who answers each question with a line, then ends the input or the program. */
async function atTerminal(
  folder: string,
  args: readonly string[],
  answers: readonly string[],
  ending?: AbortController,
): Promise<{ status: number; shown: string; out: string; left: number }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stdout = new PassThrough()
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  const left = [...answers]
  let out = ''
  let shown = ''
  stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  stderr.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    if (!text.endsWith(': ')) return
    const answer = left.shift()
    if (answer !== undefined) stdin.write(`${answer}\n`)
    else if (ending === undefined) stdin.end()
    else ending.abort()
  })
  const status = await runCommandLine(args, {
    config: readConfig({ NO_COLOR: '1' }),
    folder,
    stdin,
    stdout,
    stderr,
    program: clientFile,
    signal: (ending ?? new AbortController()).signal,
  })
  return { status, shown, out, left: left.length }
}

describe('the files of a new skill', () => {
  test.each(languages)('in %s are in a folder of its name, and all of them are listed', async (language) => {
    const parent = temporaryFolder()
    const { status, data } = await skillHereJson<{ files: string[]; folder: string; next: string[] }>(
      ['init', 'slug', '--language', language],
      { folder: parent },
    )
    expect(status).toBe(0)
    expect(data.folder).toBe(join(parent, 'slug'))
    expect(await filesIn(data.folder)).toEqual(data.files.toSorted())
    expect(data.next.at(0)).toBe('cd slug')
    expect(data.next.at(-1)).toBe('skill check')
    expect(data.files).toEqual(expect.arrayContaining(['.gitignore', 'README.md', 'manifest.json']))
    expect(await readdir(parent)).toEqual(['slug'])
  })

  test.each(languages)('in %s use its name everywhere', (language) => {
    const files = projectFiles('slug', language)
    expect(files.filter(({ text }) => text.includes('lines-to-json'))).toEqual([])
    expect(files.find(({ path }) => path === 'README.md')?.text).toContain('# slug\n')
    expect(files.find(({ path }) => path === '.gitignore')?.text).toMatch(/^\*\.wasm$/m)
    expect(files.every(({ text }) => text.endsWith('\n') && !text.includes('\r'))).toBe(true)
  })

  test.each(['a', `a${'-b'.repeat(31)}c`])('have a manifest that the registry accepts, named %s', (name) => {
    const text = projectFiles(name, 'c').find(({ path }) => path === 'manifest.json')?.text ?? ''
    expect(parseManifest(text)).toMatchObject({ name, version: '0.1.0', license: 'MIT' })
    expect(Buffer.byteLength(text)).toBeLessThan(maxManifestBytes / 10)
  })

  test.each(languages)('in %s have a README with every step to a release, and the license', (language) => {
    const readme = projectFiles('slug', language).find(({ path }) => path === 'README.md')?.text ?? ''
    const commands = [...readme.matchAll(/^ {4}(\S.*)$/gm)].map(([, command]) => command)
    expect(commands.slice(-4)).toEqual(['node --test', 'skill check', 'skill login', 'skill publish'])
    expect(readme).toMatch(/^- `license`: .*SPDX/m)
    expect(readme).not.toContain('<!--')
  })

  test('may go into an existing empty folder', async () => {
    const parent = temporaryFolder()
    mkdirSync(join(parent, 'slug'))
    expect((await runClient(['init', 'slug', '--language', 'c'], { cwd: parent })).status).toBe(0)
    expect(await filesIn(join(parent, 'slug'))).toContain('manifest.json')
  })
})

describe('nothing is overwritten', () => {
  test('a folder that is not empty is refused, and its contents are listed', async () => {
    const parent = temporaryFolder()
    const folder = join(parent, 'slug')
    mkdirSync(join(folder, 'src'), { recursive: true })
    for (const name of ['.env', 'README.md', 'b', 'c', 'd']) writeFileSync(join(folder, name), 'mine')
    const { status, stdout, stderr } = await runClient(['init', 'slug', '--language', 'c'], { cwd: parent })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'skill: The folder slug is not empty: it contains .env, README.md, b, c, d and 1 more.\n' +
        'Nothing was written. Choose another name, or run this in another folder.\n',
    )
    expect(await filesIn(folder)).toEqual(['.env', 'README.md', 'b', 'c', 'd'])
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine')
  })

  test('control characters in a file name are shown escaped', async () => {
    const parent = temporaryFolder()
    mkdirSync(join(parent, 'slug'))
    writeFileSync(join(parent, 'slug', 'a\u001B[2Jb'), '')
    const { stderr } = await runClient(['init', 'slug', '--language', 'c'], { cwd: parent })
    expect(stderr).toContain(String.raw`it contains a\u{1b}[2Jb.`)
  })

  test('a file and a dangling link are refused', async () => {
    const parent = temporaryFolder()
    writeFileSync(join(parent, 'file'), 'mine')
    symlinkSync(join(parent, 'nowhere'), join(parent, 'link'))
    const asFile = await skillHereJson<{ error: object }>(['init', 'file', '--language', 'c'], {
      folder: parent,
    })
    expect(asFile).toMatchObject({ status: 1, data: { error: { code: 'FOLDER_NOT_EMPTY', exitCode: 1 } } })
    expect((await runClient(['init', 'link', '--language', 'c'], { cwd: parent })).status).toBe(1)
    expect(await readdir(parent)).toEqual(['file', 'link'])
    expect(readFileSync(join(parent, 'file'), 'utf8')).toBe('mine')
  })

  test('files written before an error are removed, and existing files stay', async () => {
    const folder = temporaryFolder()
    const files = ['a/b/c', 'd', 'a/e', 'd'].map((path) => ({ path, text: 'x' }))
    await expect(fillNewFolder(folder, 'slug', files)).rejects.toThrow('EEXIST')
    expect(await readdir(folder)).toEqual([])
    await expect(fillNewFolder(join(folder, 'slug'), 'slug', files)).rejects.toThrow('EEXIST')
    expect(await readdir(folder)).toEqual([])
  })
})

describe('the command line', () => {
  test.each([
    [
      'Slug',
      'it must start with a letter and consist of lowercase letters and digits, with single hyphens between words',
    ],
    ['../slug', 'it must start with a letter'],
    ['1slug', 'it must start with a letter'],
    ['a--b', 'it must start with a letter'],
    ['', 'it must start with a letter'],
    ['a'.repeat(65), 'it must have at most 64 characters'],
  ])('refuses the name %j, which the registry would reject', async (name, reason) => {
    const cwd = temporaryFolder()
    const { status, stderr } = await skillHere(['init', name, '--language', 'c'], { folder: cwd })
    expect(status).toBe(2)
    expect(stderr).toContain(`"${name}" is not a valid skill name: ${reason}`)
    expect(await readdir(cwd)).toEqual([])
  })

  test.each([
    [['init'], 'The name of the skill is missing.'],
    [['init', 'slug'], 'The language of the skill is missing.'],
    [['init', 'slug', '--language', 'python'], 'Unknown language "python".'],
    [['init', 'slug', '--language', ''], 'Unknown language "".'],
  ])('%j is refused without a terminal', async (args, sentence) => {
    const cwd = temporaryFolder()
    const { status, stdout, stderr } = await skillHere(args, { folder: cwd })
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).toContain('assemblyscript, c')
    expect(await readdir(cwd)).toEqual([])
  })

  test('prints the next steps', async () => {
    const { stdout, stderr } = await runClient(['init', 'slug', '--language', 'rust'])
    expect(stderr).toBe('')
    expect(stdout).toBe(`Created the skill slug in the folder slug. Rust needs cargo and a WASI target.

  cd slug
  cargo test
  node build.mjs
  node --test
  skill check

See slug/README.md for all steps up to publishing.
`)
  })

  test('works the same with the oldest Node', async () => {
    const home = temporaryFolder()
    const { status } = await runClient(['init', 'slug', '--language', 'c'], {
      home,
      node: oldestNode,
    })
    expect(status).toBe(0)
    expect(await filesIn(join(home, 'slug'))).toContain('manifest.json')
  })
})

describe('at a terminal', () => {
  test('missing values are prompted for, again after an invalid answer', async () => {
    const folder = temporaryFolder()
    const { status, shown, out } = await atTerminal(folder, ['init'], ['No!', ' slug ', 'cobol', 'A'])
    expect(status).toBe(0)
    expect(shown).toContain('Name of the skill:')
    expect(shown).toContain('"No!" is not a valid skill name: it must start with a letter')
    expect(shown).toContain('Language (assemblyscript, c or rust):')
    expect(shown).toContain('Unknown language "cobol".')
    expect(out).toContain('Created the skill slug in the folder slug.')
    expect(await filesIn(join(folder, 'slug'))).toContain('asconfig.json')
  })

  test('only missing values are prompted for', async () => {
    const folder = temporaryFolder()
    const named = await atTerminal(folder, ['init', 'one'], ['rust'])
    expect([named.status, named.left, named.shown.includes('Name of')]).toEqual([0, 0, false])
    const both = await atTerminal(folder, ['init', 'two', '--language', 'c'], [])
    expect([both.status, both.shown]).toEqual([0, ''])
  })

  test('there is no prompt with --json, nor for a folder that will be refused', async () => {
    const folder = temporaryFolder()
    expect(await atTerminal(folder, ['init', '--json'], ['slug', 'c'])).toMatchObject({ status: 2, left: 2 })
    writeFileSync(join(folder, 'slug'), '')
    expect(await atTerminal(folder, ['init', 'slug'], ['c'])).toMatchObject({ status: 1, left: 1 })
  })

  test('Ctrl+C cancels the prompt and creates nothing', async () => {
    const folder = temporaryFolder()
    const { status, shown } = await atTerminal(folder, ['init'], ['slug'], new AbortController())
    expect(status).toBe(130)
    expect(shown).toContain('Interrupted.')
    expect(await readdir(folder)).toEqual([])
  })

  test('the end of the input creates nothing', async () => {
    const folder = temporaryFolder()
    const { status, shown } = await atTerminal(folder, ['init'], ['slug'])
    expect(status).toBe(2)
    expect(shown).toContain('No answer was given.')
    expect(await readdir(folder)).toEqual([])
  })
})
