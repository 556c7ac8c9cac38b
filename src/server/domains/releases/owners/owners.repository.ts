import type {
  NameOwner,
  OfferAnswer,
  OfferKind,
  OfferOutcome,
  OwnName,
  Owner,
  OwnerOffer,
} from '../../../../shared/contracts/owners.ts'
import type { ReleaseStatus } from '../../../../shared/contracts/releases.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import { repository } from '../../../db/repository.ts'

export interface OfferRow {
  id: number
  name: string
  kind: OfferKind
  offeredBy: number
  personId: number
  expiresAt: string
  /** Null while it can be answered or has expired unnoticed. */
  outcome: OfferOutcome | null
}

interface NewPeriod {
  name: string
  personId: number
  since: string
  addedBy: number
  reason: string | null
}

interface Period extends NewPeriod {
  endedAt: string | null
  endedBy: number | null
}

type ListedOffer = Omit<OwnerOffer, 'from' | 'to'> &
  Record<'fromId' | 'toId', number> &
  Record<'fromName' | 'toName', string | null>

interface NameOwnerRow extends Omit<NewPeriod, 'name'> {
  id: number
  removed: number
  personName: string | null
  addedName: string | null
}

interface LatestRow {
  name: string
  version: string
  status: ReleaseStatus
  ownerId: number
  ownerName: string | null
}

const current = `name_owners o JOIN people p ON p.id = o.person_id WHERE o.ended_at IS NULL`
/** Expired offers, and those of a removed person, can't be answered. */
const openOffers = `SELECT f.id, f.name, f.kind, f.offered_by AS fromId, a.name AS fromName, f.person_id AS toId,
    b.name AS toName, f.offered_at AS offeredAt, f.expires_at AS expiresAt
  FROM owner_offers f JOIN people a ON a.id = f.offered_by JOIN people b ON b.id = f.person_id
  WHERE f.outcome IS NULL AND f.expires_at > @now AND a.removed_at IS NULL AND b.removed_at IS NULL`
const names = 'IN (SELECT value FROM json_each(@names))'

/** All SQL about the owners of names and offers of ownership. */
export const ownersRepository = repository((sql) => {
  const isTaken = sql.exists<[{ name: string; personId: number }]>(`
    SELECT 1 FROM skill_names WHERE name = @name AND NOT EXISTS (
      SELECT 1 FROM name_owners WHERE name = @name AND person_id = @personId AND ended_at IS NULL)`)
  const listActive = sql.list<
    [{ names: string }],
    { name: string; id: number; personName: string | null; since: string }
  >(`
    SELECT o.name, p.id, p.name AS personName, o.since FROM ${current} AND p.removed_at IS NULL AND o.name ${names}
    ORDER BY o.name, o.id`)
  const listOffers = sql.list<[{ names: string; now: string }], ListedOffer>(
    `${openOffers} AND f.name ${names} ORDER BY f.id`,
  )
  const listReceived = sql.list<[{ person: number; now: string }], ListedOffer>(
    `${openOffers} AND f.person_id = @person ORDER BY f.id`,
  )
  const listLatest = sql.list<[{ names: string }], LatestRow>(`
    SELECT n.value AS name, r.version, r.status, p.id AS ownerId, p.name AS ownerName FROM json_each(@names) n
    JOIN releases r ON r.id = (SELECT max(id) FROM releases INDEXED BY releases_name WHERE name = n.value)
    JOIN people p ON p.id = r.owner_id`)
  const listNames = sql.listValues<[number, number, number], string>(`
    SELECT name FROM name_owners INDEXED BY name_owners_names WHERE person_id = ? AND ended_at IS NULL
    ORDER BY name LIMIT ? OFFSET ?`)
  const listNameOwners = sql.list<[string], NameOwnerRow>(`
    SELECT o.id, o.person_id AS personId, p.name AS personName, p.removed_at IS NOT NULL AS removed, o.since,
      o.added_by AS addedBy, a.name AS addedName, o.reason
    FROM name_owners o JOIN people p ON p.id = o.person_id JOIN people a ON a.id = o.added_by
    WHERE o.name = ? AND o.ended_at IS NULL ORDER BY o.id DESC`)
  const insertPeriod = sql.run<[Period]>(`
    INSERT INTO name_owners (name, person_id, since, added_by, reason, ended_at, ended_by)
    VALUES (@name, @personId, @since, @addedBy, @reason, @endedAt, @endedBy)`)
  const endOffers = (which: string) =>
    sql.run<[{ key: number | string; outcome: string; at: string; by: number | null; person?: number }]>(
      `UPDATE owner_offers SET outcome = @outcome, ended_at = @at, ended_by = @by WHERE outcome IS NULL AND ${which}`,
    )
  const endOffer = endOffers('id = @key')
  const endOffersOfName = endOffers('name = @key')
  const endOffersOf = endOffers('name = @key AND offered_by = @person')
  const endExpired = endOffers('name = @key AND expires_at <= @at')

  /** The current owners of these names who have not been removed, first ones first. */
  const ownersOf = (wanted: readonly string[]): Map<string, Owner[]> => {
    const owners = new Map<string, Owner[]>(wanted.map((name) => [name, []]))
    for (const { name, id, personName, since } of listActive({ names: JSON.stringify(wanted) })) {
      owners.get(name)?.push({ id, publisher: publisherName({ id, name: personName }), since })
    }
    return owners
  }

  const offersOf = (wanted: readonly string[], now: string): OwnerOffer[] =>
    listOffers({ names: JSON.stringify(wanted), now }).map(toOffer)

  return {
    /** Whether the name exists and the person does not own it. */
    isTaken: (name: string, personId: number) => isTaken({ name, personId }),
    isOwner: sql.exists<[name: string, personId: number]>(
      `SELECT 1 FROM ${current} AND o.name = ? AND o.person_id = ?`,
    ),
    exists: sql.exists<[name: string]>('SELECT 1 FROM skill_names WHERE name = ?'),
    isApproved: sql.exists<[name: string]>(
      `SELECT 1 FROM releases INDEXED BY releases_latest WHERE name = ? AND status = 'approved' LIMIT 1`,
    ),
    listOwners: (name: string): Owner[] => ownersOf([name]).get(name) ?? [],
    /** The names of a person, in alphabetical order. */
    listNames(personId: number, now: string, offset: number, limit: number): OwnName[] {
      const wanted = listNames(personId, limit, offset)
      const owners = ownersOf(wanted)
      const offers = offersOf(wanted, now)
      const latest = new Map(listLatest({ names: JSON.stringify(wanted) }).map((row) => [row.name, row]))
      return wanted.map((name) => {
        const last = latest.get(name)
        return {
          name,
          owners: owners.get(name) ?? [],
          offers: offers.filter((offer) => offer.name === name),
          latest:
            last === undefined
              ? null
              : {
                  version: last.version,
                  status: last.status,
                  publisher: publisherOf(last.ownerId, last.ownerName),
                },
        }
      })
    },
    countNames: sql.count<[personId: number]>(
      'SELECT count(*) FROM name_owners WHERE person_id = ? AND ended_at IS NULL',
    ),
    listOffers: (name: string, now: string) => offersOf([name], now),
    listReceived: (person: number, now: string) => listReceived({ person, now }).map(toOffer),
    /** The current owners, newest first. */
    listNameOwners: (name: string) => listNameOwners(name).map(toNameOwner),
    /** The ids of all current owners, including removed people. */
    listCurrent: sql.listValues<[name: string], number>(
      'SELECT person_id FROM name_owners WHERE name = ? AND ended_at IS NULL',
    ),

    findPeriod: sql.find<
      [name: string, personId: number, since: string],
      { id: number; endedAt: string | null }
    >('SELECT id, ended_at AS endedAt FROM name_owners WHERE name = ? AND person_id = ? AND since = ?'),
    insertPeriod: (period: NewPeriod & Partial<Period>) =>
      insertPeriod({ endedAt: null, endedBy: null, ...period }),
    endPeriod: sql.run<[{ name: string; person: number; at: string; by: number }]>(
      `UPDATE name_owners SET ended_at = @at, ended_by = @by WHERE name = @name AND person_id = @person AND ended_at IS NULL`,
    ),
    /** Makes the person the first owner of the name, unless it ever had one. */
    claim: sql.run<[{ name: string; person: number; at: string }]>(`
    INSERT INTO name_owners (name, person_id, since, added_by)
    SELECT @name, @person, @at, @person WHERE NOT EXISTS (SELECT 1 FROM name_owners WHERE name = @name)`),

    findOffer: sql.find<[id: number], OfferRow>(`
      SELECT id, name, kind, offered_by AS offeredBy, person_id AS personId, expires_at AS expiresAt, outcome
      FROM owner_offers WHERE id = ?`),
    /** The times of the person's newest offers, newest first. */
    listOfferTimes: sql.listValues<[person: number, limit: number], string>(
      'SELECT offered_at FROM owner_offers WHERE offered_by = ? ORDER BY offered_at DESC LIMIT ?',
    ),
    /** Returns its id. */
    insertOffer: sql.insert<[offer: Omit<OfferRow, 'id' | 'outcome'> & { offeredAt: string }]>(`
      INSERT INTO owner_offers (name, kind, offered_by, person_id, offered_at, expires_at)
      VALUES (@name, @kind, @offeredBy, @personId, @offeredAt, @expiresAt)`),
    endOffer: (id: number, outcome: OfferAnswer, at: string, by: number) =>
      endOffer({ key: id, outcome, at, by }),
    /** Withdraws all open offers of a name, or those that a person made. */
    withdrawOffers: (name: string, at: string, by: number, person?: number) =>
      person === undefined
        ? endOffersOfName({ key: name, outcome: 'withdrawn', at, by })
        : endOffersOf({ key: name, outcome: 'withdrawn', at, by, person }),
    endExpired: (name: string, at: string) => endExpired({ key: name, outcome: 'expired', at, by: null }),

    /** People who have access, by their sign-in name, which is unique only for each issuer; at most two. */
    listPeople: sql.list<[subject: string], { id: number; name: string | null }>(
      'SELECT id, name FROM people WHERE subject = ? AND removed_at IS NULL ORDER BY id LIMIT 2',
    ),
    findPerson: sql.find<[id: number], { id: number; name: string | null }>(
      'SELECT id, name FROM people WHERE id = ? AND removed_at IS NULL',
    ),
  }
})

const publisherOf = (id: number, name: string | null): string => publisherName({ id, name })

function toOffer({ fromId, fromName, toId, toName, ...offer }: ListedOffer): OwnerOffer {
  return {
    ...offer,
    from: { id: fromId, publisher: publisherOf(fromId, fromName) },
    to: { id: toId, publisher: publisherOf(toId, toName) },
  }
}

function toNameOwner(row: NameOwnerRow): NameOwner {
  const { id, personId, personName, removed, since, addedBy, addedName, reason } = row
  return {
    id,
    person: { id: personId, publisher: publisherOf(personId, personName) },
    removed: removed === 1,
    since,
    addedBy: { id: addedBy, publisher: publisherOf(addedBy, addedName) },
    reason,
  }
}
