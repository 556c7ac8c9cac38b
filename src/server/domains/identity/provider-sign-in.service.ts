import type { Configuration } from 'openid-client'
import { providerReturnPath } from '../../../shared/contracts/desk-provider-sign-in.ts'
import type { ExternalIssuer } from '../../../shared/contracts/issuers.ts'
import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import { logTexts } from '../../operations/log.texts.ts'
import type { Logger } from '../../operations/logging.ts'
import type { ExternalPeople } from './external-issuers.service.ts'
import { ProviderError, fetchProvider, providerTimeoutMs } from './provider-fetch.service.ts'
import type { Seals } from './seals.rules.ts'
import { attemptLifeMs, readAttemptCookie, setAttemptCookie } from './sessions.rules.ts'
import { texts } from './identity.texts.ts'

interface ProviderSignInParts {
  issuers: readonly ExternalIssuer[]
  /** By the `iss` of their tokens. */
  external: ReadonlyMap<string, ExternalPeople>
  seals: Seals
  /** The address of the remote desk; null while it is off. */
  deskUrl(): string | null
  log: Logger
}

type Provider = ExternalIssuer & { desk: NonNullable<ExternalIssuer['desk']> }

/** What only the browser that started a sign-in has, in a cookie. */
interface Attempt {
  provider: string
  state: string
  nonce: string
  verifier: string
}

/** Milliseconds for which a provider's description is used before it is fetched again. */
const freshMs = 10 * 60_000

const purpose = 'provider sign-in'

const refused = (sentence: string, cause?: unknown): DomainError =>
  new DomainError('SIGN_IN_REFUSED', sentence, { cause })

/**
 * Signs people in to the remote desk at the providers whose tokens the API accepts: OpenID Connect's authorization code
 * with PKCE (RFC 7636). What has to match between start and end is in a cookie of the browser; nothing is stored here.
 */
export function createProviderSignIn({ issuers, external, seals, deskUrl, log }: ProviderSignInParts) {
  const described = new Map<string, { at: number; configuration: Promise<Configuration> }>()

  const providers = (): Provider[] =>
    deskUrl() === null ? [] : issuers.filter((issuer): issuer is Provider => issuer.desk !== undefined)

  /** Throws NOT_FOUND. */
  const getProvider = (name: string): Provider => {
    const provider = providers().find((one) => one.name === name)
    if (provider === undefined) throw new DomainError('NOT_FOUND', texts.providerSignIn.unknown(name))
    return provider
  }

  const returnAddress = (): string => `${deskUrl() ?? ''}/desk${providerReturnPath}`

  const describe = ({ issuer, name, desk }: Provider): Promise<Configuration> => {
    const now = performance.now()
    const known = described.get(name)
    if (known !== undefined && now - known.at < freshMs) return known.configuration
    const configuration = discover(issuer, desk)
    described.set(name, { at: now, configuration })
    configuration.catch(() => described.delete(name))
    return configuration
  }

  /** Logs why a provider could not be used, and returns what the person is told. */
  const explain = (provider: Provider, error: unknown): DomainError => {
    // What is wrong with its ID token is for the log only.
    const isToken = error instanceof DomainError && /^TOKEN_(?:INVALID|EXPIRED)$/.test(error.code)
    if (error instanceof DomainError && !isToken) return error
    const problem = problemOf(error)
    log.warn(
      { issuer: provider.name, problem: problem?.message ?? String(error) },
      logTexts.providerSignInFailed,
    )
    if (problem !== null) {
      return new DomainError('ISSUER_UNAVAILABLE', texts.providerSignIn.unavailable(provider.name), {
        cause: error,
      })
    }
    const code = error instanceof Error && 'error' in error ? error.error : undefined
    if (code === 'access_denied') return refused(texts.providerSignIn.denied(provider.name), error)
    return refused(texts.providerSignIn.failed(provider.name), error)
  }

  return {
    /** The names of the providers at which people can sign in. */
    list: (): string[] => providers().map(({ name }) => name),

    /** Returns where to send the browser, and the cookie that it must keep. Throws NOT_FOUND or ISSUER_UNAVAILABLE. */
    async start(name: string): Promise<{ url: string; cookie: string }> {
      const provider = getProvider(name)
      const client = await import('openid-client')
      try {
        const configuration = await describe(provider)
        const attempt: Attempt = {
          provider: name,
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        }
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: returnAddress(),
          scope: provider.desk.scope,
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: 'S256',
        })
        return {
          url: url.href,
          cookie: setAttemptCookie(seals.make(purpose, attemptLifeMs, JSON.stringify(attempt))),
        }
      } catch (error) {
        throw explain(provider, error)
      }
    },

    /**
     * The person who has signed in at the provider. `query` is that of the address to which it has sent the browser back.
     * Throws SIGN_IN_REFUSED, TOKEN_REVOKED for a removed person, NOT_FOUND or ISSUER_UNAVAILABLE.
     */
    async finish(query: string, cookie: string | undefined): Promise<Person> {
      const sealed = readAttemptCookie(cookie)
      const data = sealed === null ? null : seals.open(purpose, sealed)
      // Once: with a second answer, the first one's person could be exchanged.
      if (sealed === null || data === null || !seals.use(purpose, sealed)) {
        throw refused(texts.providerSignIn.notStarted)
      }
      const attempt = JSON.parse(data) as Attempt
      const provider = getProvider(attempt.provider)
      const client = await import('openid-client')
      try {
        const answer = await client.authorizationCodeGrant(
          await describe(provider),
          new URL(`?${query}`, returnAddress()),
          {
            pkceCodeVerifier: attempt.verifier,
            expectedState: attempt.state,
            expectedNonce: attempt.nonce,
            idTokenExpected: true,
          },
        )
        const people = external.get(provider.issuer)
        if (people === undefined || answer.id_token === undefined) {
          throw refused(texts.providerSignIn.failed(provider.name))
        }
        return await people.identify(answer.id_token, provider.desk.clientId)
      } catch (error) {
        throw explain(provider, error)
      }
    },
  }
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>

async function discover(
  issuer: string,
  { clientId, clientSecret, tokenEndpointAuthMethod }: Provider['desk'],
): Promise<Configuration> {
  const client = await import('openid-client')
  const withSecret =
    tokenEndpointAuthMethod === 'client_secret_basic' ? client.ClientSecretBasic : client.ClientSecretPost
  const authentication = clientSecret === undefined ? client.None() : withSecret(clientSecret)
  return client.discovery(new URL(issuer), clientId, undefined, authentication, {
    [client.customFetch]: (url, { body, headers, method }) =>
      fetchProvider(url, {
        headers,
        method,
        body: body instanceof URLSearchParams ? String(body) : undefined,
      }),
    timeout: providerTimeoutMs / 1000,
    // The settings accept plain HTTP only on this computer.
    execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
  })
}

/** The problem of a provider that could not be reached, among the causes of an error. */
function problemOf(error: unknown): ProviderError | null {
  if (error instanceof ProviderError) return error
  return error instanceof Error && error.cause !== undefined ? problemOf(error.cause) : null
}
