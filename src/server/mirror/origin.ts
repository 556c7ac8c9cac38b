import { ClientError } from '../../client/client-error.ts'
import { totalTimeoutFactor } from '../../client/registry/http.ts'
import { readRegistryAddress } from '../../client/registry/registry-address.ts'
import { createRegistry } from '../../client/registry/registry.ts'
import type { Registry } from '../../client/registry/registry.ts'
import { Refusal } from '../data-folder/refusal.ts'

/**
 * The registry to copy, used without a token and within the limits of the `skill` client. `idleMs` is how long a request
 * may be without data. Throws a Refusal if the address is invalid.
 */
export function openOrigin(address: string, idleMs: number, signal: AbortSignal): Registry {
  const options = {
    signal,
    idleTimeoutMs: idleMs,
    totalTimeoutMs: idleMs * totalTimeoutFactor,
    signIn: '',
  }
  try {
    return createRegistry(readRegistryAddress(address), () => Promise.resolve(null), options)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    throw new Refusal(`${error.message} ${error.next ?? ''}`.trim(), { cause: error })
  }
}
