import { addAbortSignal } from 'node:stream'
import { inBinary } from '../../shared/findings/check.ts'
import { readModule } from '../../shared/wasm/read-module.ts'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

const mostBytes = 67_108_864
const noInput = Buffer.alloc(0)

/** Standard input for a module, to its end; nothing where the module has no means to read it. */
export async function readInput(
  { stdin, terminal, signal }: Pick<Context, 'stdin' | 'terminal' | 'signal'>,
  module: Uint8Array,
): Promise<Buffer> {
  if (!canRead(module)) return noInput
  if (stdin.isTTY === true) {
    terminal.line(terminal.style('dim', `Type the input; ${endOfInput} ends it.`))
  }
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of addAbortSignal(signal, stdin) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > mostBytes) {
      throw new ClientError(
        exitCodes.notRun,
        `Standard input has more than ${inBinary(mostBytes)}; a run takes no more.`,
        { code: 'INPUT_TOO_LARGE', next: 'Give it the input in smaller parts.' },
      )
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const endOfInput = process.platform === 'win32' ? 'Ctrl+Z and Enter' : 'Ctrl+D'

/** What cannot be read as a module is refused before it would read anything. */
function canRead(module: Uint8Array): boolean {
  const reading = readModule(module)
  return reading.ok && reading.module.imports.some(({ name }) => name === 'fd_read')
}
