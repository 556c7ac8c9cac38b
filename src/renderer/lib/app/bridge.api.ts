import { queryOptions, skipToken } from '@tanstack/react-query'
import type { DesktopBridge } from '../../../shared/ipc-schema.ts'
import { bridge } from './bridge.ts'

const ask = <T>(work: (app: DesktopBridge) => Promise<T>): (() => Promise<T>) | typeof skipToken => {
  const app = bridge
  return app === null ? skipToken : () => work(app)
}

/** Information about the app; skipped in a browser. */
export const appInfoQuery = queryOptions({
  queryKey: ['app', 'info'],
  queryFn: ask((app) => app.app.info()),
})

export const preferencesQuery = queryOptions({
  queryKey: ['app', 'preferences'],
  queryFn: ask((app) => app.preferences.get()),
})

/** Progress of a running restore. */
export const restoreProgressQuery = queryOptions({
  queryKey: ['app', 'restore progress'],
  queryFn: ask((app) => app.setup.restoreProgress()),
  refetchInterval: 300,
})

/** What only the app knows about its services: when it will restart them. */
export const servicesInAppQuery = queryOptions({
  queryKey: ['app', 'services'],
  queryFn: ask((app) => app.services.state()),
  refetchInterval: 1000,
})
