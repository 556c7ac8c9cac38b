import { ClientError } from '../../../src/client/client-error.ts'
import { parseLoosely } from '../../../src/client/parse-loosely.ts'
import { readRegistryAddress } from '../../../src/client/registry/registry-address.ts'
import { readReleaseName } from '../../../src/client/registry/registry.ts'
import { toResponseError } from '../../../src/client/registry/response-error.ts'
import { registryListSchema } from '../../../src/shared/contracts/releases.ts'
import { manifest } from '../../support/server/publish.ts'
import { ascii, assert, refusing, textOf } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

/** Answers and names as the publish client reads them. */
export function answerTarget(): Target {
  const item = { id: 1, ...manifest(), publisher: 'Alice', sha256: '0'.repeat(64), size: 8 }
  return {
    batchSize: 100,
    seeds: [
      ascii(JSON.stringify({ items: [item], next: null })),
      ascii(
        JSON.stringify({
          error: 'Try again later.',
          code: 'TOO_MANY_REQUESTS',
          issues: [{ path: 'a', message: 'b' }],
        }),
      ),
      ascii('https://registry.example/'),
      ascii('upper-case@1.0.0'),
    ],
    words: ['"items":', '"error":', '"code":', '{', '[', '@', '://', '__proto__', '\\u001b[2J', 'null'],
    read(bytes) {
      const text = textOf(bytes)
      parseLoosely(registryListSchema, text)
      refusing(ClientError, () => readReleaseName(text))
      refusing(ClientError, () => readRegistryAddress(text))
      let body: unknown = null
      try {
        body = JSON.parse(text)
      } catch {
        body = text
      }
      const error = toResponseError({
        url: new URL('https://registry.example/'),
        status: 429,
        retryAfter: text.slice(0, 20),
        body,
        signIn: 'Sign in.',
      })
      assert(!/[^\n\t\P{Cc}]/u.test(error.message), 'control characters reach the terminal')
    },
  }
}
