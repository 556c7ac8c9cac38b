import { expect, test } from 'vitest'
import { createGiveWay } from './give-way.ts'

const work = (ms: number): number => {
  const startedAt = performance.now()
  let now = startedAt
  while (now - startedAt < ms) now = performance.now()
  return now - startedAt
}

test('a busy process has more than nine tenths of its time while long work is done', async () => {
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
    // oxlint-disable-next-line no-await-in-loop -- the steps of one task
    await giveWay()
  }
  hasEnded = true
  expect(others).toBeGreaterThan(own * 9)
})

test('long work goes on in an idle process', async () => {
  const giveWay = createGiveWay()
  work(6)
  await expect(giveWay()).resolves.toBeUndefined()
})
