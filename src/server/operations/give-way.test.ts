import { expect, test } from 'vitest'
import { createGiveWay, createShare } from './give-way.ts'

const work = (ms: number): number => {
  const startedAt = performance.now()
  let now = startedAt
  while (now - startedAt < ms) now = performance.now()
  return now - startedAt
}

/** How much time others have for each millisecond of long work. */
async function shareOfOthers(): Promise<number> {
  let others = 0
  let hasEnded = false
  const goOn = (): void => {
    others += work(2)
    if (!hasEnded) setImmediate(goOn)
  }
  const giveWay = createGiveWay()
  setImmediate(goOn)
  let own = 0
  for (let step = 0; step < 5; step += 1) {
    own += work(6)
    // The steps of one task.
    await giveWay()
  }
  hasEnded = true
  return others / own
}

test('a busy process has more than nine tenths of its time while long work is done', async () => {
  // Time that the system gives to other programs counts as work of this one, so only the best of three is compared.
  let best = 0
  for (let attempt = 0; attempt < 3 && best <= 9; attempt += 1) {
    // One after the other.
    best = Math.max(best, await shareOfOthers())
  }
  expect(best).toBeGreaterThan(9)
})

test('a busy process has more than two thirds of its time while steps of one share are done', async () => {
  let others = 0
  let hasEnded = false
  const goOn = (): void => {
    others += work(2)
    if (!hasEnded) setImmediate(goOn)
  }
  const share = createShare(4)
  setImmediate(goOn)
  const steps = await Promise.all(Array.from({ length: 10 }, () => share(() => work(4))))
  hasEnded = true
  // The rest after the last step is not waited for.
  expect(others).toBeGreaterThan(steps.slice(1).reduce((sum, ms) => sum + ms, 0) * 2)
})

test('a step that fails does not keep the next one of its share from starting', async () => {
  const share = createShare(2)
  const failing = share(() => {
    throw new Error('refused')
  })
  const next = share(() => 'done')
  await expect(failing).rejects.toThrow('refused')
  await expect(next).resolves.toBe('done')
})

test('long work goes on in an idle process', async () => {
  const giveWay = createGiveWay()
  work(6)
  await expect(giveWay()).resolves.toBeUndefined()
})
