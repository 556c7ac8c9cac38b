import { expect, test } from 'vitest'
import { createListWalks } from './list-walks.service.ts'
import type { WalkedList } from './list-walks.service.ts'

/** A list of the multiples of `every` below `top`; each step reads ten candidates. */
function makeList(every: number, top = 1000) {
  let steps = 0
  const list: WalkedList = {
    key: `every ${every}`,
    step(before) {
      steps += 1
      const from = Math.min(before, top) - 1
      const candidates = Array.from({ length: Math.min(10, from) }, (_, index) => from - index)
      const last = candidates.at(-1) ?? 1
      return { ids: candidates.filter((id) => id % every === 0), next: last <= 1 ? null : last }
    },
  }
  return { list, steps: () => steps }
}
const free = { take: () => () => {} }
const membersOf = (every: number): number[] =>
  Array.from({ length: 999 }, (_, index) => 999 - index).filter((id) => id % every === 0)

test('a page has the right items at any offset, whatever was read before', async () => {
  for (const every of [1, 7, 400, 5000]) {
    const walks = createListWalks(() => 1, free)
    const { list } = makeList(every)
    for (const offset of [0, 30, 3, 900, 998, 999, 100_000, 0]) {
      expect(await walks.find(list, 'a', offset, 5)).toEqual(membersOf(every).slice(offset, offset + 5))
    }
  }
})

test('the first step is synchronous; after that, all walks together take one step per turn', async () => {
  const walks = createListWalks(() => 1, free)
  const [one, other] = [makeList(1), makeList(2)]
  expect(walks.find(one.list, 'a', 0, 5)).toEqual([999, 998, 997, 996, 995])
  const pages = [walks.find(one.list, 'a', 500, 5), walks.find(other.list, 'b', 300, 5)]
  let max = 0
  let before = one.steps() + other.steps()
  let isOver = false
  const count = (): void => {
    const now = one.steps() + other.steps()
    max = Math.max(max, now - before)
    before = now
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await Promise.all(pages.map(async (page) => page))
  isOver = true
  expect(max).toBe(1)
})

test('a page near one that was read before needs no new walk', async () => {
  const walks = createListWalks(() => 1, free)
  const { list, steps } = makeList(1)
  await walks.find(list, 'a', 500, 5)
  const before = steps()
  expect(walks.find(list, 'a', 490, 5)).toHaveLength(5)
  expect(steps()).toBe(before)
})

test('a step can name a faster one, which reads the rest of the list', async () => {
  const walks = createListWalks(() => 1, free)
  const slow = makeList(7)
  const fast = makeList(7)
  const list: WalkedList = {
    key: 'both',
    step: (after, candidates) => ({ ...slow.list.step(after, candidates), rest: fast.list.step }),
  }
  expect(await walks.find(list, 'a', 100, 5)).toEqual(membersOf(7).slice(100, 105))
  expect([slow.steps(), fast.steps()]).toEqual([1, 73])
})

test('a walk starts over when the catalog changes, and gives up with 429 if it keeps changing', async () => {
  let generation = 1
  const walks = createListWalks(() => generation, free)
  const changed = makeList(1)
  const page = walks.find(changed.list, 'a', 900, 5)
  setImmediate(() => (generation = 2))
  expect(await page).toEqual([99, 98, 97, 96, 95])
  expect(changed.steps()).toBeGreaterThan(91)

  const restless = createListWalks(() => (generation += 1), free)
  await expect(restless.find(makeList(1).list, 'a', 900, 5)).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfter: 1,
  })
})

test('only a walk of more than one step takes a slot, and releases it', async () => {
  let held = 0
  let taken = 0
  const slots = {
    take: () => {
      held += 1
      taken += 1
      return () => {
        held -= 1
      }
    },
  }
  const walks = createListWalks(() => 1, slots)
  await walks.find(makeList(1).list, 'a', 0, 5)
  expect(taken).toBe(0)
  const page = walks.find(makeList(1).list, 'a', 800, 5)
  expect(held).toBe(1)
  await page
  expect([held, taken]).toEqual([0, 1])
})
