import { text } from 'node:stream/consumers'
import { loginRoutes } from '../../shared/contracts/logins.ts'
import type { OwnToken } from '../../shared/contracts/logins.ts'
import { ClientError } from '../client-error.ts'
import type { Context } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { createRegistry } from '../registry/registry.ts'
import type { Registry } from '../registry/registry.ts'

/** No issuer that is known makes longer ones. */
const mostCharacters = 8192

/**
 * A token as somebody has given it: without white space around it, and without the word that stands before it in a
 * header. `what` is how a message calls it.
 */
export function readToken(given: string, what = 'That'): string {
  const token = given.trim().replace(/^bearer +/i, '')
  if (/^[\x21-\x7E]+$/.test(token) && token.length <= mostCharacters) return token
  throw new ClientError(exitCodes.usage, token === '' ? 'There was no token.' : `${what} is no token.`, {
    code: 'USAGE',
    next: 'Copy the whole of it, in one line, from where it is shown once: My releases in the desk.',
  })
}

/** The token that stands on standard input, whole. */
export async function tokenFromInput({ stdin, signal }: Context): Promise<string> {
  if (stdin.isTTY === true) {
    throw new ClientError(exitCodes.usage, 'Standard input is the terminal, which would show the token.', {
      code: 'USAGE',
      next: 'Give it from a file or a program, or type it with: skill login --paste',
    })
  }
  let length = 0
  stdin.on('data', (piece: Buffer | string) => {
    length += piece.length
    // Whoever gives a film by mistake is told so before all of it is read.
    if (length > 2 * mostCharacters) stdin.destroy(new TooLong())
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
  new ClientError(exitCodes.usage, 'What stands on standard input is longer than any token.', {
    code: 'USAGE',
  })

/** The same registry for whoever holds another token. */
export const withToken = ({ address, options }: Registry, token: string): Registry =>
  createRegistry(address, () => Promise.resolve(token), options)

/** What the registry says of a token. Throws where it does not take it. */
export function describeToken(registry: Registry, token: string): Promise<OwnToken> {
  return withToken(registry, token).call(loginRoutes.getOwnToken)
}
