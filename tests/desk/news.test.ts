import { afterAll, beforeAll, expect, test } from 'vitest'
import { newsSchema } from '../../src/shared/services-messages.ts'
import type { News } from '../../src/shared/services-messages.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

let app: TestRegistry
const heard: News[] = []
beforeAll(async () => {
  app = await startTestRegistry({ config: { publishConcurrency: 64 } })
  await app.submit({ name: 'before' })
  app.server.watchNews((news) => heard.push(newsSchema.parse(news)))
})
afterAll(() => app.stop())

test('the app hears at once what waits, without what it has heard of before', () => {
  const projects = { pending: 0, submitted: 0, submissions: [] }
  expect(heard).toEqual([{ pending: 1, submitted: 0, submissions: [], projects, alerts: [] }])
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

test('a project of the public form is told of once, with its title and author', async () => {
  const form = new FormData()
  const fields = {
    title: 'Tide tables',
    tagline: 'Without a net.',
    author: 'Ada',
    description: 'It tells the tides of a harbour.',
  }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const sent = await fetch(`${app.registry}/showcase/submit`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  })
  expect(sent.status).toBe(303)
  await until('it is heard of', () => heard.at(-1)?.projects.pending === 1)
  const told = heard.filter(({ projects }) => projects.submitted > 0)
  expect(told.map(({ projects }) => projects)).toEqual([
    { pending: 1, submitted: 1, submissions: [{ id: 1, title: 'Tide tables', author: 'Ada' }] },
  ])
  expect(told[0]?.submitted).toBe(0)
})
