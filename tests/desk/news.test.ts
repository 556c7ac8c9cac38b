import { afterAll, beforeAll, expect, test } from 'vitest'
import { newsSchema } from '../../src/shared/services-messages.ts'
import type { News } from '../../src/shared/services-messages.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
const received: News[] = []
beforeAll(async () => {
  app = await startTestRegistry({ config: { publishConcurrency: 64 } })
  await app.submit({ name: 'before' })
  app.server.watchNews((news) => received.push(newsSchema.parse(news)))
})
afterAll(() => app.stop())

test('the app is told the pending count immediately, without earlier submissions', () => {
  const projects = { pending: 0, submitted: 0, submissions: [] }
  expect(received).toEqual([{ pending: 1, submitted: 0, submissions: [], projects, alerts: [] }])
})

test('each new submission is reported once, and the pending count again after a decision', async () => {
  const id = await app.submit({ name: 'new' })
  await until('it is reported', () => received.some(({ pending }) => pending === 2))
  expect(received.flatMap(({ submissions }) => submissions)).toEqual([
    { id, name: 'new', version: '1.0.0', publisher: 'Alice' },
  ])
  await app.decide(id, 'approved')
  await until('it is no longer pending', () => received.at(-1)?.pending === 1)
  expect(received.flatMap(({ submissions }) => submissions)).toHaveLength(1)
})

test('all submissions of a burst are counted, and at most ten are named per message', async () => {
  const from = received.length
  const names = Array.from({ length: 14 }, (_, n) => `burst-${n}`)
  await Promise.all(names.map((name) => app.submit({ name })))
  await until('all are reported', () => received.at(-1)?.pending === 15)
  const later = received.slice(from)
  expect(later.reduce((sum, { submitted }) => sum + submitted, 0)).toBe(14)
  expect(Math.max(...later.map(({ submissions }) => submissions.length))).toBeLessThanOrEqual(10)
})

test('a project from the public form is reported once, with its title and author', async () => {
  const form = new FormData()
  const fields = {
    title: 'Tide tables',
    tagline: 'Without a net.',
    author: 'Ada',
    description: 'It tells the tides of a harbor.',
  }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const sent = await fetch(`${app.registry}/showcase/submit`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  expect(sent.status).toBe(303)
  await until('it is reported', () => received.at(-1)?.projects.pending === 1)
  const reported = received.filter(({ projects }) => projects.submitted > 0)
  expect(reported.map(({ projects }) => projects)).toEqual([
    { pending: 1, submitted: 1, submissions: [{ id: 1, title: 'Tide tables', author: 'Ada' }] },
  ])
  expect(reported[0]?.submitted).toBe(0)
})
