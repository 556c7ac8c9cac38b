import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Decision } from '../../../shared/contracts/desk-review.ts'
import type {
  IssuerCheck,
  NewToken,
  PersonDetail,
  PersonListRow,
} from '../../../shared/contracts/desk-people.ts'
import type { ExternalIssuer, RoleHolders } from '../../../shared/contracts/issuers.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { PeopleService, PersonChange } from './people.service.ts'
import { testIssuer } from './test-issuer.service.ts'
import type { IssuedAccess, PersonAccess } from './person-access.service.ts'
import { managePeopleRepository } from './manage-people.repository.ts'
import type { SignInCodes } from './sign-in-codes.service.ts'
import { texts } from './identity.texts.ts'

interface PeopleManagementParts {
  database: Database
  people: PeopleService
  access: PersonAccess
  codes: SignInCodes
  issuers: readonly ExternalIssuer[]
  /** The latest decisions of an administrator. */
  listDecisionsBy(personId: number): Decision[]
}

/** Managing people, for administrators. */
export function createPeopleManagement({
  database,
  people,
  access,
  codes,
  issuers,
  listDecisionsBy,
}: PeopleManagementParts) {
  const repository = managePeopleRepository(database.reader)

  const getRow = (id: number): PersonListRow => {
    database.assertAvailable()
    const row = repository.findPerson(id)
    if (row === null) throw new DomainError('NOT_FOUND', texts.noPerson(id))
    return row
  }

  return {
    /** All people as JSON `{"items": PersonListRow[]}`, removed ones last. Throws the signal's reason when aborted. */
    async listPeople(signal: AbortSignal): Promise<Buffer> {
      const present: Buffer[] = []
      const removed: Buffer[] = []
      let last: PersonListRow | undefined
      do {
        signal.throwIfAborted()
        database.assertAvailable()
        const rows = repository.listPeopleAfter(last ?? { subject: '', id: 0 })
        present.push(toJsonItems(rows.filter(({ removedAt }) => removedAt === null)))
        removed.push(toJsonItems(rows.filter(({ removedAt }) => removedAt !== null)))
        last = rows.at(-1)
        // Each query starts after the last row of the previous one.
        await nextTurn()
      } while (last !== undefined)
      const slices = [...present, ...removed].filter(({ length }) => length > 0)
      // Only one copy of all bytes, because this is the longest step (several milliseconds).
      return Buffer.concat([
        Buffer.from('{"items":['),
        ...slices.flatMap((slice, index) => (index === 0 ? [slice] : [comma, slice])),
        Buffer.from(']}'),
      ])
    },

    /** Throws NOT_FOUND. */
    getPerson(id: number, currentSession: number | null): PersonDetail {
      return {
        person: getRow(id),
        access: access.listAccess(id, currentSession),
        decisions: listDecisionsBy(id),
      }
    },

    /** Throws PERSON_EXISTS. */
    async addPerson(person: PersonChange): Promise<PersonListRow> {
      return getRow((await people.addPerson(person)).id)
    },

    /** Throws NOT_FOUND, LAST_ADMINISTRATOR or VALIDATION_FAILED. */
    async updatePerson(id: number, change: Omit<PersonChange, 'subject'>): Promise<PersonListRow> {
      await people.changePerson(id, change)
      return getRow(id)
    },

    /** Throws NOT_FOUND or LAST_ADMINISTRATOR. */
    removePerson: people.removePersonById,

    /** Throws NOT_FOUND, including for a removed person, or VALIDATION_FAILED. */
    issuePersonToken(id: number, token: NewToken): Promise<IssuedAccess> {
      return access.issueToken(getRow(id), token)
    },

    /** Throws NOT_FOUND. */
    endPersonAccess: access.endAccess,

    /** Throws NOT_FOUND, including for a removed person. */
    createSignInLink: codes.createLink,

    listProviders() {
      return issuers.map((issuer) => ({
        name: issuer.name,
        issuer: issuer.issuer,
        administrators: describeHolders(issuer.administrators),
        reviewers: issuer.reviewers === undefined ? null : describeHolders(issuer.reviewers),
        editors: issuer.editors === undefined ? null : describeHolders(issuer.editors),
      }))
    },

    /** Throws NOT_FOUND. */
    async testProvider(name: string): Promise<{ checks: IssuerCheck[]; testedAt: string }> {
      const issuer = issuers.find((known) => known.name === name)
      if (issuer === undefined) throw new DomainError('NOT_FOUND', texts.noProvider(name))
      return { checks: await testIssuer(issuer), testedAt: new Date().toISOString() }
    },
  }
}

export type PeopleManagement = ReturnType<typeof createPeopleManagement>

const comma = Buffer.from(',')

/** Items of a JSON array. */
const toJsonItems = (rows: PersonListRow[]): Buffer =>
  Buffer.from(rows.map((row) => JSON.stringify(row)).join(','))

/** Describes which of an issuer's people have a role. */
function describeHolders({ subjects, emails, claim }: RoleHolders): string {
  const parts = [
    ...(subjects.length === 0 ? [] : [texts.holders.subjects(subjects)]),
    ...(emails.length === 0 ? [] : [texts.holders.emails(emails)]),
    ...(claim === undefined ? [] : [texts.holders.claim(claim.path, claim.value)]),
  ]
  return parts.length === 0 ? texts.holders.none : parts.join('; ')
}
