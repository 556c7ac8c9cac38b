import { dailyOffers, maxOwners, offerDays } from '../../../../shared/contracts/owners.ts'
import type {
  NameOwners,
  NewOffer,
  OfferAnswer,
  Owner,
  OwnNames,
  OwnerOffer,
  Transfer,
} from '../../../../shared/contracts/owners.ts'
import type { Administrator, Person } from '../../../../shared/contracts/people.ts'
import { pageSize } from '../../../../shared/contracts/releases.ts'
import { DomainError } from '../../../../shared/errors.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import type { Database } from '../../../db/database.ts'
import { createReleaseChecks } from '../checks/release-checks.service.ts'
import { createRollingLimit, quotaWindowMs } from '../releases.rules.ts'
import { texts } from '../releases.texts.ts'
import { ownersRepository } from './owners.repository.ts'
import type { OfferRow } from './owners.repository.ts'

const dayMs = 24 * 3600 * 1000

/** The owners of approved skills, for everyone. */
export function createPublicOwners(database: Pick<Database, 'reader' | 'assertAvailable'>) {
  const repository = ownersRepository(database.reader)
  return {
    /** Throws NOT_FOUND unless a release of the name is approved. */
    listOwners(name: string): Owner[] {
      database.assertAvailable()
      if (!repository.isApproved(name)) throw new DomainError('NOT_FOUND', texts.catalog.notApproved(name))
      return repository.listOwners(name)
    },
  }
}

export type PublicOwners = ReturnType<typeof createPublicOwners>

/**
 * The owners of names: any of them may publish. They are added by an offer that the person accepts, or by an
 * administrator. `onStale` is called if pending releases must be checked again.
 */
export function createOwners(database: Database, onStale = (): void => {}) {
  const reading = ownersRepository(database.reader)
  const writing = ownersRepository(database.writer)
  const checks = createReleaseChecks(database)
  const daily = createRollingLimit(quotaWindowMs)

  const now = (): string => new Date().toISOString()

  const assertOwner = (name: string, person: Pick<Person, 'id'>): void => {
    if (!writing.isOwner(name, person.id)) throw new DomainError('NOT_OWNER', texts.owners.notOwner(name))
  }

  const assertRoom = (name: string): void => {
    if (writing.listCurrent(name).length < maxOwners) return
    throw new DomainError('TOO_MANY_OWNERS', texts.owners.tooMany(name, maxOwners))
  }

  /** A person who has access, by sign-in name or `id:7`. */
  const getPerson = (to: string): { id: number; name: string | null } => {
    const id = /^id:([1-9]\d{0,14})$/.exec(to)?.[1]
    const found = id === undefined ? writing.listPeople(to) : [writing.findPerson(Number(id))]
    const [person] = found
    if (person == null) throw new DomainError('NOT_FOUND', texts.owners.noPerson(to))
    if (found.length === 1) return person
    throw new DomainError('VALIDATION_FAILED', texts.owners.severalPeople(to), {
      issues: [{ path: 'to', message: texts.owners.ambiguous }],
    })
  }

  /** Which names look like another publisher's depends on their owners. */
  const onChange = (name: string): void => {
    if (checks.onOwners(name)) onStale()
  }

  const endOwner = (name: string, personId: number, by: number): void => {
    const at = now()
    writing.endPeriod({ name, person: personId, at, by })
    writing.withdrawOffers(name, at, by, personId)
  }

  /** An offer that the person may answer in this way. */
  const getOffer = (person: Person, id: number, answer: OfferAnswer): OfferRow => {
    const offer = writing.findOffer(id)
    const isTheirs =
      offer !== null &&
      (answer === 'withdrawn' ? writing.isOwner(offer.name, person.id) : offer.personId === person.id)
    if (!isTheirs) throw new DomainError('NOT_FOUND', texts.owners.noOffer(id))
    const { name, outcome, expiresAt, offeredBy } = offer
    if (outcome !== null || expiresAt <= now()) {
      throw new DomainError('INVALID_TRANSITION', texts.owners.offerEnded(name, outcome ?? 'expired'))
    }
    if (writing.findPerson(offeredBy) === null) {
      throw new DomainError('INVALID_TRANSITION', texts.owners.offerEnded(name, 'withdrawn'))
    }
    return offer
  }

  const accept = ({ name, kind, offeredBy, personId }: OfferRow): void => {
    if (kind === 'transfer') endOwner(name, offeredBy, offeredBy)
    else assertRoom(name)
    writing.insertPeriod({ name, personId, since: now(), addedBy: offeredBy, reason: null })
    onChange(name)
  }

  return {
    listOwnNames(person: Person, offset: number): OwnNames {
      database.assertAvailable()
      return {
        items: reading.listNames(person.id, now(), offset, pageSize),
        total: reading.countNames(person.id),
        received: reading.listReceived(person.id, now()),
      }
    },

    /** Throws NOT_OWNER, NOT_FOUND, ALREADY_OWNER, TOO_MANY_OWNERS, VALIDATION_FAILED or QUOTA_EXCEEDED. */
    offer(person: Person, name: string, { kind, to }: NewOffer): Promise<OwnerOffer> {
      return database.transact(() => {
        assertOwner(name, person)
        const at = new Date()
        const times = writing.listOfferTimes(person.id, dailyOffers)
        daily.assert(dailyOffers, times, at, texts.owners.dailyOffers(dailyOffers))
        const recipient = getPerson(to)
        const publisher = publisherName(recipient)
        writing.endExpired(name, at.toISOString())
        if (writing.isOwner(name, recipient.id)) {
          throw new DomainError('ALREADY_OWNER', texts.owners.alreadyOwner(publisher, name))
        }
        if (writing.listOffers(name, at.toISOString()).some((open) => open.to.id === recipient.id)) {
          throw new DomainError('ALREADY_OWNER', texts.owners.alreadyOffered(publisher, name))
        }
        if (kind === 'co-owner') assertRoom(name)
        const offer = {
          name,
          kind,
          offeredAt: at.toISOString(),
          expiresAt: new Date(at.getTime() + offerDays * dayMs).toISOString(),
        }
        const id = writing.insertOffer({ ...offer, offeredBy: person.id, personId: recipient.id })
        return {
          id,
          ...offer,
          from: { id: person.id, publisher: publisherName(person) },
          to: { id: recipient.id, publisher },
        }
      })
    },

    /** Throws NOT_FOUND for the offers of others, INVALID_TRANSITION for one that has ended, or TOO_MANY_OWNERS. */
    answer(person: Person, id: number, answer: OfferAnswer): Promise<void> {
      return database.transact(() => {
        const offer = getOffer(person, id, answer)
        writing.endOffer(id, answer, now(), person.id)
        if (answer === 'accepted') accept(offer)
      })
    },

    /** Throws NOT_OWNER, or LAST_OWNER unless another owner who has access remains. */
    leave(person: Person, name: string): Promise<void> {
      return database.transact(() => {
        assertOwner(name, person)
        if (writing.listOwners(name).every(({ id }) => id === person.id)) {
          throw new DomainError('LAST_OWNER', texts.owners.last(name))
        }
        endOwner(name, person.id, person.id)
        onChange(name)
      })
    },

    /** Throws NOT_FOUND. */
    getNameOwners(name: string): NameOwners {
      database.assertAvailable()
      if (!reading.exists(name)) throw new DomainError('NOT_FOUND', texts.owners.noName(name))
      return { owners: reading.listNameOwners(name), offers: reading.listOffers(name, now()) }
    },

    /** Throws NOT_FOUND, VALIDATION_FAILED, or ALREADY_OWNER if nothing would change. */
    transfer(administrator: Administrator, name: string, { to, reason }: Transfer): Promise<void> {
      return database.transact(() => {
        if (!writing.exists(name)) throw new DomainError('NOT_FOUND', texts.owners.noName(name))
        const recipient = getPerson(to)
        const owners = writing.listCurrent(name)
        if (owners.length === 1 && owners[0] === recipient.id) {
          throw new DomainError('ALREADY_OWNER', texts.owners.alreadyOwner(publisherName(recipient), name))
        }
        const at = now()
        for (const owner of owners) endOwner(name, owner, administrator.id)
        writing.withdrawOffers(name, at, administrator.id)
        const addedBy = administrator.id
        writing.insertPeriod({ name, personId: recipient.id, since: at, addedBy, reason })
        onChange(name)
      })
    },
  }
}

export type Owners = ReturnType<typeof createOwners>
