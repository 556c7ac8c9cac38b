import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

const take = (slots: ReturnType<typeof createSlots>, client: string, times: number): (() => void)[] =>
  Array.from({ length: times }, () => slots.take(client))

test('one client gets a quarter of the slots, and four clients use them all', () => {
  const slots = createSlots(() => 64, 'downloads')
  for (const client of ['a', 'b', 'c', 'd']) {
    take(slots, client, 16)
    if (client !== 'd') {
      expect(() => slots.take(client)).toThrow(/^You already have 16 downloads, the limit for one client/)
    }
  }
  expect(() => slots.take('e')).toThrow(
    expect.objectContaining({
      code: 'TOO_MANY_REQUESTS',
      retryAfter: 2,
      message: 'This server is busy with 64 downloads. Try again in 2 s.',
    }),
  )
})

test.each([
  [8, 2],
  [4, 2],
  [2, 2],
  [1, 1],
  [0, 0],
])('of %i slots one client gets %i', (total, share) => {
  const slots = createSlots(() => total, 'submissions')
  take(slots, 'a', share)
  expect(() => slots.take('a')).toThrow(expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }))
})

test('freeing a slot twice frees it only once', () => {
  const slots = createSlots(() => 8, 'submissions')
  const [first] = take(slots, 'a', 2)
  first?.()
  first?.()
  take(slots, 'a', 1)
  expect(() => slots.take('a')).toThrow()
})

test('a change of the total takes effect immediately', () => {
  let total = 1
  const slots = createSlots(() => total, 'submissions')
  take(slots, 'a', 1)
  expect(() => slots.take('b')).toThrow()
  total = 2
  take(slots, 'b', 1)
})
