import { afterAll, beforeAll, expect, test } from 'vitest'
import { newsSchema } from '../../src/shared/services-messages.ts'
import type { News } from '../../src/shared/services-messages.ts'
import { startTestRegistry } from '../support/registry.ts'
import type { TestRegistry } from '../support/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
const heard: News[] = []
beforeAll(async () => {
  app = await startTestRegistry({ config: { publishConcurrency: 20 } })
  await app.submit({ name: 'before' })
  app.server.watchNews((news) => heard.push(newsSchema.parse(news)))
})
afterAll(() => app.stop())

test('the app hears at once what waits, without what it has heard of before', () => {
  expect(heard).toEqual([{ pending: 1, submitted: 0, submissions: [], alerts: [] }])
})

test('then what is new, each once, and what waits after a decision', async () => {
  const id = await app.submit({ name: 'new' })
  await until('it is heard of', () => heard.some(({ pending }) => pending === 2))
  expect(heard.flatMap(({ submissions }) => submissions)).toEqual([
    { id, name: 'new', version: '1.0.0', publisher: 'Alice' },
  ])
  await app.decide(id, 'approved')
  await until('it waits no more', () => heard.at(-1)?.pending === 1)
  expect(heard.flatMap(({ submissions }) => submissions)).toHaveLength(1)
})

test('of a burst all are counted and at most ten named at once', async () => {
  const from = heard.length
  const names = Array.from({ length: 14 }, (_, n) => `burst-${n}`)
  await Promise.all(names.map((name) => app.submit({ name })))
  await until('all are heard of', () => heard.at(-1)?.pending === 15)
  const later = heard.slice(from)
  expect(later.reduce((sum, { submitted }) => sum + submitted, 0)).toBe(14)
  expect(Math.max(...later.map(({ submissions }) => submissions.length))).toBeLessThanOrEqual(10)
})
