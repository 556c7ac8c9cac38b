// The certified oidc-provider, as a process of its own. It says `ready` once it accepts requests.
//
//   node tests/support/server/run-oidc-provider.mjs ISSUER PORT REDIRECT_URI
import process from 'node:process'
import { Provider } from 'oidc-provider'

const [issuer = '', port = '', redirectUri = ''] = process.argv.slice(2)

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'desk',
      client_secret: 'a secret of the desk',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  pkce: { required: () => true },
  cookies: { keys: ['only for tests'] },
  // Anyone may sign in with any name and password. Who is called boss is an administrator.
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({ sub, name: `${sub} of the provider`, roles: sub === 'boss' ? ['skill-admin'] : [] }),
  }),
  claims: { openid: ['sub'], profile: ['name', 'roles'] },
  // Most providers put the claims of a scope into the ID token.
  conformIdTokenClaims: false,
  scopes: ['openid', 'profile', 'email'],
})
// Behind a proxy.
provider.proxy = true
provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
