import { stderr, stdin, stdout } from 'node:process'
import { runCommandLine } from './cli.ts'
import { readConfig } from './config.ts'

// Whoever reads the output may stop reading, as `head` does: then there is nobody to tell.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const ending = new AbortController()
process.once('SIGINT', () => ending.abort())
process.once('SIGTERM', () => ending.abort())

async function main(): Promise<void> {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    config: readConfig(),
    folder: process.cwd(),
    stdin,
    stdout,
    stderr,
    signal: ending.signal,
  })
}

void main()
