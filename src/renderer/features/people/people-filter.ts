import type { PersonListRow } from '../../../shared/contracts/desk-people.ts'
import { publisherName } from '../../../shared/publisher-name.ts'

/** Which people are listed. Kept in the URL. */
export interface PeopleFilter {
  view: 'all' | 'administrators'
  q: string
}

export function readPeopleFilter(search: string): PeopleFilter {
  const params = new URLSearchParams(search)
  return {
    view: params.get('view') === 'administrators' ? 'administrators' : 'all',
    q: (params.get('q') ?? '').slice(0, 100),
  }
}

export function peoplePath(id: number | null, { view, q }: PeopleFilter): string {
  const params = new URLSearchParams()
  if (view !== 'all') params.set('view', view)
  if (q !== '') params.set('q', q)
  const path = id === null ? '/people' : `/people/${id}`
  return params.size === 0 ? path : `${path}?${params.toString()}`
}

export function filterPeople(people: readonly PersonListRow[], { view, q }: PeopleFilter): PersonListRow[] {
  const search = q.toLowerCase()
  return people.filter(
    (person) =>
      (view === 'all' || (person.role === 'administrator' && person.removedAt === null)) &&
      `${publisherName(person)}\n${person.subject}\n${person.issuer}`.toLowerCase().includes(search),
  )
}
