import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Shell } from '../../src/shared/command-line/completion.ts'
import { cleanEnvironment, temporaryFolder } from './server/command-line.ts'

/** How each shell is started without the user's settings, and what loads the completion. */
const starts: Record<Shell, { command: string; load: readonly string[] }> = {
  bash: {
    command: 'bash --norc --noprofile -i',
    load: ['source ./script'],
  },
  zsh: { command: 'zsh -f -i', load: ['autoload -U compinit', 'compinit -D -u', 'source ./script'] },
  fish: { command: 'fish --no-config -i', load: ['source ./script'] },
}

/**
 * Types each of these lines into a real shell in a terminal, where `\t` is the Tab key, and returns the arguments with
 * which the shell then ran the program. Files are created in the working folder first.
 */
export async function typeInto(
  shell: Shell,
  program: string,
  script: string,
  lines: readonly string[],
  files: readonly string[],
): Promise<string[][]> {
  const folder = temporaryFolder()
  for (const name of files) writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'script'), script)
  // Records its arguments.
  const log = join(temporaryFolder(), 'arguments')
  const stand = join(folder, program)
  writeFileSync(stand, `#!/bin/sh\n{ printf '%s\\n' "$@"; echo --end--; } >> '${log}'\n`)
  chmodSync(stand, 0o755)
  const { command, load } = starts[shell]
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env: cleanEnvironment({
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      TERM: 'dumb',
      SHELL: '/bin/sh',
    }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text))
  // The terminal keeps what the shell has not read yet.
  child.stdin.write([...load, ...lines, 'exit', ''].join('\n'))
  await new Promise((resolve) => child.once('close', resolve))
  if (!existsSync(log)) throw new Error(`${shell} did not run ${program}:\n${screen}`)
  const runs = readFileSync(log, 'utf8').split('--end--\n').slice(0, -1)
  return runs.map((run) => run.split('\n').slice(0, -1))
}
