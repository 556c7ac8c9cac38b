import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { DeskState } from '../../../src/shared/contracts/desk-session.ts'
import type { DesktopBridge, Preferences } from '../../../src/shared/ipc-schema.ts'

type WithBridge = typeof globalThis & { skilldock: DesktopBridge }

/** The preload's API of a page, called from the test. */
export const bridge = {
  info: (page: Page) => page.evaluate(() => (globalThis as WithBridge).skilldock.app.info()),
  state: (page: Page) => page.evaluate(() => (globalThis as WithBridge).skilldock.services.state()),
  /** Not awaited in the page, because it unloads the page. */
  stop: (page: Page) =>
    page.evaluate(() => {
      void (globalThis as WithBridge).skilldock.services.stop()
    }),
  setPreferences: (page: Page, changes: Partial<Preferences>) =>
    page.evaluate((values) => (globalThis as WithBridge).skilldock.preferences.set(values), changes),
  /** Returns the error's text. */
  quit: (page: Page) =>
    page.evaluate(async () => {
      try {
        await (globalThis as WithBridge).skilldock.shell.quit()
        return ''
      } catch (error) {
        return String(error)
      }
    }),
}

/** Waits until the window shows the desk, and returns the desk's origin. */
export async function deskOrigin(page: Page): Promise<string> {
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/desk\//)
  await page.waitForLoadState()
  return new URL(page.url()).origin
}

/** The prefix of the session key's name in localStorage. */
export const sessionPrefix = 'skilldock-desk-'

/** The session key of a page, in the app or in a browser; null if nobody is signed in. */
export function sessionKey(page: Page): Promise<string | null> {
  return page.evaluate(async (prefix) => {
    const { skilldock } = globalThis as Partial<WithBridge>
    if (skilldock !== undefined) return skilldock.session.get()
    return Object.entries(localStorage).find(([name]) => name.startsWith(prefix))?.[1] ?? null
  }, sessionPrefix)
}

/** Removes the session key from the browser's storage. */
export function forgetSession(page: Page): Promise<void> {
  return page.evaluate((prefix) => {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name)
  }, sessionPrefix)
}

/** Navigates like a link of the desk, without reloading it. `path` is relative to `/desk/`. */
export function goInDesk(page: Page, path: string): Promise<void> {
  return page.evaluate((address) => history.pushState(null, '', address), `/desk/${path}`)
}

/** Calls the desk API from this page. `path` is relative to `/desk/api`. */
export async function callAsPage<T>(page: Page, path: string, method = 'GET'): Promise<T> {
  const key = await sessionKey(page)
  return page.evaluate(
    async ([address, by, bearer]) => {
      const headers = bearer === null ? {} : { authorization: `Bearer ${bearer}` }
      return (await (await fetch(`/desk/api${address}`, { method: by, headers })).json()) as T
    },
    [path, method, key] as const,
  )
}

export function deskState(page: Page): Promise<DeskState> {
  return callAsPage(page, '/state')
}

/** Expects the shell page, which the window shows while there is no desk. */
export async function expectShell(page: Page, title: string, sentence: RegExp | string): Promise<void> {
  await expect(page.locator('#title')).toHaveText(title)
  await expect(page.locator('#sentence')).toHaveText(sentence)
}

/**
 * Clicks a button that closes or unloads its page, or that may disappear before the click. Playwright may not see the
 * click complete, so the test must check its effect.
 */
export async function pressAway(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  try {
    await button.click({ timeout: 5000 })
  } catch (error) {
    // On a closed page nothing is visible.
    if (await button.isVisible().catch(() => false)) throw error
  }
}
