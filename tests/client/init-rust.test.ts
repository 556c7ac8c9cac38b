import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cleanUpClients } from '../support/client/client.ts'
import { temporaryFolder } from '../support/server/command-line.ts'
import { inProject, newProject, runInSandbox } from '../support/client/new-project.ts'
import type { NewProject } from '../support/client/new-project.ts'
import { skipWithout } from '../support/programs.ts'
import { findRust } from '../support/client/rust-toolchain.ts'
import type { Rust } from '../support/client/rust-toolchain.ts'
import { followReadme, templateTestTimeoutMs, testTemplate } from '../support/client/template-tests.ts'

afterAll(cleanUpClients)

/** A separate Cargo folder and no network: nothing is fetched, and the Cargo folder of this computer is not touched. */
const cargoVariables = (): Record<string, string> => ({
  CARGO_HOME: temporaryFolder(),
  CARGO_NET_OFFLINE: 'true',
})

/**
 * A folder with a wrapper of the installed Rust that knows WASI preview 1 only by the target name `known`, which it replaces
 * by the name under which the library is installed.
 */
function wrapRust(known: string, { cargo, rustc, target }: Rust): string {
  const folder = temporaryFolder()
  const other = known === 'wasm32-wasip1' ? 'wasm32-wasi' : 'wasm32-wasip1'
  writeFileSync(
    join(folder, 'rustc'),
    `#!/bin/sh
for word; do
  shift
  case $word in
    ${other}) echo "unknown target $word" >&2; exit 1 ;;
    ${known}) set -- "$@" ${target} ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec '${rustc}' "$@"
`,
  )
  chmodSync(join(folder, 'rustc'), 0o755)
  symlinkSync(cargo, join(folder, 'cargo'))
  return folder
}

describe.skipIf(skipWithout('rust'))('a new skill in Rust', () => {
  let project: NewProject
  let followed: Awaited<ReturnType<typeof followReadme>>
  let variables: Record<string, string>

  beforeAll(async () => {
    variables = cargoVariables()
    project = await newProject('rust', 'line-list')
    followed = await followReadme(project, variables)
  }, templateTestTimeoutMs)

  test('is built, tested and checked by the commands in its README', () => {
    expect(followed.commands).toEqual([
      'cargo test',
      'node build.mjs',
      'skill run --wasm line-list.wasm < README.md',
      'node --test',
      'skill check',
    ])
    expect(followed.output).toMatch(/test result: ok\. 4 passed/)
    expect(followed.output).toMatch(/^Built line-list\.wasm/m)
    expect(followed.output).toMatch(/fail 0$/m)
    expect(followed.output).toContain('Examples  3 of 3 passed')
  })

  test('compiles without a warning, from the standard library alone', () => {
    expect(followed.output).not.toContain('warning')
    expect(project.read('Cargo.lock').match(/^name = .*$/gm)).toEqual(['name = "line-list"'])
  })

  testTemplate(() => project)

  test(
    'is built with the other name of the target, and with a name that is special to Cargo',
    async () => {
      const rust = findRust()
      if (rust === null) throw new Error('There is no Rust for WASI.')
      const other = rust.target === 'wasm32-wasi' ? 'wasm32-wasip1' : 'wasm32-wasi'
      const made = await newProject('rust', 'test')
      const path = [wrapRust(other, rust), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter)
      const { stdout, stderr, status } = await inProject(made, 'node build.mjs', { ...variables, PATH: path })
      expect(status, stderr).toBe(0)
      expect(stdout).toContain(`, ${other})`)
      expect(runInSandbox(made, 'one\ntwo').text).toBe('["one","two"]\n')
    },
    templateTestTimeoutMs,
  )

  test(
    'is built with another Rust if the first one in PATH has no library for WASI',
    async () => {
      const bare = temporaryFolder()
      for (const name of ['cargo', 'rustc']) {
        writeFileSync(join(bare, name), '#!/bin/sh\necho /nowhere\n')
        chmodSync(join(bare, name), 0o755)
      }
      const path = [bare, process.env['PATH'] ?? ''].join(delimiter)
      const { stdout, status } = await inProject(project, `'${process.execPath}' build.mjs`, {
        ...variables,
        PATH: path,
      })
      expect(status).toBe(0)
      expect(stdout).toContain(`Built line-list.wasm (${findRust()?.rustc}, `)
    },
    templateTestTimeoutMs,
  )

  test('the build says what it needs if there is no Rust for WASI', async () => {
    const { status, stderr } = await inProject(project, `'${process.execPath}' build.mjs`, {
      PATH: temporaryFolder(),
    })
    expect(status).toBe(1)
    expect(stderr).toContain('rustup target add wasm32-wasip1')
    expect(stderr).toContain('apt-get install cargo libstd-rust-dev-wasm32 lld')
  })
})
