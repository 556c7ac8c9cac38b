import type { deskSessionRoutes, firstRunRoutes } from '../../../shared/contracts/desk-session.ts'
import type { Handlers } from '../../http/mount.ts'
import { WithHeaders } from '../../http/replies.ts'
import type { DeskSessions } from './desk-session.service.ts'
import type { SignIn, SignedIn } from './sign-in.service.ts'

const withCookie = <T>(body: T, cookie: string): WithHeaders<T> =>
  new WithHeaders(body, { 'Set-Cookie': cookie })

const signedIn = ({ person, cookie }: SignedIn): WithHeaders<{ person: SignedIn['person'] }> =>
  withCookie({ person }, cookie)

export function deskSessionHandlers(
  sessions: DeskSessions,
  signIn: SignIn,
): Handlers<typeof deskSessionRoutes & typeof firstRunRoutes> {
  return {
    getDeskState({ headers }) {
      const state = signIn.getState(headers)
      return state.person === null ? state : withCookie(state, sessions.renewedCookie(headers))
    },
    signIn: async ({ body, headers }) => signedIn(await signIn.signIn(body.code, headers)),
    createFirstAdministrator: async ({ body, headers }) =>
      signedIn(await signIn.createFirstAdministrator(body, headers)),
    checkFirstRun: ({ body }) => signIn.checkFirstRun(body.code, body.settings),
    checkDataFolder: ({ body }) => signIn.checkDataFolder(body.code, body.path),
    fillWithDemo: async ({ body, headers }) => signedIn(await signIn.fillWithDemo(body.code, headers)),
    signOut: async ({ headers }) => withCookie({ success: true }, await sessions.end(headers)),
  }
}
