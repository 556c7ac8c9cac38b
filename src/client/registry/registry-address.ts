import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { trimEndCharacters } from '../../shared/trim-characters.ts'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether the address is on this computer. */
export const isLoopback = (address: URL): boolean => loopback.test(address.hostname)

/**
 * Parses the address of a registry and removes trailing slashes. Plain HTTP is accepted on loopback only: elsewhere an
 * attacker on the network could read the token and change the module.
 */
export function readRegistryAddress(text: string): URL {
  const address = parse(text)
  if (address === null || !/^https?:$/.test(address.protocol) || address.hostname === '') {
    throw refused(
      `"${text}" is not a valid registry address.`,
      'Use a full URL, such as https://skills.example.com.',
    )
  }
  if (address.username !== '' || address.password !== '') {
    throw refused('A registry address must not contain a user name or password.', 'Sign in with: skill login')
  }
  if (address.search !== '' || address.hash !== '') {
    throw refused(`"${text}" is not a valid registry address.`, 'Remove the ? or # and everything after it.')
  }
  if (address.protocol === 'http:' && !isLoopback(address)) {
    throw refused(
      `Plain HTTP is not secure, and ${address.host} is not this computer.`,
      `Use https://${address.host}.`,
    )
  }
  address.pathname = trimEndCharacters(address.pathname, '/')
  return address
}

function refused(sentence: string, next: string): ClientError {
  return new ClientError(exitCodes.usage, sentence, { next, code: 'REGISTRY_ADDRESS' })
}

// URL.parse is not available in Node 20.
const parse = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)
