import { Readable, Writable } from 'node:stream'
import { runCommandLine } from '../../../src/client/cli.ts'
import { readConfig } from '../../../src/client/config.ts'
import { clientFile } from './client.ts'
import { temporaryFolder } from '../server/command-line.ts'

export interface HereOptions {
  /** The working directory; by default a new empty folder. */
  folder?: string
  env?: Record<string, string>
  /** Standard input; empty by default. */
  stdin?: string
  signal?: AbortSignal
  /** Makes both outputs terminals of this width. */
  columns?: number
  /** Receives the output, for a test that observes it. */
  written?: { stdout: string; stderr: string }
}

export interface HereEnded {
  status: number
  stdout: string
  stderr: string
}

/** Runs `skill` in this process, for tests with many short runs that do not depend on a separate process. */
export async function skillHere(args: readonly string[], options: HereOptions = {}): Promise<HereEnded> {
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
  const status = await runCommandLine(args, {
    config: readConfig({ XDG_CONFIG_HOME: folder, APPDATA: folder, ...options.env }),
    folder,
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    program: clientFile,
    signal: options.signal ?? new AbortController().signal,
  })
  return { status, ...written }
}

/** Runs `skill` with `--json` in this process and parses its output. Throws if that is not a single JSON document. */
export async function skillHereJson<T>(
  args: readonly string[],
  options: HereOptions = {},
): Promise<{ status: number; data: T; stderr: string }> {
  const { status, stdout, stderr } = await skillHere([...args, '--json'], options)
  return { status, stderr, data: JSON.parse(stdout) as T }
}
