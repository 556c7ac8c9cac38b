import type { PublishGrant, TrustedPublisher } from '../../../../shared/contracts/trusted-publishers.ts'
import { publisherName } from '../../../../shared/publisher-name.ts'
import { repository } from '../../../db/repository.ts'
import { readJson } from '../../../db/stored-text.ts'

interface PublisherRow {
  id: number
  identity: string
  pins: string | null
  addedAt: string
  personId: number
  personName: string | null
}

interface ExchangeRow {
  jti: string
  publisherId: number
  tokenHash: string
  /** `Provenance` as JSON. */
  provenance: string
  createdAt: string
  expiresAt: string
}

interface GrantRow extends PublishGrant {
  personId: number
  provenance: string
  isActive: 0 | 1
}

/** Whether a publisher is trusted: it was not removed, and the person who added it has owned the name since then. */
const trusted = 't.removed_at IS NULL AND o.ended_at IS NULL AND p.removed_at IS NULL'
const publishers = `trusted_publishers t JOIN name_owners o ON o.id = t.owner_id JOIN people p ON p.id = o.person_id`

/** All SQL about trusted publishers, exchanged tokens and the provenance of releases. */
export const trustedPublishersRepository = repository((sql) => {
  const listRows = sql.list<[name: string], PublisherRow>(`
     SELECT t.id, t.identity, t.pins, t.added_at AS addedAt, p.id AS personId, p.name AS personName
     FROM ${publishers} WHERE o.name = ? AND ${trusted} ORDER BY t.id`)

  return {
    /** The trusted publishers of a name. One whose identity is damaged is left out, so it is not trusted. */
    list: (name: string): TrustedPublisher[] =>
      listRows(name).flatMap(({ id, identity, pins, addedAt, personId, personName }) => {
        const read = readJson('trusted_publishers.identity', id, identity)
        const readPins = readJson('trusted_publishers.pins', id, pins)
        if (read === null || (pins !== null && readPins === null)) return []
        const addedBy = { id: personId, publisher: publisherName({ id: personId, name: personName }) }
        return [{ id, identity: read, pins: readPins, addedBy, addedAt }]
      }),
    /** The person must own the name. Returns the id of the publisher. */
    insert: sql.insert<[{ name: string; person: number; identity: string; at: string }]>(`
      INSERT INTO trusted_publishers (owner_id, identity, added_at)
      SELECT id, @identity, @at FROM name_owners WHERE name = @name AND person_id = @person AND ended_at IS NULL`),
    remove: sql.run<[{ id: number; by: number; at: string }]>(
      'UPDATE trusted_publishers SET removed_at = @at, removed_by = @by WHERE id = @id',
    ),
    pin: sql.run<[pins: string, id: number]>('UPDATE trusted_publishers SET pins = ? WHERE id = ?'),
    /** The times of the newest exchanges of a name, newest first. */
    listTimes: sql.listValues<[name: string, limit: number], string>(`
      SELECT e.exchanged_at FROM name_owners o JOIN trusted_publishers t ON t.owner_id = o.id
      JOIN token_exchanges e ON e.publisher_id = t.id WHERE o.name = ? ORDER BY e.exchanged_at DESC LIMIT ?`),
    isExchanged: sql.exists<[tokenHash: string, publisherId: number]>(
      'SELECT 1 FROM token_exchanges WHERE token_hash = ? AND publisher_id = ?',
    ),
    insertExchange: sql.run<[row: ExchangeRow]>(`
      INSERT INTO token_exchanges (jti, publisher_id, token_hash, provenance, exchanged_at, expires_at)
      VALUES (@jti, @publisherId, @tokenHash, @provenance, @createdAt, @expiresAt)`),
    findGrant: sql.find<[jti: string], GrantRow>(`
      SELECT e.jti AS id, o.name, o.person_id AS personId, e.provenance, ${trusted} AS isActive
      FROM ${publishers} JOIN token_exchanges e ON e.publisher_id = t.id WHERE e.jti = ?`),
    insertProvenance: sql.run<[releaseId: number, provenance: string]>(
      'INSERT INTO release_provenance (release_id, provenance) VALUES (?, ?)',
    ),
    /** As JSON; null if the release did not come by trusted publishing. */
    findProvenance: sql.findValue<[releaseId: number], string>(
      'SELECT provenance FROM release_provenance WHERE release_id = ?',
    ),
  }
})
