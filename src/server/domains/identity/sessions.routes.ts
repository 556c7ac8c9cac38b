import type { deskSessionRoutes, firstRunRoutes } from '../../../shared/contracts/desk-session.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Sessions } from './sessions.service.ts'
import type { SignIn } from './sign-in.service.ts'

export function sessionHandlers(
  sessions: Sessions,
  signIn: SignIn,
): Handlers<typeof deskSessionRoutes & typeof firstRunRoutes> {
  return {
    getDeskState: ({ headers }) => signIn.getState(headers),
    signIn: ({ body, headers }) => signIn.signIn(body.code, headers),
    createFirstAdministrator: ({ body, headers }) => signIn.createFirstAdministrator(body, headers),
    checkFirstRun: ({ body }) => signIn.checkFirstRun(body.code, body.settings),
    checkDataFolder: ({ body }) => signIn.checkDataFolder(body.code, body.path),
    fillWithDemo: ({ body, headers }) => signIn.fillWithDemo(body.code, headers),
    async signOut({ headers }) {
      await sessions.end(headers)
      return { success: true }
    },
  }
}
