import { addAbortSignal } from 'node:stream'
import { formatBinarySize } from '../../shared/findings/define-check.ts'
import { readModule } from '../../shared/wasm/read-module.ts'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { texts } from './project.texts.ts'

const maxBytes = 67_108_864
const noInput = Buffer.alloc(0)

/** Reads standard input for a module to its end. Empty if the module does not import `fd_read`. */
export async function readInput(
  { stdin, terminal, signal }: Pick<Context, 'stdin' | 'terminal' | 'signal'>,
  module: Uint8Array,
): Promise<Buffer> {
  if (!canRead(module)) return noInput
  if (stdin.isTTY === true) {
    terminal.note(texts.input.prompt(endOfInput))
  }
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of addAbortSignal(signal, stdin) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maxBytes) {
      throw new ClientError(exitCodes.notRun, texts.input.tooLarge(formatBinarySize(maxBytes)), {
        code: 'INPUT_TOO_LARGE',
      })
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

const endOfInput = texts.input.end[process.platform === 'win32' ? 'windows' : 'others']

/** False for an invalid module, which is rejected before it could read anything. */
function canRead(module: Uint8Array): boolean {
  const reading = readModule(module)
  return reading.ok && reading.module.imports.some(({ name }) => name === 'fd_read')
}
