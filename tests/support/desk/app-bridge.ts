import type { Page } from '@playwright/test'
import type { AppInfo, DesktopBridge, Preferences } from '../../../src/shared/ipc-schema.ts'
import { sessionKey } from './desk-page.ts'

/** The calls that the desk makes in browser tests; the others need the real app (tests/desktop). */
interface Answers {
  app: DesktopBridge['app']
  session: DesktopBridge['session']
  files: Pick<DesktopBridge['files'], 'chooseFolder'>
  preferences: DesktopBridge['preferences']
  window: DesktopBridge['window']
}

/**
 * Gives a signed-in page the bridge of the app's preload script, and reloads it. `folder` is the person's choice in
 * every folder dialog.
 */
export async function reloadInApp(
  page: Page,
  { folder = null }: { folder?: string | null } = {},
): Promise<void> {
  const info: AppInfo = {
    version: '1.0.0',
    electron: '1.0.0',
    chrome: '1.0.0',
    node: '1.0.0',
    platform: 'linux',
    ownsServices: true,
    theme: 'system',
  }
  const preferences: Preferences = {
    startAtLogin: false,
    keepInTray: true,
    notifySubmissions: true,
    notifyCrashes: true,
    notifyBudgets: true,
  }
  await page.addInitScript(
    (initial) => {
      let { key } = initial
      const current = { ...initial.preferences }
      const answers: Answers = {
        app: { info: () => Promise.resolve(initial.info) },
        session: {
          get: () => Promise.resolve(key),
          set(change) {
            key = change.key
            return Promise.resolve()
          },
        },
        files: { chooseFolder: () => Promise.resolve(initial.folder) },
        preferences: {
          get: () => Promise.resolve(current),
          set(change) {
            return Promise.resolve(Object.assign(current, change))
          },
        },
        window: { setTheme: () => Promise.resolve() },
      }
      Object.assign(globalThis, { skilldock: answers })
    },
    { info, preferences, folder, key: await sessionKey(page) },
  )
  await page.reload()
}
