import { realpathSync } from 'node:fs'
import { stderr, stdin, stdout } from 'node:process'
import { childWord } from './child/job.ts'
import { workAsChild } from './child/sandbox-child.ts'
import { runCommandLine } from './cli.ts'
import { readConfig } from './config.ts'

async function main(): Promise<void> {
  // Whoever reads the output may stop reading, as `head` does: then there is nobody to tell.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  const ending = new AbortController()
  process.once('SIGINT', () => ending.abort())
  process.once('SIGTERM', () => ending.abort())
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    config: readConfig(),
    folder: process.cwd(),
    stdin,
    stdout,
    stderr,
    program: realpathSync(process.argv[1] ?? ''),
    signal: ending.signal,
  })
}

if (process.argv[2] === childWord) workAsChild()
else void main()
