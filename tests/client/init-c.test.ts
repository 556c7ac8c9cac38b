import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUpClients } from '../support/client/client.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { inProject, newProject } from '../support/client/new-project.ts'
import type { NewProject } from '../support/client/new-project.ts'
import { requireProgram, skipWithout } from '../support/programs.ts'
import { followReadme, templateTestTimeoutMs, testTemplate } from '../support/client/template-tests.ts'

afterAll(cleanUpClients)

describe.skipIf(skipWithout('clang'))('a new skill in C', () => {
  let project: NewProject
  let followed: Awaited<ReturnType<typeof followReadme>>

  beforeAll(async () => {
    project = await newProject('c', 'line-list')
    followed = await followReadme(project)
  }, templateTestTimeoutMs)

  test('is built, tested and checked by the commands in its README', () => {
    expect(followed.commands).toEqual([
      'node build.mjs',
      'skill run --wasm line-list.wasm < README.md',
      'node --test',
      'skill check',
    ])
    expect(followed.output).toMatch(/^Built line-list\.wasm/m)
    expect(followed.output).toMatch(/fail 0$/m)
    expect(followed.output).toContain('Examples  3 of 3 passed')
    expect(followed.output).not.toContain('warning')
  })

  testTemplate(() => project)

  test(
    'is built with the clang in WASI_SDK_PATH if that is set',
    async () => {
      const sdk = temporaryFolder()
      mkdirSync(join(sdk, 'bin'))
      symlinkSync(requireProgram('clang') ?? '', join(sdk, 'bin/clang'))
      // Without wasm-opt, which clang runs if it is in PATH.
      const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
      const { stdout } = await inProject(project, 'node build.mjs', { WASI_SDK_PATH: sdk, PATH: path })
      expect(stdout).toContain(`Built line-list.wasm (${join(sdk, 'bin/clang')}, `)
    },
    templateTestTimeoutMs,
  )

  test('without a clang for WASI, the build says what to install', async () => {
    const { status, stderr } = await inProject(project, `'${process.execPath}' build.mjs`, {
      PATH: '/bin/sh',
    })
    expect(status).toBe(1)
    expect(stderr).toContain('No clang with a WASI target was found.')
    expect(stderr).toContain('apt-get install clang lld wasi-libc libclang-rt-dev-wasm32')
  })
})
