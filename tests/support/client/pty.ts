import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { clientEnvironment, clientFile } from './client.ts'
import { temporaryFolder } from '../server/command-line.ts'
import type { Variables } from '../server/command-line.ts'

/** The path of `script` from util-linux, which runs a program in a terminal, or null. */
export const scriptProgram: string | null =
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'script'))
    .find((file) => process.platform === 'linux' && existsSync(file)) ?? null

export interface OnTerminal {
  status: number | null
  /** Everything that was sent to the terminal. */
  screen: string
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** Runs the built client in a terminal with this many columns. */
export async function onTerminal(
  args: readonly string[],
  { columns = 100, cwd, env = {} }: { columns?: number; cwd?: string; env?: Variables } = {},
): Promise<OnTerminal> {
  const home = temporaryFolder()
  const command = [process.execPath, clientFile, ...args].map(quoted).join(' ')
  const child = spawn(
    scriptProgram ?? 'script',
    ['--quiet', '--return', '--command', `stty cols ${columns} -onlcr; exec ${command}`, '/dev/null'],
    {
      cwd: cwd ?? home,
      env: clientEnvironment(home, { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env }),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, screen }))
  })
}
