import { Readable, Writable } from 'node:stream'
import { runCommandLine } from '../../../src/client/cli.ts'
import { readConfig } from '../../../src/client/config.ts'
import { clientFile } from './client.ts'
import { temporaryFolder } from '../server/command-line.ts'

export interface HereOptions {
  /** The folder that it is called in; a new empty one without it. */
  folder?: string
  env?: Record<string, string>
  signal?: AbortSignal
  /** Whether both outputs are terminals, as wide as this. */
  columns?: number
  /** What it writes is kept here, for a test that watches it. */
  written?: { stdout: string; stderr: string }
}

export interface HereEnded {
  status: number
  stdout: string
  stderr: string
}

/** Runs `skill` in this process: where many short runs are to be seen and the process is not what they are about. */
export async function skillHere(words: readonly string[], options: HereOptions = {}): Promise<HereEnded> {
  const folder = options.folder ?? temporaryFolder()
  const { written = { stdout: '', stderr: '' } } = options
  const stream = (name: 'stdout' | 'stderr') => {
    const writable = new Writable({
      write(piece: Buffer, _encoding, done) {
        written[name] += piece.toString()
        done()
      },
    })
    return options.columns === undefined
      ? writable
      : Object.assign(writable, { isTTY: true, columns: options.columns })
  }
  const status = await runCommandLine(words, {
    config: readConfig({ XDG_CONFIG_HOME: folder, APPDATA: folder, ...options.env }),
    folder,
    stdin: Readable.from([]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    program: clientFile,
    signal: options.signal ?? new AbortController().signal,
  })
  return { status, ...written }
}
