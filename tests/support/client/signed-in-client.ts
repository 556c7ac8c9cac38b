import { afterAll, beforeAll, beforeEach } from 'vitest'
import { cleanUpClients } from './client.ts'
import { startHostileServer } from './hostile-server.ts'
import type { HostileServer } from './hostile-server.ts'
import { startTestRegistry } from '../server/registry.ts'
import type { TestRegistry } from '../server/registry.ts'

/** Control characters of terminals, and characters that change the text direction. */
// oxlint-disable-next-line no-control-regex
export const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/

/**
 * For a whole test file: a registry with the approved skill `tool`, behind a server that misbehaves when a test says
 * so. Available from the first test.
 */
export function behindHostileServer(): { app: TestRegistry; proxy: HostileServer } {
  const parts = {} as { app: TestRegistry; proxy: HostileServer }
  beforeAll(async () => {
    parts.app = await startTestRegistry()
    parts.proxy = await startHostileServer(parts.app)
    await parts.app.release({ name: 'tool' }, 'approved')
  })
  afterAll(async () => {
    await parts.proxy?.stop()
    await parts.app?.stop()
    await cleanUpClients()
  })
  beforeEach(() => parts.proxy.reset())
  return parts
}

/** The environment of a developer who is signed in to this registry. */
export const signedInAt = ({
  app,
  proxy,
}: {
  app: TestRegistry
  proxy: HostileServer
}): Record<string, string> => ({ SKILL_REGISTRY: proxy.url, SKILL_TOKEN: app.developer })
