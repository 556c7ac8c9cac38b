import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeGroups } from '../../src/server/composition/route-table.ts'
import type { MountPoint } from '../../src/server/composition/route-table.ts'
import { roles } from '../../src/shared/contracts/people.ts'
import type { Role } from '../../src/shared/contracts/people.ts'
import { may } from '../../src/shared/may.ts'
import type { Route } from '../../src/shared/route.ts'
import { signIn, signInCode } from '../support/desk/desk-client.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

const rows = routeGroups.flatMap(([group, { routes, ...where }]) =>
  Object.entries(routes).map(([operation, route]) => ({ name: `${group}.${operation}`, route, ...where })),
)
const guarded = rows.filter(({ route }) => route.access !== 'public')

let app: TestRegistry
/** The public address, without a proxy, which these tests do not need. */
let publicUrl: string
/** The headers that identify a person with a role. */
const authorize: Record<MountPoint, (role: Role) => Promise<Record<string, string>>> = {
  registry: async (role) => ({ authorization: `Bearer ${await app.token({ subject: `a-${role}`, role })}` }),
  async local(role) {
    await app.token({ subject: `a-${role}`, role })
    return { authorization: (await signIn(app, `a-${role}`)).authorization }
  },
  async 'remote desk'(role) {
    await app.token({ subject: `a-${role}`, role })
    const { headers } = await fetch(`${app.registry}/desk/api/session`, {
      method: 'POST',
      headers: { origin: publicUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ code: await signInCode(app, `a-${role}`) }),
    })
    return { cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  },
}
beforeAll(async () => {
  const port = await findFreePort()
  publicUrl = `https://127.0.0.1:${port}`
  app = await startTestRegistry({
    config: { port, publicUrl, trustProxy: ['127.0.0.1'], 'desk.remote': 'on' },
  })
})
afterAll(() => app.stop())

/** Whether a route ends the token or session that it is called with. */
const endsCredential = ({ method, path }: Route): boolean =>
  method === 'DELETE' && /\/(?:session|token)$/.test(path)

/** A request that is valid except for who sends it. */
async function ask(at: MountPoint, { method, path }: Route, credential: Record<string, string> = {}) {
  const address = at === 'local' ? app.dashboard : app.registry
  const origin = at === 'remote desk' ? publicUrl : address
  const filled = path.replace('{kind}', 'token').replaceAll(/\{\w+\}/g, '1')
  const hasBody = method !== 'GET' && method !== 'DELETE'
  const response = await fetch(`${address}${filled}`, {
    method,
    redirect: 'manual',
    headers: {
      origin,
      ...credential,
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
  test('has a unique name among those for its credential, and a unique method and path on each listener', () => {
    expect(rows.length).toBeGreaterThan(150)
    for (const key of [
      rows.map(({ name, credential }) => `${credential} ${name.split('.')[1]}`),
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
        expect(await ask(listener, route), name).toMatchObject({ status, code })
      }
    }
  })

  test.each(roles)('answers 403 to the role %s exactly if docs/ROLES.md says so', async (role) => {
    const unexpected: string[] = []
    const shared = {
      registry: await authorize.registry(role),
      local: await authorize.local(role),
      'remote desk': await authorize['remote desk'](role),
    }
    for (const { name, route, listeners } of guarded) {
      const allowed = route.access !== 'public' && may(role, route.access)
      for (const listener of listeners) {
        const own = endsCredential(route) ? await authorize[listener](role) : shared[listener]
        const { status, code } = await ask(listener, route, own)
        const isRefused = status === 403 && code === 'FORBIDDEN'
        if (isRefused === allowed || (allowed && status === 403)) unexpected.push(`${name} ${status} ${code}`)
      }
    }
    expect(unexpected).toEqual([])
  })

  test('is available on its listeners only', async () => {
    for (const { name, route, listeners, credential } of rows) {
      for (const listener of [credential === 'token' ? 'registry' : 'remote desk', 'local'] as const) {
        // The desk serves its page for every other path below /desk/.
        if (listener === 'local' && route.path === '/') continue
        const sent = listener === 'remote desk' ? route : { ...route, method: 'GET' as const }
        const { status, text } = await ask(listener, sent)
        const isUnknown = /There is nothing at|This part of the desk is only available/.test(text)
        expect(isUnknown, `${name} on ${listener}`).toBe(!listeners.includes(listener))
        if (isUnknown) expect(status, name).toBe(404)
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
