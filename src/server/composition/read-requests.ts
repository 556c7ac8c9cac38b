import type { IncomingMessage } from 'node:http'
import { createApp } from '../http/create-app.ts'
import type { MakeErrorPage } from '../http/error-page.ts'
import { mount } from '../http/mount.ts'
import type { CheckedHandlers, MountContext } from '../http/mount.ts'
import type { Application } from '../http/listener.ts'
import { createRateLimits } from '../http/rate-limits.ts'
import { assertOwnOrigin } from '../http/registry-origin.ts'
import { createRouter, splitTarget } from '../http/router.ts'
import type { Endpoint } from '../http/router.ts'
import { routeGroups } from './route-table.ts'

const forwarded = (): never => {
  throw new Error('Only the process that writes answers this')
}

interface ReadRequestParts extends Pick<
  MountContext,
  'log' | 'clientOf' | 'checkReplies' | 'paceWindowMs' | 'assertCurrent'
> {
  /** By group. Routes without a handler are forwarded. */
  handlers: Partial<Record<string, CheckedHandlers>>
  errorPage: MakeErrorPage
  urls(): { listenerUrl: string; publicUrl: string | null }
}

/** The requests that a process answers which reads a registry but does not write it. */
export function createReadRequests({ handlers, errorPage, urls, ...parts }: ReadRequestParts) {
  const context: MountContext = {
    ...parts,
    admit: (req) => assertOwnOrigin(req, urls()),
    rateLimits: createRateLimits(),
    authenticate: forwarded,
    remote: false,
    crossOrigin: true,
    scopeReaches: forwarded,
    assertMayUpload: forwarded,
  }
  // With the routes that are forwarded, so that they keep their precedence.
  const router = createRouter(
    routeGroups
      .filter(([, { listeners }]) => listeners.includes('registry'))
      .flatMap(([group, { routes }]) =>
        Object.entries(routes).flatMap(([key, route]): Endpoint[] => {
          const own = handlers[group] ?? {}
          if (Object.hasOwn(own, key)) return mount({ [key]: route }, own, context)
          return [{ method: route.method, path: route.path, answer: forwarded }]
        }),
      ),
  )
  return {
    application: { handle: createApp(router, context), errorPage } satisfies Application,
    /** Whether this process answers a request itself. */
    answers({ method = '', url = '' }: IncomingMessage): boolean {
      const match = router.find(method, splitTarget(url).path)
      return match !== null && match.endpoint.answer !== forwarded
    },
  }
}
