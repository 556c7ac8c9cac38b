import type { PersonDetail, PersonListRow } from '../../../shared/contracts/desk-people.ts'
import type { ExternalIssuer } from '../../../shared/contracts/issuers.ts'
import type { Administrator, Role } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { PeopleService, PersonChange } from '../identity/people.service.ts'
import { testIssuer } from '../identity/test-issuer.service.ts'
import type { IssuerCheck } from '../identity/test-issuer.service.ts'
import type { DeskAccess, IssuedAccess, NewToken } from './desk-access.service.ts'
import { deskPeopleRepository } from './desk-people.repository.ts'
import { deskReleaseRepository } from './desk-release.repository.ts'
import type { SignInCodes, SignInLink } from './sign-in-codes.service.ts'

export interface DeskPeopleParts {
  database: Database
  people: PeopleService
  access: DeskAccess
  codes: SignInCodes
  issuers: readonly ExternalIssuer[]
}

/** What administrators do with people; each asks for one, so that a forgotten check does not compile. */
export function createDeskPeople({ database, people, access, codes, issuers }: DeskPeopleParts) {
  const repository = deskPeopleRepository(database.reader)
  const releases = deskReleaseRepository(database.reader)

  const getRow = (id: number): PersonListRow => {
    database.assertAvailable()
    const row = repository.findPerson(id)
    if (row === null) throw new DomainError('NOT_FOUND', `There is no person with the number ${id}.`)
    return row
  }

  return {
    listPeople(_administrator: Administrator): PersonListRow[] {
      database.assertAvailable()
      return repository.listPeople()
    },

    /** Throws NOT_FOUND. */
    getPerson(_administrator: Administrator, id: number, currentSession: number | null): PersonDetail {
      return {
        person: getRow(id),
        access: access.listAccess(id, currentSession),
        decisions: releases.listDecisionsBy(id),
      }
    },

    /** Throws PERSON_EXISTS. */
    async addPerson(_administrator: Administrator, person: PersonChange): Promise<PersonListRow> {
      return getRow((await people.addPerson(person)).id)
    },

    /** Throws NOT_FOUND, LAST_ADMINISTRATOR or VALIDATION_FAILED. */
    async updatePerson(
      _administrator: Administrator,
      id: number,
      change: { name?: string; role?: Role },
    ): Promise<PersonListRow> {
      await people.changePerson(id, change)
      return getRow(id)
    },

    /** Throws NOT_FOUND or LAST_ADMINISTRATOR. */
    removePerson(_administrator: Administrator, id: number): Promise<void> {
      return people.removePersonById(id)
    },

    /** Throws NOT_FOUND, also for somebody who was removed, or VALIDATION_FAILED. */
    issuePersonToken(_administrator: Administrator, id: number, token: NewToken): Promise<IssuedAccess> {
      return access.issueToken(getRow(id), token)
    },

    /** Throws NOT_FOUND. */
    endPersonAccess(
      _administrator: Administrator,
      id: number,
      kind: 'token' | 'session',
      accessId: string,
    ): Promise<void> {
      return access.endAccess(id, kind, accessId)
    },

    /** Throws NOT_FOUND, also for somebody who was removed. */
    createSignInLink(_administrator: Administrator, id: number): Promise<SignInLink> {
      return codes.createLink(id)
    },

    listProviders(_administrator: Administrator) {
      return issuers.map((issuer) => ({
        name: issuer.name,
        issuer: issuer.issuer,
        administrators: describeAdministrators(issuer),
      }))
    },

    /** Throws NOT_FOUND. */
    async testProvider(
      _administrator: Administrator,
      name: string,
    ): Promise<{ checks: IssuerCheck[]; testedAt: string }> {
      const issuer = issuers.find((known) => known.name === name)
      if (issuer === undefined) {
        throw new DomainError('NOT_FOUND', `There is no provider "${name}" in the settings.`)
      }
      return { checks: await testIssuer(issuer), testedAt: new Date().toISOString() }
    },
  }
}

export type DeskPeople = ReturnType<typeof createDeskPeople>

/** Who of an issuer's people administers, in words. */
function describeAdministrators({ administrators }: ExternalIssuer): string {
  const { subjects, emails, claim } = administrators
  const parts = [
    ...(subjects.length === 0 ? [] : [`the subjects ${subjects.join(', ')}`]),
    ...(emails.length === 0 ? [] : [`the addresses ${emails.join(', ')}`]),
    ...(claim === undefined ? [] : [`whoever has ${String(claim.value)} in ${claim.path.join('.')}`]),
  ]
  return parts.length === 0 ? 'nobody' : parts.join('; ')
}
