import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import repository from '../../package.json' with { type: 'json' }
import { cleanUpClients } from '../support/client/client.ts'
import { projectRoot } from '../support/server/command-line.ts'
import { moduleOf, newProject } from '../support/client/new-project.ts'
import type { NewProject } from '../support/client/new-project.ts'
import { followReadme, templateTestTimeoutMs, testTemplate } from '../support/client/template-tests.ts'

afterAll(cleanUpClients)

describe('a new skill in AssemblyScript', () => {
  let project: NewProject
  let followed: Awaited<ReturnType<typeof followReadme>>

  beforeAll(async () => {
    project = await newProject('assemblyscript', 'line-list')
    // What `npm install` would download: the same version of the compiler, as the test below ensures.
    symlinkSync(join(projectRoot, 'node_modules'), join(project.folder, 'node_modules'), 'junction')
    followed = await followReadme(project, {}, (command) => command === 'npm install')
  }, templateTestTimeoutMs)

  test('is built, tested and checked by the commands in its README', () => {
    expect(followed.commands).toEqual([
      'npm install',
      'npm run build',
      'skill run --wasm line-list.wasm < README.md',
      'node --test',
      'skill check',
    ])
    expect(followed.output).toMatch(/fail 0$/m)
    expect(followed.output).toContain('Examples  3 of 3 passed')
  })

  test('installs the compiler version that these tests use, and does not keep the name of the template', () => {
    const { assemblyscript } = repository.devDependencies
    expect(JSON.parse(project.read('package.json'))).toEqual({
      private: true,
      type: 'module',
      scripts: { build: 'asc --config asconfig.json', test: 'node --test' },
      devDependencies: { assemblyscript },
    })
  })

  testTemplate(() => project)

  test('imports only functions to read, write and exit', () => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(moduleOf(project)))
    expect(imports.map(({ name }) => name).toSorted()).toEqual(['fd_read', 'fd_write', 'proc_exit'])
  })
})
