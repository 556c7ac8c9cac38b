import type { Database } from '../../../src/server/db/database.ts'
import { identityRepository } from '../../../src/server/domains/identity/identity.repository.ts'
import { builtInIssuer } from '../../../src/server/domains/identity/identity.rules.ts'
import { createOwners } from '../../../src/server/domains/releases/owners/owners.service.ts'
import type { Administrator, Person } from '../../../src/shared/contracts/people.ts'

/** Gives names of the demo a co-owner, a former owner, a transfer with a reason, and offers with every outcome. */
export async function addOwners(database: Database): Promise<void> {
  const owners = createOwners(database)
  const people = identityRepository(database.reader)
  const find = (subject: string): Person => people.findPerson(builtInIssuer, subject) as Person
  const [marta, tomas, rita] = ['marta', 'tomas', 'rita'].map(find) as [Administrator, Person, Person]
  const namesOf = ({ id }: Person): string[] =>
    database.reader
      .prepare<[number], string>(
        'SELECT name FROM name_owners WHERE person_id = ? AND ended_at IS NULL ORDER BY name',
      )
      .pluck()
      .all(id)
  const [shared = '', handedOver = '', forced = '', offered = ''] = namesOf(tomas)
  const accept = async (name: string, kind: 'co-owner' | 'transfer'): Promise<void> => {
    const { id } = await owners.offer(tomas, name, { kind, to: 'rita' })
    await owners.answer(rita, id, 'accepted')
  }
  await accept(shared, 'co-owner')
  await accept(handedOver, 'transfer')
  await owners.transfer(marta, forced, { to: 'rita', reason: 'Its owner asked for it by mail.' })
  const { id } = await owners.offer(tomas, offered, { kind: 'transfer', to: 'marta' })
  await owners.answer(tomas, id, 'withdrawn')
  await owners.offer(tomas, offered, { kind: 'co-owner', to: 'marta' })
}
