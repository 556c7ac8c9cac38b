import type { PersonListRow } from '../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../shared/publisher-name.ts'
import { choice, searched, viewFilter } from '../../lib/list/view-filter.ts'

/** Which people are listed. */
export const peopleFilter = viewFilter('/people', {
  view: choice(['all', 'administrators'], 'all'),
  q: searched,
})
type PeopleFilter = typeof peopleFilter.defaults

export function filterPeople(people: readonly PersonListRow[], { view, q }: PeopleFilter): PersonListRow[] {
  const search = q.toLowerCase()
  return people.filter(
    (person) =>
      (view === 'all' || (person.role === 'administrator' && person.removedAt === null)) &&
      `${publisherName(person)}\n${person.subject}\n${person.issuer}`.toLowerCase().includes(search),
  )
}
