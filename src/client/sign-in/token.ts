import { text } from 'node:stream/consumers'
import { loginRoutes } from '../../shared/contracts/logins.ts'
import type { OwnToken } from '../../shared/contracts/logins.ts'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { createRegistry } from '../registry/registry.ts'
import type { Registry } from '../registry/registry.ts'

/** Longer than the tokens of any known issuer. */
const maxCharacters = 8192

/**
 * Trims a token and removes the `Bearer` of a header. Throws if the rest cannot be a token. `what` is the subject of
 * the error message.
 */
export function readToken(given: string, what = 'The input'): string {
  const token = given.trim().replace(/^bearer +/i, '')
  if (/^[\x21-\x7E]+$/.test(token) && token.length <= maxCharacters) return token
  throw new ClientError(exitCodes.usage, token === '' ? 'No token was given.' : `${what} is not a token.`, {
    code: 'USAGE',
    next: 'Create a token under My releases in the desk and copy all of it, on one line.',
  })
}

/** Reads a token from standard input. */
export async function tokenFromInput({ stdin, signal }: Context): Promise<string> {
  if (stdin.isTTY === true) {
    throw new ClientError(exitCodes.usage, 'Standard input is a terminal, which would show the token.', {
      code: 'USAGE',
      next: 'Pipe the token from a file or a program, or paste it with: skill login --paste',
    })
  }
  let length = 0
  stdin.on('data', (piece: Buffer | string) => {
    length += piece.length
    // Stop early if a huge file was piped by mistake.
    if (length > 2 * maxCharacters) stdin.destroy(new TooLong())
  })
  try {
    return readToken(await text(stdin))
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof TooLong ? tooLong() : error
  }
}

class TooLong extends Error {}
const tooLong = (): ClientError =>
  new ClientError(exitCodes.usage, 'Standard input is too long to be a token.', {
    code: 'USAGE',
  })

/** The same registry with another token. */
export const withToken = ({ address, options }: Registry, token: string): Registry =>
  createRegistry(address, () => Promise.resolve(token), options)

/** Fetches what the registry knows about a token. Throws if it does not accept it. */
export function describeToken(registry: Registry, token: string): Promise<OwnToken> {
  return withToken(registry, token).call(loginRoutes.getOwnToken)
}
