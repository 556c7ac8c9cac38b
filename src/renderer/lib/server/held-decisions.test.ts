import { expect, test } from 'vitest'
import {
  heldAnnouncement,
  heldSentence,
  heldLabel,
  latestOwn,
  othersWait,
  secondsLeft,
  withOwn,
  withUntil,
  withoutOwn,
} from './held-decisions.ts'
import type { OwnHeld } from './held-decisions.ts'

const one = (releaseId: number, until: number, action: OwnHeld['action'] = 'rejected'): OwnHeld => ({
  releaseId,
  name: `skill-${releaseId}`,
  version: '2.1.0',
  publisher: 'Marta Okafor',
  action,
  undoMs: 10_000,
  until,
  since: 0,
})

test('the remaining time counts from the moment of the read', () => {
  const held = {
    action: 'approved',
    byId: 3,
    by: 'Ilse Verbeek',
    undoMs: 10_000,
    remainingMs: 7_000,
  } as const
  expect(withUntil({ id: 1, held }, 100_000).held?.until).toBe(107_000)
  expect(withUntil({ id: 1, held: null }, 100_000).held).toBeNull()
})

test('the latest decision is undone first, then the one before', () => {
  let list: readonly OwnHeld[] = []
  list = withOwn(list, one(1, 10_000))
  list = withOwn(list, one(2, 12_000))
  list = withOwn(list, one(3, 11_000))
  expect(latestOwn(list)?.releaseId).toBe(2)
  list = withoutOwn(list, 2)
  expect(latestOwn(list)?.releaseId).toBe(3)
  list = withoutOwn(list, 3)
  expect(latestOwn(list)?.releaseId).toBe(1)
  expect(latestOwn(withoutOwn(list, 1))).toBeNull()
})

test('a second read of the same decision does not move its countdown, but a new decision does', () => {
  const list = withOwn([], one(1, 10_000))
  expect(withOwn(list, one(1, 10_030))).toBe(list)
  expect(withOwn(list, one(1, 10_030, 'approved'))).not.toBe(list)
  expect(withOwn(list, one(1, 19_000)).map(({ until }) => until)).toEqual([19_000])
  expect(withoutOwn(list, 7)).toBe(list)
})

test('the text of a countdown', () => {
  expect(heldSentence(one(1, 0), 7)).toBe("will be rejected in 7 s. Marta Okafor can't read your notes yet.")
  expect(heldSentence(one(1, 0, 'approved'), 1)).toBe("will be approved in 1 s. It can't be downloaded yet.")
  expect(heldSentence(one(1, 0), 0)).toBe('is being rejected.')
  expect([0, 1, 2].map(othersWait)).toEqual(['', '1 more can be undone', '2 more can be undone'])
  const held = { ...one(1, 0), action: 'rejected', byId: 3, by: 'Ilse Verbeek', remainingMs: 0 } as const
  expect(heldLabel(held, { me: 3, short: true }, 7)).toBe('rejecting in 7 s')
  expect(heldLabel(held, { me: 4, short: true }, 7)).toBe('Ilse rejects in 7 s')
  expect(heldLabel(held, { me: 4, short: false }, 0)).toBe('Ilse Verbeek rejects')
})

test('a countdown never shows more than the undo window of its decision', () => {
  expect(secondsLeft({ undoMs: 10_000, until: 10_000 }, 3_001)).toBe(7)
  expect(secondsLeft({ undoMs: 10_000, until: 10_000 }, 12_000)).toBe(0)
  // `now` is slightly older than the decision.
  expect(secondsLeft({ undoMs: 25_000, until: 35_100 }, 10_000)).toBe(25)
  expect(secondsLeft({ undoMs: 500, until: 10_700 }, 10_000)).toBe(1)
})

test('an announcement says how many seconds are left, and mentions undo only while it is possible', () => {
  const announcement = (seconds: number) => heldAnnouncement(one(1, 0), seconds)
  expect(announcement(25)).toBe('The rejection of skill-1 2.1.0 takes effect in 25 seconds. Press Z to undo.')
  expect(announcement(1)).toBe('The rejection of skill-1 2.1.0 takes effect in 1 second. Press Z to undo.')
  expect(announcement(0)).toBe('The rejection of skill-1 2.1.0 takes effect now.')
})
