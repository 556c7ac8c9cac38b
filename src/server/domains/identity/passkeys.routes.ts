import type { deskPasskeyRoutes } from '../../../shared/contracts/desk-passkeys.ts'
import type { Handlers } from '../../http/mount.ts'
import type { Passkeys } from './passkeys.service.ts'
import { signedIn } from './sessions.routes.ts'
import type { Sessions } from './sessions.service.ts'

export function passkeyHandlers(passkeys: Passkeys, sessions: Sessions): Handlers<typeof deskPasskeyRoutes> {
  return {
    startPasskeySignIn: () => passkeys.startSignIn(),
    async signInWithPasskey(call) {
      const started = await passkeys.signIn(call.body, (person, now) => ({
        person,
        sessionKey: sessions.start(person.id, call, now),
      }))
      return signedIn(started, call.remote)
    },
    startAddingPasskey: ({ caller }) => passkeys.startAdding(caller),
    addPasskey: ({ caller, body }) => passkeys.add(caller, body.label, body.passkey),
  }
}
