import { ClientError } from '../client-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { trimEndCharacters } from '../../shared/trim-characters.ts'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether it names this computer itself. */
export const isLoopback = (address: URL): boolean => loopback.test(address.hostname)

/**
 * The address of a registry, without a slash at its end. Plain HTTP is taken on loopback only: on any other way
 * somebody between could read the token and change the module.
 */
export function readRegistryAddress(text: string): URL {
  const address = parse(text)
  if (address === null || !/^https?:$/.test(address.protocol) || address.hostname === '') {
    throw refused(
      `"${text}" is no address of a registry.`,
      'Write it whole, such as https://skills.example.com.',
    )
  }
  if (address.username !== '' || address.password !== '') {
    throw refused('The address of a registry holds no name and no password.', 'Sign in with: skill login')
  }
  if (address.search !== '' || address.hash !== '') {
    throw refused(`"${text}" is more than the address of a registry.`, 'Leave out what stands behind ? or #.')
  }
  if (address.protocol === 'http:' && !isLoopback(address)) {
    throw refused(
      `${address.host} is not this computer, and plain HTTP can be read and changed on its way.`,
      `Use https://${address.host}.`,
    )
  }
  address.pathname = trimEndCharacters(address.pathname, '/')
  return address
}

function refused(sentence: string, next: string): ClientError {
  return new ClientError(exitCodes.usage, sentence, { next, code: 'REGISTRY_ADDRESS' })
}

// URL.parse is younger than Node 20.
const parse = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null)
