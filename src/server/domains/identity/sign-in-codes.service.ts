import type { Person } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import { sessionRepository } from './sessions.repository.ts'
import { codeLifeMs, hashOf, isBuiltIn, makeSecret } from './sessions.rules.ts'
import { texts } from './identity.texts.ts'

/** Creates sign-in links (rulings, "Desk without Electron"). `deskAddress` is the URL of the local listener. */
export function createSignInCodes(database: Database, deskAddress: () => string) {
  const writing = sessionRepository(database.writer)
  const reading = sessionRepository(database.reader)

  return {
    /**
     * A link that signs this person in, or for null one that creates the first administrator. Its code is in the
     * fragment, which is not sent to servers or written to logs. Throws NOT_FOUND.
     */
    async createLink(personId: number | null): Promise<{ url: string; expiresAt: string }> {
      const code = makeSecret()
      const now = Date.now()
      const expiresAt = new Date(now + codeLifeMs).toISOString()
      await database.transact(() => {
        if (personId !== null && writing.findSigner(personId) === null) {
          throw new DomainError('NOT_FOUND', texts.noPerson(personId))
        }
        writing.deleteOldCodes(new Date(now).toISOString())
        writing.insertCode(hashOf(code), personId, expiresAt)
      })
      return { url: `${deskAddress()}/desk/#code=${code}`, expiresAt }
    },

    listAdministrators: reading.listAdministrators,

    /** Throws NOT_FOUND. If several issuers have this subject, returns the person of the built-in one. */
    getSigner(subject: string): Person {
      const signers = reading.listSigners(subject)
      const builtIn = signers.find(isBuiltIn)
      const only = signers.length === 1 ? signers[0] : undefined
      const signer = builtIn ?? only
      if (signer === undefined) {
        throw new DomainError('NOT_FOUND', texts.noPersonNamed(subject))
      }
      return signer
    },
  }
}

export type SignInCodes = ReturnType<typeof createSignInCodes>
