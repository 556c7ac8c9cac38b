import { queryOptions, skipToken } from '@tanstack/react-query'
import type { DesktopBridge } from '../../../shared/ipc-schema.ts'
import { bridge } from './bridge.ts'

const ask = <T>(work: (app: DesktopBridge) => Promise<T>): (() => Promise<T>) | typeof skipToken => {
  const app = bridge
  return app === null ? skipToken : () => work(app)
}

/** What the app says of itself; nothing in a browser. */
export const appInfoQuery = queryOptions({
  queryKey: ['app', 'info'],
  queryFn: ask((app) => app.app.info()),
})

export const preferencesQuery = queryOptions({
  queryKey: ['app', 'preferences'],
  queryFn: ask((app) => app.preferences.get()),
})

/** How far a restore is, looked at while there is one. */
export const restoreProgressQuery = queryOptions({
  queryKey: ['app', 'restore progress'],
  queryFn: ask((app) => app.setup.restoreProgress()),
  refetchInterval: 300,
})

/** What the app knows of its services, which they do not know themselves: when they are tried again. */
export const servicesInAppQuery = queryOptions({
  queryKey: ['app', 'services'],
  queryFn: ask((app) => app.services.state()),
  refetchInterval: 1000,
})
