import type { IpcHandlers, Preferences } from '../shared/ipc-schema.ts'
import type { AppSettings } from './app-settings.ts'
import type { LoginItem } from './login-item.ts'

/** The app's preferences. Whether it starts at login is read from the system, because other programs can change it. */
export function createPreferences(settings: AppSettings, loginItem: LoginItem): IpcHandlers['preferences'] {
  const get = (): Preferences => {
    const { keepInTray, notifySubmissions, notifyCrashes, notifyBudgets } = settings.get()
    return { startAtLogin: loginItem.isSet(), keepInTray, notifySubmissions, notifyCrashes, notifyBudgets }
  }
  return {
    get,
    set({ startAtLogin, ...changes }) {
      if (startAtLogin !== undefined && startAtLogin !== loginItem.isSet()) loginItem.set(startAtLogin)
      // Omitted preferences may be present as undefined.
      settings.change(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
      return get()
    },
  }
}
