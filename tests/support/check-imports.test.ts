import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { checkImports, type Violation } from './check-imports.ts'

const PROJECT = join(import.meta.dirname, '../..')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

type Tree = Record<string, string>

// A small project that follows every rule; each test adds or replaces files.
const CLEAN: Tree = {
  'src/shared/errors.ts': "import { z } from 'zod'\nconst errors = z",
  'src/server/domains/releases/releases.rules.ts': "import '../../../shared/errors.ts'",
  'src/server/domains/releases/releases.repository.ts':
    "import '../../db/open.ts'\nimport './releases.rules.ts'\nconst sql = `SELECT 1`",
  'src/server/domains/releases/releases.service.ts':
    "import '../../db/open.ts'\nimport '../../storage/files.ts'\nimport '../../wasm/check.ts'\n" +
    "import './releases.rules.ts'\nimport './releases.repository.ts'\nimport '../people/people.service.ts'",
  'src/server/domains/releases/releases.routes.ts':
    "import '../../http/mount.ts'\nimport './releases.service.ts'",
  'src/server/domains/releases/releases.test.ts':
    "import '../people/people.repository.ts'\nimport 'electron'",
  'src/server/domains/people/people.repository.ts': "import '../../db/open.ts'",
  'src/server/domains/people/people.service.ts': "import './people.repository.ts'",
  'src/server/http/mount.ts': "import '../operations/logging.ts'",
  'src/server/db/open.ts': "import 'better-sqlite3'\nconst sql = 'PRAGMA foreign_keys = ON'",
  'src/server/storage/files.ts': "import 'node:fs'",
  'src/server/wasm/check.ts': "import '../../shared/errors.ts'",
  'src/server/operations/logging.ts': "import 'pino'",
  'src/server/settings/config.ts': 'const port = process.env.PORT',
  'src/server/data-folder/paths.ts': "import 'node:path'",
  'src/server/backup/create.ts': "import '../data-folder/paths.ts'",
  'src/server/verify/check.ts': "import '../backup/create.ts'",
  'src/server/composition/apps.ts':
    "import '../settings/config.ts'\nimport '../http/mount.ts'\nimport '../domains/releases/releases.routes.ts'",
  'src/server/start-server.ts': "import './composition/apps.ts'",
  'src/server/commands/serve.ts': "import '../start-server.ts'\nimport '../verify/check.ts'",
  'src/server/cli.ts': "import './commands/serve.ts'",
  'src/client/config.ts': 'const { env } = process',
  'src/client/publish.ts': "import './config.ts'\nimport '../shared/errors.ts'",
  'src/renderer/main.tsx': "import './app/app.tsx'",
  'src/renderer/vite.config.ts': "import 'node:path'",
  'src/renderer/app/app.tsx':
    "import 'react'\nimport '../features/queue/queue-page.tsx'\nconst App = () => <p>Please select a row</p>",
  'src/renderer/features/queue/queue-page.tsx':
    "import '../blog/blog.api.ts'\nimport '../../components/button.tsx'\nimport './queue.css'\n" +
    "const isSelect = (tag: string) => tag === 'SELECT'",
  'src/renderer/features/blog/blog.api.ts': "import '../../lib/http.ts'",
  'src/renderer/components/button.tsx': "import '../lib/http.ts'",
  'src/renderer/lib/http.ts': "import '../../shared/errors.ts'",
  'src/main/index.ts': "import 'electron'",
  'src/preload/index.ts': "import 'electron/renderer'\nimport '../shared/errors.ts'",
}

const plant = (added: Tree): string => {
  const root = mkdtempSync(join(tmpdir(), 'skilldock-imports-'))
  folders.push(root)
  for (const [file, source] of Object.entries({ ...CLEAN, ...added })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), source)
  }
  return root
}

/** Adds one file with two harmless lines at the top, so that the reported line is tested too. */
const checkPlanted = (file: string, source: string): Violation[] =>
  checkImports(plant({ [file]: `// one\n// two\n${source}` }))

const RELEASES = 'src/server/domains/releases/'

test('a project that follows the rules has no violations', () => {
  expect(checkImports(plant({}))).toEqual([])
})

test('this project has no violations', () => {
  expect(checkImports(PROJECT)).toEqual([])
})

describe('layers', () => {
  test.each([
    ['src/shared/a.ts', '../server/settings/config.ts', 'shared may not import settings'],
    [
      `${RELEASES}a.rules.ts`,
      './releases.repository.ts',
      'rules of releases may not import repository of releases',
    ],
    [`${RELEASES}a.rules.ts`, '../../db/open.ts', 'rules of releases may not import db'],
    [`${RELEASES}a.repository.ts`, '../../storage/files.ts', 'repository of releases may not import storage'],
    [
      `${RELEASES}a.repository.ts`,
      '../people/people.repository.ts',
      'repository of releases may not import repository of people',
    ],
    [`${RELEASES}a.service.ts`, '../../http/mount.ts', 'service of releases may not import http'],
    [`${RELEASES}a.service.ts`, '../../settings/config.ts', 'service of releases may not import settings'],
    [
      `${RELEASES}a.service.ts`,
      '../people/people.repository.ts',
      'service of releases may not import repository of people',
    ],
    [
      `${RELEASES}a.routes.ts`,
      '../people/people.service.ts',
      'routes of releases may not import service of people',
    ],
    [
      `${RELEASES}a.routes.ts`,
      './releases.repository.ts',
      'routes of releases may not import repository of releases',
    ],
    [`${RELEASES}a.routes.ts`, '../../storage/files.ts', 'routes of releases may not import storage'],
    ['src/server/http/a.ts', '../domains/people/people.service.ts', 'http may not import service of people'],
    ['src/server/db/a.ts', '../settings/config.ts', 'db may not import settings'],
    [
      'src/server/storage/a.ts',
      '../domains/releases/releases.rules.ts',
      'storage may not import rules of releases',
    ],
    ['src/server/wasm/a.ts', '../composition/apps.ts', 'wasm may not import composition'],
    ['src/server/settings/a.ts', '../operations/logging.ts', 'settings may not import operations'],
    ['src/server/operations/a.ts', '../data-folder/paths.ts', 'operations may not import data folder'],
    ['src/server/data-folder/a.ts', '../backup/create.ts', 'data folder may not import backup'],
    ['src/server/backup/a.ts', '../start-server.ts', 'backup may not import composition'],
    [
      'src/server/commands/a.ts',
      '../domains/releases/releases.routes.ts',
      'commands may not import routes of releases',
    ],
    ['src/server/composition/a.ts', '../commands/serve.ts', 'composition may not import commands'],
    ['src/server/composition/a.ts', '../../client/publish.ts', 'composition may not import client'],
    ['src/server/utility.ts', './http/mount.ts', 'entry may not import http'],
    ['src/client/a.ts', '../server/start-server.ts', 'client may not import composition'],
    ['src/renderer/app/a.ts', '../../server/start-server.ts', 'renderer app may not import composition'],
    ['src/renderer/lib/a.ts', '../features/blog/blog.api.ts', 'component may not import feature of blog'],
    [
      'src/renderer/features/blog/a.ts',
      '../queue/queue-page.tsx',
      'feature of blog may not import feature of queue',
    ],
    ['src/renderer/features/blog/a.ts', '../../app/app.tsx', 'feature of blog may not import renderer app'],
    ['src/main/a.ts', '../server/start-server.ts', 'main may not import composition'],
    ['src/preload/a.ts', '../main/index.ts', 'preload may not import main'],
  ])('%s may not import %s', (file, specifier, reason) => {
    expect(checkPlanted(file, `import '${specifier}'`)).toEqual([
      { file, line: 3, subject: specifier, rule: 'layers', reason },
    ])
  })

  test.each([
    ['a type', "import type { A } from '../main/index.ts'"],
    ['a re-export', "export * from '../main/index.ts'"],
    ['a named re-export', "export { app } from '../main/index.ts'"],
    ['a dynamic import', "const load = () => import('../main/index.ts')"],
    ['an import type', "type A = import('../main/index.ts').A"],
    ['a require', "require('../main/index.ts')"],
    ['a raw text', "import text from '../main/index.ts?raw'"],
  ])('apply to %s', (_what, source) => {
    expect(checkPlanted('src/client/a.ts', source)).toMatchObject([{ rule: 'layers', line: 3 }])
  })
})

describe('packages', () => {
  test.each([
    ['electron', 'src/server/composition/apps.ts', 'electron'],
    ['electron', 'src/renderer/app/a.ts', 'electron/renderer'],
    ['express', 'src/server/start-server.ts', 'express'],
    ['express', 'src/server/http/mount.ts', 'express'],
    ['better-sqlite3', `${RELEASES}a.repository.ts`, 'better-sqlite3'],
    ['better-sqlite3', 'src/server/start-server.ts', 'better-sqlite3'],
    ['react', 'src/server/start-server.ts', 'react-dom/server'],
    ['shared-packages', 'src/shared/a.ts', '@types/node'],
    ['node', 'src/shared/a.ts', 'node:fs'],
    ['node', 'src/renderer/lib/a.ts', 'path'],
    ['node', 'src/preload/a.ts', 'node:os'],
  ])('the rule "%s" applies in %s', (rule, file, specifier) => {
    expect(checkPlanted(file, `import x from '${specifier}'`)).toMatchObject([
      { file, line: 3, subject: specifier, rule },
    ])
  })
})

describe('renaming files is not allowed with', () => {
  test.each([
    "import { renameSync } from 'node:fs'",
    "import { rename as move } from 'node:fs/promises'",
    "import { promises } from 'fs'",
    "import * as fs from 'node:fs'",
    "import fs from 'node:fs'",
    "const load = () => import('node:fs/promises')",
  ])('%s', (source) => {
    expect(checkPlanted('src/server/start-server.ts', source)).toMatchObject([{ line: 3, rule: 'rename' }])
  })

  test('is only allowed where the contents are flushed first', () => {
    expect(
      checkPlanted(
        'src/files/durable-files.ts',
        "import { renameSync } from 'node:fs'\nrenameSync('a', 'b')",
      ),
    ).toEqual([])
  })
})

describe('the environment may not be read with', () => {
  test.each([
    'const a = process.env.PORT',
    "const a = process['env']",
    'const a = globalThis.process.env',
    'const { env } = process',
    "import { env } from 'node:process'",
  ])('%s', (source) => {
    expect(checkPlanted('src/server/start-server.ts', source)).toMatchObject([
      { file: 'src/server/start-server.ts', line: 3, subject: 'process.env', rule: 'process-env' },
    ])
  })
})

describe('SQL is not allowed outside repositories:', () => {
  test.each([
    "const a = 'SELECT id FROM releases'",
    'const a = `\n  SELECT id\n  FROM releases`',
    'const a = (t: string) => `UPDATE ${t} SET x = 1`',
    "const a = 'INSERT INTO releases VALUES (1)'",
    "const a = 'DELETE FROM releases'",
    "const a = 'CREATE TABLE releases (id)'",
    "const a = 'PRAGMA user_version'",
  ])('%s', (source) => {
    expect(checkPlanted(`${RELEASES}a.service.ts`, source)).toMatchObject([{ line: 3, rule: 'sql' }])
  })
})

test('a cycle is reported once, with its path', () => {
  const root = plant({
    'src/shared/a.ts': "import './b.ts'",
    'src/shared/b.ts': "\nimport type { C } from './c.ts'",
    'src/shared/c.ts': "import './a.ts'",
  })
  expect(checkImports(root)).toEqual([
    {
      file: 'src/shared/c.ts',
      line: 1,
      subject: './a.ts',
      rule: 'cycle',
      reason: 'src/shared/a.ts > src/shared/b.ts > src/shared/c.ts > src/shared/a.ts',
    },
  ])
})

test('a file that imports itself is a cycle', () => {
  expect(checkPlanted('src/shared/a.ts', "import './a.ts'")).toMatchObject([{ rule: 'cycle' }])
})

describe('an export that no other file imports is reported:', () => {
  test.each([
    ['const a = 1', 'a'],
    ['const b = 1, a = 2', 'a'],
    ['const { b, a } = { b: 1, a: 2 }', 'a'],
    ['function a() {}', 'a'],
    ['class a {}', 'a'],
    ['interface a {}', 'a'],
    ['type a = number', 'a'],
    ['{ c as a }\nconst c = 1', 'a'],
  ])('export %s', (declaration, subject) => {
    const root = plant({
      'src/shared/a.ts': `// one\n// two\nexport ${declaration}`,
      'src/shared/b.ts': "import { b } from './a.ts'",
    })
    expect(checkImports(root)).toEqual([
      {
        file: 'src/shared/a.ts',
        line: 3,
        subject,
        rule: 'unused export',
        reason: 'no other file imports it',
      },
    ])
  })

  test.each([
    ['a test', 'tests/a.test.ts', "import { a } from '../src/shared/a.ts'"],
    ['a script', 'scripts/a.ts', "import { a as b } from '../src/shared/a.ts'"],
    ['a namespace', 'src/shared/b.ts', "import * as all from './a.ts'"],
    ['a dynamic import', 'src/shared/b.ts', "const load = () => import('./a.ts')"],
    ['a re-export', 'src/shared/b.ts', "export { a } from './a.ts'"],
  ])('but not one that is imported by %s', (_what, file, source) => {
    expect(checkImports(plant({ 'src/shared/a.ts': 'export type a = number', [file]: source }))).toEqual([])
  })
})

test.each([`${RELEASES}helpers.ts`, 'src/server/utils/a.ts', 'src/a.ts', 'src/renderer/utils/a.tsx'])(
  'a file outside the known folders is reported: %s',
  (file) => {
    expect(checkPlanted(file, '')).toMatchObject([{ file, rule: 'place' }])
  },
)

test('a file that does not parse is reported', () => {
  expect(checkPlanted('src/shared/a.ts', 'import {')).toMatchObject([{ rule: 'syntax' }])
})

const check = (root: string) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'check-imports.ts'), root], { encoding: 'utf8' })

test('the command prints file, line, import and rule, and fails', () => {
  const broken = check(plant({ 'src/server/start-server.ts': "\nimport 'electron'" }))
  expect(broken.status).toBe(1)
  expect(broken.stderr).toBe(
    'src/server/start-server.ts:2 "electron" breaks the rule "electron": electron: only in src/main and src/preload\n',
  )
  expect(check(plant({})).status).toBe(0)
})
