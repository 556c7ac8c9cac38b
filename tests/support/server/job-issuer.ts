import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import type { CryptoKey, JWK } from 'jose'
import { externalIssuerSchema } from '../../../src/shared/contracts/issuers.ts'
import type { ExternalIssuer } from '../../../src/shared/contracts/issuers.ts'
import { environmentWith } from '../../../src/server/settings/config.ts'
import { findFreePort } from './free-port.ts'
import { signInAtProvider } from './sign-in-provider.ts'

/** The claims of jobs, by their subjects. */
export type Jobs = Readonly<Record<string, Record<string, unknown>>>

const redirectUri = 'https://jobs.example/desk/signed-in'

export interface JobIssuer {
  /** Its `iss`. */
  url: string
  /** Its entry in the settings, without which a private address is refused. */
  settings: ExternalIssuer
  /** The ID token that oidc-provider issues to a job. */
  issue(subject: string, audience: string): Promise<string>
  /** Signs any claims with the issuer's own key, or another one. */
  sign(claims: unknown, header?: Record<string, unknown>, key?: CryptoKey): Promise<string>
  stop(): Promise<void>
}

/** The certified oidc-provider as the issuer of a CI service, in its own process. Its tokens can be for these audiences. */
export async function startJobIssuer(audiences: readonly string[], jobs: Jobs): Promise<JobIssuer> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key: JWK = { ...(await exportJWK(privateKey)), kid: 'job-key', alg: 'RS256', use: 'sig' }
  const script = join(import.meta.dirname, 'run-job-issuer.mjs')
  const child = spawn(
    process.execPath,
    [script, url, String(port), JSON.stringify({ audiences, jobs, key, redirectUri })],
    { stdio: ['ignore', 'pipe', 'ignore'], env: environmentWith({ NODE_ENV: 'production' }) },
  )
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    void ended.then(() => reject(new Error('oidc-provider ended')))
  })
  return {
    url,
    settings: externalIssuerSchema.parse({
      name: 'Jobs',
      issuer: url,
      audience: 'nobody signs in with its tokens',
      jwksUrl: `${url}/jwks`,
    }),
    async issue(subject, audience) {
      const verifier = randomBytes(32).toString('base64url')
      const query = new URLSearchParams({
        client_id: audience,
        response_type: 'code',
        scope: 'openid',
        redirect_uri: redirectUri,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
      const answer = await signInAtProvider(`${url}/auth?${query}`, subject)
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: audience,
          redirect_uri: redirectUri,
          code: new URLSearchParams(answer).get('code') ?? '',
          code_verifier: verifier,
        }),
      })
      const { id_token: token } = (await response.json()) as { id_token?: string }
      if (token === undefined) throw new Error(`oidc-provider: ${response.status}`)
      return token
    },
    sign: (claims, header = {}, signer = privateKey) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'RS256', kid: 'job-key', ...header })
        .sign(signer),
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
