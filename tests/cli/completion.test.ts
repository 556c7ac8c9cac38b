import { afterAll, describe, expect, test } from 'vitest'
import { shells } from '../../src/shared/command-line/completion.ts'
import { skillHere } from '../support/client/client-here.ts'
import { typeInto } from '../support/completing-shell.ts'
import { skipWithout } from '../support/programs.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'

afterAll(cleanUp)

const files = ['build.wasm', 'my file.json', 'release.tar']

/** What is typed, where > is the Tab key, and what the shell makes of it. */
const cases: Record<string, [string, string[]][]> = {
  skilldock: [
    ['bac> x', ['backup', 'x']],
    ['backup rel>', ['backup', 'release.tar']],
    ['verify --rep>', ['verify', '--repair']],
    ['verify --js>', ['verify', '--json']],
    ['verify --ver>', ['verify', '--version']],
    ['token --subject people --ro>admin', ['token', '--subject', 'people', '--role', 'admin']],
    ['token --scope pub>', ['token', '--scope', 'publish']],
    ['people rev>x', ['people', 'revoke', 'x']],
    ['people role robin rev>', ['people', 'role', 'robin', 'reviewer']],
    ['people add robin --role ed>', ['people', 'add', 'robin', '--role', 'editor']],
    ['serve --workers a>', ['serve', '--workers', 'auto']],
    ['completion z>', ['completion', 'zsh']],
    ['help doc>', ['help', 'doctor']],
  ],
  skill: [
    ['pub>', ['publish']],
    ['--registry http://127.0.0.1:80 sea>', ['--registry', 'http://127.0.0.1:80', 'search']],
    ['check --man>my>', ['check', '--manifest', 'my file.json']],
    ['check --manifest=my>', ['check', '--manifest=my file.json']],
    ['run --wasm bu>', ['run', '--wasm', 'build.wasm']],
    ['init --language asse>', ['init', '--language', 'assemblyscript']],
    ['owner with>7', ['owner', 'withdraw', '7']],
    ['login --no>', ['login', '--no-browser']],
    ['help stat>', ['help', 'status']],
  ],
}

const scriptOf = async (program: string, shell: string): Promise<string> => {
  const args = ['completion', shell]
  const run = await (program === 'skill' ? skillHere(args) : skilldockHere(temporaryFolder(), args))
  expect(run).toMatchObject({ status: 0, stderr: '' })
  return run.stdout
}

/** zsh writes --option=value where others write two words; both mean the same. */
const inWords = (args: readonly string[]): string[] => args.flatMap((arg) => arg.split('='))

describe.skipIf(skipWithout('completing')).each(shells)('in %s', (shell) => {
  test.each(Object.entries(cases))(
    '%s completes commands, options, values and files',
    async (program, typed) => {
      const lines = typed.map(([line]) => `${program} ${line.replaceAll('>', '\t')}`)
      const runs = await typeInto(shell, program, await scriptOf(program, shell), lines, files)
      expect(runs.map(inWords)).toEqual(typed.map(([, args]) => inWords(args)))
    },
  )
})

test.each(['skilldock', 'skill'])('%s completion names the shells that it knows', async (program) => {
  const args = ['completion', 'tcsh']
  const { status, stdout, stderr } = await (program === 'skill'
    ? skillHere(args)
    : skilldockHere(temporaryFolder(), args))
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/Unknown shell "tcsh"\.\s+Use bash, zsh, fish\./)
})
