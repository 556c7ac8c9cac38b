import { isDeepStrictEqual } from 'node:util'
import type { Person } from '../../../../shared/contracts/people.ts'
import { maxPublishers } from '../../../../shared/contracts/trusted-publishers.ts'
import type { JobIdentity, TrustedPublisher } from '../../../../shared/contracts/trusted-publishers.ts'
import { DomainError } from '../../../../shared/errors.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { Database } from '../../../db/database.ts'
import type { TrustedIssuers } from '../../identity/trusted-issuers.service.ts'
import { ownersRepository } from '../owners/owners.repository.ts'
import { texts } from '../releases.texts.ts'
import { trustedPublishersRepository } from './trusted-publishers.repository.ts'

/** The trusted publishers of a name, which its owners manage. */
export function createTrustedPublishers(
  database: Database,
  issuers: Pick<TrustedIssuers, 'isAllowed'>,
  clock = (): Date => new Date(),
) {
  const reading = trustedPublishersRepository(database.reader)
  const writing = trustedPublishersRepository(database.writer)

  const assertOwner = (connection: Database['reader'], name: string, { id }: Person): void => {
    if (ownersRepository(connection).isOwner(name, id)) return
    throw new DomainError('NOT_OWNER', texts.owners.notOwner(name))
  }

  const refuse = (path: string, message: string): never => {
    throw new DomainError('VALIDATION_FAILED', `${path} ${message}.`, { issues: [{ path, message }] })
  }

  return {
    /** Throws NOT_OWNER. */
    list(person: Person, name: string): TrustedPublisher[] {
      database.assertAvailable()
      assertOwner(database.reader, name, person)
      return reading.list(name)
    },

    /** Throws NOT_OWNER, TOO_MANY_PUBLISHERS, or VALIDATION_FAILED for a private or repeated one. */
    add(person: Person, name: string, identity: JobIdentity): Promise<TrustedPublisher> {
      if (!issuers.isAllowed(identity.issuer)) refuse('issuer', texts.publishers.privateIssuer)
      return database.transact(() => {
        assertOwner(database.writer, name, person)
        const existing = writing.list(name)
        const same = existing.find((one) => isDeepStrictEqual(one.identity, identity))
        if (same !== undefined) refuse('identity', texts.publishers.repeated(same.id))
        if (existing.length >= maxPublishers) {
          throw new DomainError('TOO_MANY_PUBLISHERS', texts.publishers.tooMany(name, maxPublishers))
        }
        const addedAt = clock().toISOString()
        const id = writing.insert({
          name,
          person: person.id,
          identity: JSON.stringify(identity),
          at: addedAt,
        })
        const addedBy = { id: person.id, publisher: publisherName(person) }
        return { id, identity, pins: null, addedBy, addedAt }
      })
    },

    /** Any owner of the name may do it. Throws NOT_OWNER or NOT_FOUND. */
    remove(person: Person, name: string, id: number): Promise<void> {
      return database.transact(() => {
        assertOwner(database.writer, name, person)
        if (!writing.list(name).some((one) => one.id === id)) {
          throw new DomainError('NOT_FOUND', texts.publishers.unknown(name, id))
        }
        writing.remove({ id, by: person.id, at: clock().toISOString() })
      })
    },
  }
}

export type TrustedPublishers = ReturnType<typeof createTrustedPublishers>
