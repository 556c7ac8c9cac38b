import { addAbortSignal } from 'node:stream'
import { formatBinarySize } from '../../shared/findings/check.ts'
import { readModule } from '../../shared/wasm/read-module.ts'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

const maxBytes = 67_108_864
const noInput = Buffer.alloc(0)

/** Reads standard input for a module to its end. Empty if the module does not import `fd_read`. */
export async function readInput(
  { stdin, terminal, signal }: Pick<Context, 'stdin' | 'terminal' | 'signal'>,
  module: Uint8Array,
): Promise<Buffer> {
  if (!canRead(module)) return noInput
  if (stdin.isTTY === true) {
    terminal.line(terminal.style('dim', `Type the input, then press ${endOfInput} to end it.`))
  }
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of addAbortSignal(signal, stdin) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maxBytes) {
      throw new ClientError(
        exitCodes.notRun,
        `Standard input is larger than ${formatBinarySize(maxBytes)}, the limit for a run.`,
        { code: 'INPUT_TOO_LARGE', next: 'Split the input into smaller parts.' },
      )
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const endOfInput = process.platform === 'win32' ? 'Ctrl+Z and Enter' : 'Ctrl+D'

/** False for an invalid module, which is rejected before it could read anything. */
function canRead(module: Uint8Array): boolean {
  const reading = readModule(module)
  return reading.ok && reading.module.imports.some(({ name }) => name === 'fd_read')
}
