import { realpathSync } from 'node:fs'
import { stderr, stdin, stdout } from 'node:process'
import { aboutFile } from '../files/about-file.ts'
import { childCommand } from './child/job.ts'
import { texts } from './client.texts.ts'
import { readConfig } from './config.ts'
import { exitCodes } from './exit-codes.ts'
import { Terminated, toClientError } from './to-client-error.ts'

async function main(): Promise<void> {
  const { runCommandLine } = await import('./cli.ts')
  const ending = new AbortController()
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader may close the pipe early, as `head` does. That is not an error.
    if (error.code === 'EPIPE') process.exit(exitCodes.done)
    const { message, exitCode } = toClientError(aboutFile(error, texts.standardOutput), ending.signal)
    stderr.write(`skill: ${message}\n`)
    process.exit(exitCode)
  })
  // A closed standard error must not change what the command does or its exit code.
  stderr.on('error', () => {})
  process.once('SIGINT', () => ending.abort())
  process.once('SIGTERM', () => ending.abort(new Terminated()))
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    config: readConfig(),
    folder: currentFolder(),
    stdin,
    stdout,
    stderr,
    program: realpathSync(process.argv[1] ?? ''),
    signal: ending.signal,
  })
}

function currentFolder(): string | null {
  try {
    return process.cwd()
  } catch {
    return null
  }
}

// Imported lazily: each run of a module starts a child process, which needs only a few of these files.
if (process.argv[2] === childCommand) {
  void import('./child/sandbox-child.ts').then(({ runAsChild }) => runAsChild())
} else void main()
