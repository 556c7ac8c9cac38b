import type { deskProviderSignInRoutes } from '../../../shared/contracts/desk-provider-sign-in.ts'
import type { Handlers } from '../../http/mount.ts'
import { WithHeaders } from '../../http/replies.ts'
import type { ProviderSignIn } from './provider-sign-in.service.ts'
import { signedIn } from './sessions.routes.ts'
import type { SignIn } from './sign-in.service.ts'

export function providerSignInHandlers(
  providers: ProviderSignIn,
  signIn: SignIn,
): Handlers<typeof deskProviderSignInRoutes> {
  return {
    async startProviderSignIn({ body }) {
      const { url, cookie } = await providers.start(body.provider)
      return new WithHeaders({ url }, { 'Set-Cookie': cookie })
    },
    async finishProviderSignIn(call) {
      const person = await providers.finish(call.body.query, call.headers.cookie)
      return signedIn(await signIn.startFor(person, call), call.remote)
    },
  }
}
