import { queryOptions, skipToken } from '@tanstack/react-query'
import type { DesktopBridge } from '../../shared/ipc-schema.ts'
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
