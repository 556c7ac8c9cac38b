import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { externalIssuerSchema } from '../../../src/shared/contracts/issuers.ts'
import type { ExternalIssuer } from '../../../src/shared/contracts/issuers.ts'
import { environmentWith } from '../../../src/server/settings/config.ts'
import { findFreePort } from './free-port.ts'

/** The certified oidc-provider, in its own process. Anyone signs in there with any name and password. */
export interface SignInProvider {
  /** Its entry in the settings. */
  settings: Record<string, unknown>
  issuer: ExternalIssuer
  /** Its own address, without a proxy. */
  address: string
  stop(): Promise<void>
}

/** `issuer` is its public address, if there is a proxy; `site` is that of the remote desk. */
export async function startSignInProvider(site: string, issuer?: string): Promise<SignInProvider> {
  const port = await findFreePort()
  const address = `http://127.0.0.1:${port}`
  const own = issuer ?? address
  const script = join(import.meta.dirname, 'run-oidc-provider.mjs')
  const child = spawn(process.execPath, [script, own, String(port), `${site}/desk/signed-in`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // Otherwise it warns that it is not in production.
    env: environmentWith({ NODE_ENV: 'production' }),
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    void ended.then(() => reject(new Error('oidc-provider ended')))
  })
  const settings = {
    name: 'Team login',
    issuer: own,
    audience: 'skilldock',
    jwksUrl: `${own}/jwks`,
    administrators: { claim: { path: 'roles', value: 'skill-admin' } },
    desk: { clientId: 'desk', clientSecret: 'a secret of the desk' },
  }
  return {
    settings,
    issuer: externalIssuerSchema.parse(settings),
    address,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Signs in at the provider like a browser without scripts, and returns the query with which it sends the browser back. */
export async function signInAtProvider(url: string, name: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next: { address: string; form?: URLSearchParams } = { address: url }
  for (let step = 0; step < 12; step += 1) {
    const { address, form } = next
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((cookie) => cookie.join('=')).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(key, value)
    }
    const to = response.headers.get('location')
    const page = await response.text()
    if (to === null) {
      const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
      const prompt = page.includes('name="login"') ? 'login' : 'consent'
      const login = prompt === 'login' ? { login: name, password: 'any' } : {}
      next = { address: new URL(action, address).href, form: new URLSearchParams({ prompt, ...login }) }
    } else {
      const target = new URL(to, address)
      if (target.pathname === '/desk/signed-in') return target.search.slice(1)
      next = { address: target.href }
    }
  }
  throw new Error('The provider does not send the browser back')
}
