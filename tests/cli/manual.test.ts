import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadAllCommands } from '../../src/client/commands/command-loaders.ts'
import { commands } from '../../src/server/commands/run-command.ts'
import { optionRows } from '../../src/shared/command-line/command-table.ts'
import type { CommandEntry } from '../../src/shared/command-line/command-table.ts'
import { skillHere } from '../support/client/client-here.ts'
import { skipWithout } from '../support/programs.ts'
import { skilldockHere } from '../support/server/command-here.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'

afterAll(cleanUp)

const tables: [string, readonly CommandEntry[], string[]][] = [
  ['skilldock', commands, ['SKILLDOCK_DATA', 'FORCE_COLOR']],
  ['skill', await loadAllCommands(), ['SKILL_REGISTRY', 'FORCE_COLOR']],
]

async function pageOf(program: string): Promise<{ file: string; source: string }> {
  const run = await (program === 'skill' ? skillHere(['man']) : skilldockHere(temporaryFolder(), ['man']))
  expect(run).toMatchObject({ status: 0, stderr: '' })
  const file = join(temporaryFolder(), `${program}.1`)
  writeFileSync(file, run.stdout)
  return { file, source: run.stdout }
}

function check(command: string, args: string[]): { output: string; stdout: string } {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return { output: `${stdout}${stderr}`, stdout }
}

describe.skipIf(skipWithout('manual'))('the manual page', () => {
  test.each(tables)('of %s has no warnings of mandoc or groff', async (program) => {
    const { file } = await pageOf(program)
    const { output } = check('mandoc', ['-Tlint', '-Wwarning', file])
    // A date would make every build differ.
    expect(output.replaceAll(/^.*WARNING: missing date, using "": TH\n/gm, '')).toBe('')
    expect(check('groff', ['-man', '-ww', '-z', file]).output).toBe('')
  })

  test.each(tables)(
    'of %s describes every command with all of its options',
    async (program, entries, variables) => {
      const { file } = await pageOf(program)
      // mandoc prints bold text twice, with a backspace in between.
      // oxlint-disable-next-line no-control-regex
      const text = check('mandoc', ['-Tutf8', '-Owidth=200', file]).stdout.replaceAll(/.\u0008/g, '')
      for (const { name, summary, options, notes = '' } of entries) {
        const start = text.search(new RegExp(`^   ${name}$`, 'm'))
        const section = text.slice(start, start + 1 + text.slice(start + 1).search(/^(?: {3})?\w/m))
        expect(section).toContain(`${summary}.`)
        for (const [head, help] of optionRows(options)) {
          expect(section).toContain(head)
          expect(section).toContain(help)
        }
        for (const line of notes.split('\n').filter((one) => one.startsWith('  '))) {
          expect(section).toContain(line)
        }
      }
      for (const name of ['--help', '--version', ...variables]) expect(text).toContain(name)
    },
  )
})
