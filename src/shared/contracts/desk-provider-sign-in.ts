import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { signedInSchema } from './desk-session.ts'

// Part of the desk API, at the public address only, to which the provider sends people back.

/** The path of the page at which people arrive from the provider, relative to `/desk`. */
export const providerReturnPath = '/signed-in'

export const deskProviderSignInRoutes = {
  startProviderSignIn: route('POST /desk/api/session/provider/start', 'public', {
    summary: 'Start signing in through an identity provider; the same browser must finish within ten minutes',
    rateLimit: 'signIn',
    body: json(z.strictObject({ provider: z.string().min(1).max(100) })),
    reply: reply(
      z.strictObject({ url: z.string().describe('The page of the provider.') }),
      'Where to continue',
    ),
    errors: ['NOT_FOUND', 'ISSUER_UNAVAILABLE', 'TOO_MANY_REQUESTS'],
  }),
  finishProviderSignIn: route('POST /desk/api/session/provider', 'public', {
    summary:
      'Finish signing in with what the provider has added to the address to which it has sent the browser back',
    rateLimit: 'signIn',
    body: json(z.strictObject({ query: z.string().max(8000) })),
    reply: reply(signedInSchema, 'Signed in'),
    errors: [
      'NOT_FOUND',
      'SIGN_IN_REFUSED',
      'TOKEN_REVOKED',
      'ISSUER_UNAVAILABLE',
      'TOO_MANY_REQUESTS',
      'DATABASE_UNAVAILABLE',
    ],
  }),
}
