import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../support/server/command-line.ts'

const main = join(projectRoot, 'out/main')
const codeOf = (file: string): string => readFileSync(file, 'utf8')

/** The files of the build that Node loads for this one. */
function filesOf(entry: string): string[] {
  const files = new Set([entry])
  // A set also visits what is added meanwhile.
  for (const file of files) {
    for (const [, path = ''] of codeOf(file).matchAll(/^(?:import|export)\b.*?["'](\.[^"']+)["'];?$/gm)) {
      files.add(join(dirname(file), path))
    }
  }
  return [...files]
}

const only = (pattern: string): string => {
  const [file, ...others] = globSync(join(main, pattern))
  if (file === undefined || others.length > 0) throw new Error(`Not one file is ${pattern}`)
  return file
}

test('a server starts from few files, because each takes time', () => {
  expect(filesOf(only('chunks/serve-*.js')).length).toBeLessThanOrEqual(8)
  expect(filesOf(only('server.js')).length).toBeLessThanOrEqual(8)
})

test.each([
  '@modelcontextprotocol',
  '@simplewebauthn',
  'feed',
  'nodemailer',
  'openid-client',
  's3mini',
  'sitemap',
])('a server starts without %s, which it loads when it needs it', (name) => {
  const loaded = filesOf(only('chunks/serve-*.js')).map(codeOf).join('\n')
  // The bundler names the file of each module above its code.
  expect(loaded).toContain('node_modules/zod/')
  expect(loaded).not.toContain(`node_modules/${name}/`)
})

test('each process that a server starts is one file', () => {
  const names = ['agents', 'backups', 'markdown', 'images', 'validator', 'worker']
  expect(names.map((name) => filesOf(only(`${name}.js`)).length)).toEqual(names.map(() => 1))
})

test('an old Node loads nothing with native code before it is told that it is too old', () => {
  const imports = filesOf(only('chunks/require-node-*.js')).map(codeOf).join('\n')
  expect(imports).not.toMatch(/^import .*["'](?:better-sqlite3|sharp)["']/m)
})

test('scripts are ASCII, so that V8 stores one byte per character', () => {
  const others = globSync(join(main, '**/*.js')).filter((file) => /[^\0-\x7F]/.test(codeOf(file)))
  expect(others).toEqual([])
})
