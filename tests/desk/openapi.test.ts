import { afterAll, beforeAll, expect, test } from 'vitest'
import { routeGroups } from '../../src/server/composition/route-table.ts'
import { approvalRoutes } from '../../src/shared/contracts/desk-decisions.ts'
import { dashboardRoutes } from '../../src/shared/contracts/dashboard.ts'
import { metricsRoutes } from '../../src/shared/contracts/metrics.ts'
import { deprecationRoutes } from '../../src/shared/contracts/release-states.ts'
import { ownNameRoutes } from '../../src/shared/contracts/owners.ts'
import { trustedPublisherRoutes } from '../../src/shared/contracts/trusted-publishers.ts'
import { threadRoutes } from '../../src/shared/contracts/thread.ts'
import type { Route } from '../../src/shared/route.ts'
import { deskClient, signIn } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

interface Operation {
  operationId: string
  security: unknown[]
  responses: Record<string, { description: string; content: Record<string, unknown> }>
}
interface Document {
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation> & { servers?: { url: string }[] }>
  components: { securitySchemes: Record<string, Record<string, string>> }
}

let app: TestRegistry
let document: Document
beforeAll(async () => {
  app = await startTestRegistry()
  document = (await call<Document>(`${app.registry}/openapi.json`)).body
})
afterAll(() => app.stop())

const operation = (method: string, path: string): Operation => {
  const found = document.paths[path]?.[method.toLowerCase()]
  if (found === undefined) throw new Error(`${method} ${path} is not described`)
  return found
}

const deskGroups = routeGroups.filter(([, { credential }]) => credential === 'desk session')
const routesAt = (isLocal: boolean): [string, Route][] =>
  deskGroups
    .filter(([, { listeners }]) => listeners.includes('local') === isLocal)
    .flatMap(([, { routes }]) => Object.entries(routes))
const wholeDesk = routesAt(true)

test('what only the remote desk has is not described', () => {
  const onlyRemote = routesAt(false)
  expect(onlyRemote.length).toBeGreaterThan(3)
  for (const [, { path }] of onlyRemote) expect(document.paths[path]).toBeUndefined()
})

test('every route of the desk is described, with its own server and the session key', () => {
  expect(document.components.securitySchemes['desk']).toMatchObject({
    type: 'http',
    scheme: 'bearer',
  })
  const isOfRegistry = new Set<string>(
    Object.keys({
      ...deprecationRoutes,
      ...ownNameRoutes,
      ...threadRoutes,
      ...approvalRoutes,
      ...trustedPublisherRoutes,
    }),
  )
  for (const [key, { method, path, access }] of wholeDesk) {
    expect(
      document.paths[path]?.servers?.map(({ url }) => url),
      path,
    ).toEqual([app.dashboard])
    expect(operation(method, path)).toMatchObject({
      operationId: isOfRegistry.has(key) ? `${key}InDesk` : key,
      security: access === 'public' ? [] : [{ desk: [] }],
    })
  }
  for (const [path, held] of Object.entries(document.paths)) {
    const isLocal =
      path.startsWith('/desk/') ||
      Object.values({ ...dashboardRoutes, ...metricsRoutes }).some((one) => one.path === path)
    expect(held.servers !== undefined, path).toBe(isLocal)
  }
})

test('every error of the desk is described with its code', () => {
  const codesOf = (key: string, status: number): string => {
    const { method = '', path = '' } = new Map(wholeDesk).get(key) ?? {}
    return operation(method, path).responses[status]?.description ?? ''
  }
  expect(codesOf('signIn', 401)).toContain('CODE_INVALID')
  expect(codesOf('signIn', 429)).toContain('TOO_MANY_REQUESTS')
  expect(codesOf('listQueue', 401)).toContain('SESSION_MISSING')
  expect(codesOf('listQueue', 401)).not.toContain('TOKEN')
  expect(codesOf('listQueue', 403)).toContain('FORBIDDEN')
  expect(codesOf('decideRelease', 403)).toContain('ORIGIN_FORBIDDEN')
  expect(codesOf('decideRelease', 409)).toContain('INVALID_TRANSITION')
  expect(codesOf('streamDeskEvents', 429)).toContain('TOO_MANY_REQUESTS')
  expect(codesOf('removePerson', 409)).toContain('LAST_ADMINISTRATOR')
  expect(codesOf('saveSettings', 409)).toContain('PORT_TAKEN')
  expect(codesOf('saveSettings', 503)).toContain('STORAGE_UNAVAILABLE')
  expect(codesOf('createFirstAdministrator', 409)).toContain('PORT_TAKEN')
})

test('actual responses match the description: status, code and media type', async () => {
  const id = await app.submit()
  const rita = await signIn(app, 'rita')
  const alice = await signIn(app, 'alice')
  const anonymous = deskClient(app)
  const seen = [
    [anonymous, 'GET', '/state'],
    [anonymous, 'GET', '/releases'],
    [alice, 'GET', '/releases'],
    [rita, 'GET', '/releases?offset=x'],
    [rita, 'GET', '/releases'],
    [rita, 'GET', `/releases/${id}`],
    [rita, 'GET', '/releases/99'],
    [rita, 'POST', `/releases/${id}/decision`, { action: 'revoked', reason: 'I read all of it.' }],
    [anonymous, 'POST', '/session', { code: 'x'.repeat(43) }],
    [rita, 'POST', '/people', { subject: 'new', role: 'developer' }],
    [rita, 'POST', '/people', { subject: 'new', role: 'developer' }],
    [rita, 'DELETE', '/people/2'],
    [rita, 'GET', '/services'],
    [rita, 'GET', '/settings'],
    [rita, 'PUT', '/settings', { changes: { port: 'x' } }],
    [rita, 'POST', '/settings/check', { changes: { port: 'x' } }],
    [rita, 'GET', '/ports/4200'],
    [rita, 'GET', '/ports/x'],
    [rita, 'GET', '/log'],
    [rita, 'POST', '/services/dashboard/stop'],
    [alice, 'POST', '/services/registry/stop'],
    [anonymous, 'POST', '/first-run/check', { code: 'x'.repeat(43), settings: {} }],
  ] as const
  for (const [client, method, path, body] of seen) {
    const reply = await (method === 'GET'
      ? client.get<{ code?: string }>(path)
      : client.send<{ code?: string }>(method, path, body))
    const found = wholeDesk.find(
      ([, one]) =>
        one.method === method &&
        new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`/desk/api${path.split('?')[0]}`),
    )
    const described = operation(method, found?.[1].path ?? '').responses[reply.status]
    expect(described, `${method} ${path} ${reply.status}`).toBeDefined()
    expect(Object.keys(described?.content ?? {})[0]).toBe('application/json')
    if (reply.status >= 400) expect(described?.description).toContain(reply.body.code)
  }
})
