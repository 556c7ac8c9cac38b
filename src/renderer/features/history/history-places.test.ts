import { expect, test } from 'vitest'
import type { HistoryEntry } from '../../../shared/contracts/desk-history.ts'
import { addRead, firstPlaces, pagesFor } from './history-places.ts'
import type { HistoryRead } from './history-places.ts'

/** Number 1 happened first; the newest stands first. */
const read = (count: number, from: number): HistoryRead => ({
  from,
  total: count,
  items: Array.from({ length: Math.max(0, Math.min(100, count - from)) }, (_, index): HistoryEntry => ({
    kind: 'submitted',
    at: '2026-11-21T12:00:00.000Z',
    personId: 1,
    person: 'Marta Okafor',
    releaseId: count - from - index,
    name: 'csv-to-json',
    version: '1.0.0',
    why: null,
    check: null,
    evidence: null,
    selfApproved: false,
  })),
})

test('what is new stays out, and moves nothing that is read later', () => {
  let places = firstPlaces(read(250, 0))
  expect(places.entries.get(0)?.releaseId).toBe(250)
  expect(pagesFor(places, 0, 20)).toEqual([])
  expect(pagesFor(places, 90, 110)).toEqual([100])
  places = addRead(places, read(253, 0))
  expect(places.entries.get(0)?.releaseId).toBe(250)
  expect(places.latest - places.baseline).toBe(3)
  places = addRead(places, read(253, 100))
  expect(places.entries.get(97)?.releaseId).toBe(153)
  expect(places.entries.get(100)?.releaseId).toBe(150)
})

test('the end of the list is found although it has moved over a page', () => {
  let places = firstPlaces(read(250, 0))
  places = addRead(places, read(310, 0))
  expect(pagesFor(places, 230, 250)).toEqual([200, 300])
  for (const page of pagesFor(places, 230, 250)) places = addRead(places, read(310, page))
  expect(places.entries.get(249)?.releaseId).toBe(1)
  expect(pagesFor(places, 230, 250)).toEqual([])
})

test('a jump reads the page around the place and none before it', () => {
  expect(pagesFor(firstPlaces(read(10_000, 0)), 5_010, 5_030)).toEqual([4_900, 5_000])
})
