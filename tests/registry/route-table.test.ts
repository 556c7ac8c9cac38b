import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeGroups } from '../../src/server/composition/route-table.ts'
import type { ListenerName } from '../../src/server/composition/route-table.ts'
import { roles } from '../../src/shared/contracts/people.ts'
import type { Role } from '../../src/shared/contracts/people.ts'
import { may } from '../../src/shared/may.ts'
import type { Route } from '../../src/shared/route.ts'
import { signIn } from '../support/desk/desk-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

const rows = routeGroups.flatMap(([group, { routes, ...where }]) =>
  Object.entries(routes).map(([operation, route]) => ({ name: `${group}.${operation}`, route, ...where })),
)
const guarded = rows.filter(({ route }) => route.access !== 'public')

let app: TestRegistry
/** `Authorization` headers of a person with a role. */
const authorize = {
  token: async (role: Role): Promise<string> => `Bearer ${await app.token({ subject: `a-${role}`, role })}`,
  'desk session': async (role: Role): Promise<string> => {
    await app.token({ subject: `a-${role}`, role })
    return (await signIn(app, `a-${role}`)).authorization
  },
}
beforeAll(async () => {
  app = await startTestRegistry()
})
afterAll(() => app.stop())

const addressOf = (listener: ListenerName): string => (listener === 'registry' ? app.registry : app.dashboard)

/** Whether a route ends the token or session that it is called with. */
const endsCredential = ({ method, path }: Route): boolean =>
  method === 'DELETE' && /\/(?:session|token)$/.test(path)

/** A request that is valid except for who sends it. */
async function ask(listener: ListenerName, { method, path }: Route, authorization?: string) {
  const origin = addressOf(listener)
  const filled = path.replace('{kind}', 'token').replaceAll(/\{\w+\}/g, '1')
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const response = await fetch(`${origin}${filled}`, {
    method,
    redirect: 'manual',
    headers: {
      origin,
      ...(authorization === undefined ? {} : { authorization }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(hasBody ? { body: '{}' } : {}),
  })
  // An event stream does not end.
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  if (isStream) await response.body?.cancel()
  const text = isStream ? '' : await response.text()
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null
  return { status: response.status, code, text }
}

describe('every route', () => {
  test('has a unique name, and a unique method and path on each listener', () => {
    expect(rows.length).toBeGreaterThan(150)
    for (const key of [
      rows.map(({ name }) => name.split('.')[1]),
      rows.flatMap(({ listeners, route }) => listeners.map((one) => `${one} ${route.method} ${route.path}`)),
    ]) {
      expect(key.filter((value, index) => key.indexOf(value) !== index)).toEqual([])
    }
  })

  test('with a guard refuses callers without credentials before anything else', async () => {
    expect(guarded.length).toBeGreaterThan(80)
    for (const { name, route, listeners, credential } of guarded) {
      for (const listener of listeners) {
        const status = route.statuses === 'upload' ? 403 : 401
        const code = credential === 'token' ? 'TOKEN_MISSING' : 'SESSION_MISSING'
        // oxlint-disable-next-line no-await-in-loop
        expect(await ask(listener, route), name).toMatchObject({ status, code })
      }
    }
  })

  test.each(roles)('answers 403 to the role %s exactly if docs/ROLES.md says so', async (role) => {
    const unexpected: string[] = []
    const shared = {
      token: await authorize.token(role),
      'desk session': await authorize['desk session'](role),
    }
    for (const { name, route, listeners, credential } of guarded) {
      const allowed = route.access !== 'public' && may(role, route.access)
      for (const listener of listeners) {
        // oxlint-disable-next-line no-await-in-loop
        const own = endsCredential(route) ? await authorize[credential](role) : shared[credential]
        // oxlint-disable-next-line no-await-in-loop
        const { status, code } = await ask(listener, route, own)
        const isRefused = status === 403 && code === 'FORBIDDEN'
        if (isRefused === allowed || (allowed && status === 403)) unexpected.push(`${name} ${status} ${code}`)
      }
    }
    expect(unexpected).toEqual([])
  })

  test('is available on its listeners only', async () => {
    for (const { name, route, listeners } of rows) {
      for (const listener of ['registry', 'local'] as const) {
        // The desk serves its page for every other path below /desk/.
        if (listener === 'local' && route.path === '/') continue
        // oxlint-disable-next-line no-await-in-loop
        const { text } = await ask(listener, { ...route, method: 'GET' })
        const isUnknown = /There is nothing at/.test(text)
        expect(isUnknown, `${name} on ${listener}`).toBe(!listeners.includes(listener))
      }
    }
  })
})

test('npm run routes prints the method, path, access, listener and handler of every route', () => {
  const script = join(import.meta.dirname, '../../src/server/composition/print-routes.ts')
  const { stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  const lines = stdout.trimEnd().split('\n').slice(1)
  expect(lines.length).toBe(rows.length)
  expect(lines.map((line) => line.split(/\s{2,}/))).toContainEqual([
    'POST',
    '/api/marketplace/review/{id}',
    'reviewer (token)',
    'registry',
    'releases.reviewRelease',
  ])
})
