import { chmodSync, copyFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUp, projectRoot, start, temporaryFolder } from '../support/server/command-line.ts'
import { oldestNode } from '../support/client/client.ts'
import { clientFolder } from '../support/server/server.ts'

const file = join(clientFolder, 'skill')
const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
let text: string

beforeAll(async () => {
  text = readFileSync(file, 'utf8')
})
afterAll(cleanUp)

/** Copies the client into an empty folder, with a package.json above it if one is given. */
const copyTo = (packageJson: string | null): string => {
  const folder = temporaryFolder()
  copyFileSync(file, join(folder, 'skill'))
  chmodSync(join(folder, 'skill'), 0o755)
  if (packageJson !== null) writeFileSync(join(folder, 'package.json'), packageJson)
  return join(folder, 'skill')
}

describe('the installed client', () => {
  test('starts with a comment that says what it is, and the default registry', () => {
    expect(text.split('\n').slice(0, 4)).toEqual([
      '#!/usr/bin/env node',
      `// skill ${version}, the client of Skilldock registries: one file that needs Node 20 or newer and nothing else.`,
      "'use strict'",
      "const servedBy = ''",
    ])
    expect(statSync(file).mode & 0o777).toBe(0o755)
  })

  test('depends on nothing but Node 20', async () => {
    const named = [...text.matchAll(/\b(?:require|import)\("([^"]+)"\)/g)].map(([, name]) => name ?? '')
    expect(named).toContain('node:https')
    expect(named.filter((name) => !isBuiltin(name))).toEqual([])
    const all = JSON.stringify([...new Set(named)])
    const { status, stderr } = await start(oldestNode, ['-e', `for (const name of ${all}) require(name)`])
      .ended
    expect([status, stderr]).toEqual([0, ''])
  })

  test('is readable: not minified, with the names of its source files', () => {
    expect(text).toContain('\n// src/client/cli.ts\n')
    const lines = text.split('\n')
    expect(lines.length).toBeGreaterThan(text.length / 60)
    expect(text.includes(projectRoot)).toBe(false)
  })

  test('is byte for byte the same when built again', async () => {
    const folder = temporaryFolder()
    const args = ['build', '--config', 'src/client/vite.config.ts', '--emptyOutDir', '--outDir', folder]
    const vite = join(projectRoot, 'node_modules/vite/bin/vite.js')
    expect(await start(process.execPath, [vite, ...args]).ended).toMatchObject({ status: 0 })
    expect(readFileSync(join(folder, 'skill')).equals(readFileSync(file))).toBe(true)
  })

  describe.each([...new Set([oldestNode, process.execPath])])('with %s', (node) => {
    const versionOf = (...args: string[]) => start(node, args).ended
    const expected = { status: 0, stdout: `${version}\n`, stderr: '' }

    test('runs where a file without an extension is CommonJS, and where it is a module', async () => {
      for (const type of [null, '{"type":"commonjs"}', '{"type":"module"}', '{}']) {
        expect(await versionOf(copyTo(type), '--version')).toMatchObject(expected)
      }
    })

    test('runs through a symbolic link', async () => {
      const link = join(temporaryFolder(), 'another-name')
      symlinkSync(copyTo(null), link)
      expect(await versionOf(link, '--version')).toMatchObject(expected)
    })
  })

  test('on an older Node, first says which version it needs', async () => {
    const older = join(temporaryFolder(), 'older.cjs')
    writeFileSync(older, "Object.defineProperty(process.versions, 'node', { value: '18.20.8' })")
    expect(await start(oldestNode, ['--require', older, file, '--version']).ended).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^skill requires Node 20 or newer, but this is v[\d.]+\. See https:\/\/nodejs\.org\n$/,
      ),
    })
  })
})
