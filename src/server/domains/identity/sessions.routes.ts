import type { SignedIn, deskSessionRoutes, firstRunRoutes } from '../../../shared/contracts/desk-session.ts'
import type { Handlers } from '../../http/mount.ts'
import { WithHeaders } from '../../http/replies.ts'
import { sessionCookie } from './sessions.service.ts'
import type { Sessions } from './sessions.service.ts'
import type { SignIn, StartedSession } from './sign-in.service.ts'

/** The answer to a sign-in. The remote desk sets a cookie, so that no script can read the key. */
export function signedIn(started: StartedSession, remote: boolean): SignedIn | WithHeaders<SignedIn> {
  if (!remote) return started
  return new WithHeaders({ person: started.person, sessionKey: null }, sessionCookie(started.sessionKey))
}

export function sessionHandlers(sessions: Sessions, signIn: SignIn): Handlers<typeof deskSessionRoutes> {
  return {
    getDeskState: (call) => signIn.getState(call),
    signIn: async (call) => signedIn(await signIn.signIn(call.body.code, call), call.remote),
    async signOut({ session, remote }) {
      if (session !== null) await sessions.end(session)
      const done = { success: true }
      return remote ? new WithHeaders(done, sessionCookie(null)) : done
    },
  }
}

export function firstRunHandlers(signIn: SignIn): Handlers<typeof firstRunRoutes> {
  return {
    createFirstAdministrator: (call) => signIn.createFirstAdministrator(call.body, call),
    checkFirstRun: ({ body }) => signIn.checkFirstRun(body.code, body.settings),
    checkDataFolder: ({ body }) => signIn.checkDataFolder(body.code, body.path),
    fillWithDemo: (call) => signIn.fillWithDemo(call.body.code, call),
  }
}
