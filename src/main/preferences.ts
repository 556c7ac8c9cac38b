import type { IpcHandlers, Preferences } from '../shared/ipc-schema.ts'
import type { AppSettings } from './app-settings.ts'
import type { LoginItem } from './login-item.ts'

/** What a person sets for this app; whether it starts at login is asked of the system, which others change too. */
export function createPreferences(settings: AppSettings, loginItem: LoginItem): IpcHandlers['preferences'] {
  const get = (): Preferences => {
    const { keepInTray, notifySubmissions, notifyCrashes, notifyBudgets } = settings.get()
    return { startAtLogin: loginItem.isSet(), keepInTray, notifySubmissions, notifyCrashes, notifyBudgets }
  }
  return {
    get,
    set({ startAtLogin, ...changes }) {
      if (startAtLogin !== undefined && startAtLogin !== loginItem.isSet()) loginItem.set(startAtLogin)
      // What is left out may also be there as undefined.
      settings.change(Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)))
      return get()
    },
  }
}
