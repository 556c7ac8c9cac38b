import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogLines } from '../../src/server/operations/log-lines.ts'
import { createLogger } from '../../src/server/operations/logging.ts'
import type { LogLine } from '../../src/shared/contracts/desk-settings.ts'
import { signIn } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { until } from '../support/wait.ts'

interface Log {
  lines: LogLine[]
  first: number
  last: number
}

let app: TestRegistry
let rita: DeskClient
beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
})
afterAll(() => app.stop())

const read = async (after = 0): Promise<Log> => (await rita.get<Log>(`/log?after=${after}`)).body
const find = (text: string): Promise<LogLine> =>
  until(`the log has ${text}`, async () => (await read()).lines.find((line) => line.text.includes(text)))

test('a request to the desk has one line with service, status, duration and request id', async () => {
  const reply = await rita.get('/people')
  const id = reply.headers.get('x-request-id') ?? ''
  const line = await until('its line is there', async () =>
    (await read()).lines.find(({ request }) => request === id),
  )
  expect(line).toMatchObject({ level: 'info', service: 'dashboard' })
  expect(line.text).toMatch(/^GET \/desk\/api\/people 200 · [\d.]+ ms$/)
  expect((await read()).lines.filter(({ request }) => request === id)).toHaveLength(1)
})

test('a refused request to the registry has a line with the error code; a fast successful read has none', async () => {
  const good = await fetch(`${app.registry}/api/health`)
  const bad = await fetch(`${app.registry}/no-such-thing`)
  const line = await find('/no-such-thing')
  expect(line).toMatchObject({ service: 'registry', request: bad.headers.get('x-request-id') })
  expect(line.text).toContain('404')
  expect(line.text).toContain('NOT_FOUND')
  const ids = (await read()).lines.map(({ request }) => request)
  expect(ids).not.toContain(good.headers.get('x-request-id'))
})

test('a submission has a line', async () => {
  await app.submit({ name: 'logged' })
  expect((await find('POST /api/marketplace')).service).toBe('registry')
})

test('no token, header, session key, query or body is logged, wherever it was sent', async () => {
  const secret = 'Zx9'.repeat(15)
  const headers = { 'x-secret': `head${secret}` }
  await call(`${app.registry}/api/marketplace/mine?token=${app.developer}`, { token: app.developer })
  await call(`${app.registry}/${app.developer}`, { token: `${app.developer}x` })
  await fetch(`${app.registry}/way/${secret}/end?q=${secret}`, {
    headers,
    method: 'POST',
    body: `body${secret}`,
  })
  await fetch(`${app.dashboard}/desk/api/log?after=0&q=${secret}`, {
    headers: { authorization: rita.authorization, ...headers },
  })
  await find('/end')
  const lines = app.logs.join('') + JSON.stringify(await read())
  for (const text of [
    secret,
    app.developer,
    app.developer.split('.')[2] ?? '',
    rita.authorization.slice('Bearer '.length),
  ]) {
    expect(text.length).toBeGreaterThan(20)
    expect(lines).not.toContain(text)
  }
  expect(lines).not.toContain('x-secret')
})

test('lines can be read from after a given one', async () => {
  const { last } = await read()
  await fetch(`${app.registry}/later`)
  await find('/later')
  const later = await read(last)
  expect(later.lines[0]?.n).toBe(last + 1)
  expect(later.lines.some(({ text }) => text.includes('/later'))).toBe(true)
  expect((await read(later.last + 100)).lines.every(({ n }) => n > later.last + 100)).toBe(true)
})

test('the newest lines are kept, and at most 1,000 are returned at once', () => {
  const lines = createLogLines(2500)
  const log = createLogger(lines.passTo({ write: () => {} }))
  for (let n = 1; n <= 3000; n += 1) log.info({ n }, 'line')
  const first = lines.read(0)
  expect(first).toMatchObject({ first: 501, last: 3000 })
  expect(first.lines).toHaveLength(1000)
  expect(first.lines[0]).toMatchObject({ n: 501, text: 'line · n 501', service: 'services', request: null })
  expect(lines.read(2990).lines.map(({ n }) => n)).toEqual([
    2991, 2992, 2993, 2994, 2995, 2996, 2997, 2998, 2999, 3000,
  ])
  expect(lines.raw()).toHaveLength(2500)
})

test('the last error of a service is remembered after its line was dropped', () => {
  const lines = createLogLines(2)
  const log = createLogger(lines.passTo({ write: () => {} }))
  log.error({ service: 'registry', err: new Error('the disk is away') }, 'not stored')
  for (let n = 0; n < 5; n += 1) log.info('line')
  expect(lines.lastError('registry')?.text).toBe('not stored · the disk is away')
  expect(lines.lastError('dashboard')).toBeNull()
})
