// The certified oidc-provider as the issuer of a CI service, as a process of its own. Its accounts are jobs, whose claims are
// in their ID tokens. It says `ready` once it accepts requests.
//
//   node tests/support/server/run-job-issuer.mjs ISSUER PORT '{"audiences":[…],"jobs":{SUBJECT:{…}},"key":{…},"redirectUri":"…"}'
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { Provider } from 'oidc-provider'

const [issuer = '', port = '', options = ''] = process.argv.slice(2)
const { audiences, jobs, key, redirectUri } = JSON.parse(options)

const provider = new Provider(issuer, {
  clients: audiences.map((audience) => ({
    client_id: audience,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })),
  jwks: { keys: [key] },
  cookies: { keys: ['only for tests'] },
  // As everywhere, no two tokens are the same.
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({ sub, check_run_id: randomUUID(), ...jobs[sub] }),
  }),
  claims: {
    openid: ['sub', 'check_run_id', ...new Set(Object.values(jobs).flatMap((job) => Object.keys(job)))],
  },
  conformIdTokenClaims: false,
})
provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'))
