import { expect, test } from 'vitest'
import type { PersonListRow } from '../../../shared/contracts/desk-people.ts'
import { filterPeople, peopleFilter } from './people-filter.ts'

const person = (change: Partial<PersonListRow>): PersonListRow => ({
  id: 1,
  subject: 'ilse',
  issuer: 'skilldock',
  name: 'Ilse Verbeek',
  role: 'administrator',
  createdAt: '2026-03-02T09:00:00.000Z',
  removedAt: null,
  lastSeenAt: null,
  releases: 0,
  ...change,
})

test('the URL holds the view and the search', () => {
  expect(peopleFilter.path({ view: 'all', q: '' }, 3)).toBe('/people/3')
  const filter = { view: 'administrators', q: 'i v' } as const
  const path = peopleFilter.path(filter, null)
  expect(path).toBe('/people?view=administrators&q=i+v')
  expect(peopleFilter.read(path.slice(path.indexOf('?')))).toEqual(filter)
})

test('people are found by name, sign-in name and provider; a removed person is not an administrator', () => {
  const people = [
    person({}),
    person({ id: 2, subject: 'kwame', name: 'Kwame Reid', removedAt: '2026-10-03T09:00:00.000Z' }),
    person({ id: 218, subject: 'x', name: null, role: 'developer', issuer: 'https://id.example' }),
  ]
  const ids = (view: 'all' | 'administrators', q: string) =>
    filterPeople(people, { view, q }).map(({ id }) => id)
  expect(ids('administrators', '')).toEqual([1])
  expect(ids('all', 'KWAME')).toEqual([2])
  expect(ids('all', 'developer 218')).toEqual([218])
  expect(ids('all', 'id.example')).toEqual([218])
})
