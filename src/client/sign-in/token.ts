import { addAbortSignal } from 'node:stream'
import { text } from 'node:stream/consumers'
import { usageError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { createRegistry } from '../registry/registry.ts'
import type { Registry } from '../registry/registry.ts'
import { texts } from './sign-in.texts.ts'

/** Longer than the tokens of any known issuer. */
const maxCharacters = 8192

/**
 * Trims a token and removes the `Bearer` of a header. Throws if the rest cannot be a token. `subject` begins
 * the error message.
 */
export function readToken(given: string, subject: string = texts.token.input): string {
  const token = given.trim().replace(/^bearer +/i, '')
  if (/^[\x21-\x7E]+$/.test(token) && token.length <= maxCharacters) return token
  throw usageError(token === '' ? texts.token.none : texts.token.invalid(subject))
}

/** Reads a token from standard input. */
export async function tokenFromInput({ stdin, signal }: Context): Promise<string> {
  if (stdin.isTTY === true) {
    throw usageError(texts.token.visible)
  }
  let length = 0
  stdin.on('data', (piece: Buffer | string) => {
    length += piece.length
    // Stop early if a huge file was piped by mistake.
    if (length > 2 * maxCharacters) stdin.destroy(new TooLong())
  })
  try {
    return readToken(await text(addAbortSignal(signal, stdin)))
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof TooLong ? usageError(texts.token.tooLong) : error
  }
}

class TooLong extends Error {}

/** The same registry with another token. */
export const withToken = ({ address, options }: Registry, token: string): Registry =>
  createRegistry(address, () => Promise.resolve(token), options)
