import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type { DeskState } from '../../../src/shared/contracts/desk-session.ts'
import type { DesktopBridge, Preferences } from '../../../src/shared/ipc-schema.ts'

type WithBridge = typeof globalThis & { skilldock: DesktopBridge }

/** What the preload gives a page, called from the test. */
export const bridge = {
  info: (page: Page) => page.evaluate(() => (globalThis as WithBridge).skilldock.app.info()),
  state: (page: Page) => page.evaluate(() => (globalThis as WithBridge).skilldock.services.state()),
  /** Takes the page away, so that nobody waits for the answer. */
  stop: (page: Page) =>
    page.evaluate(() => {
      void (globalThis as WithBridge).skilldock.services.stop()
    }),
  setPreferences: (page: Page, changes: Partial<Preferences>) =>
    page.evaluate((values) => (globalThis as WithBridge).skilldock.preferences.set(values), changes),
  /** Gives the error's text. */
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

/** Waits until the window is on the desk, and gives the desk's origin. */
export async function deskOrigin(page: Page): Promise<string> {
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/desk\//)
  await page.waitForLoadState()
  return new URL(page.url()).origin
}

/** The session key's name in localStorage begins with it. */
export const sessionPrefix = 'skilldock-desk-'

/** The session key of a page, in the app or in a browser; null while nobody is signed in. */
export function sessionKey(page: Page): Promise<string | null> {
  return page.evaluate(async (prefix) => {
    const { skilldock } = globalThis as Partial<WithBridge>
    if (skilldock !== undefined) return skilldock.session.get()
    return Object.entries(localStorage).find(([name]) => name.startsWith(prefix))?.[1] ?? null
  }, sessionPrefix)
}

/** Takes the session key away from all pages of a browser, as its person can. */
export function forgetSession(page: Page): Promise<void> {
  return page.evaluate((prefix) => {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name)
  }, sessionPrefix)
}

/** Goes where a link of the desk would, without loading the desk again. `path` begins below `/desk/`. */
export function goInDesk(page: Page, path: string): Promise<void> {
  return page.evaluate((address) => history.pushState(null, '', address), `/desk/${path}`)
}

/** What the desk's own interface answers this page. `path` begins below `/desk/api`. */
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

/** The shell page: what the window shows while there is no desk. */
export async function expectShell(page: Page, title: string, sentence: RegExp | string): Promise<void> {
  await expect(page.locator('#title')).toHaveText(title)
  await expect(page.locator('#sentence')).toHaveText(sentence)
}

/**
 * Presses a button that takes its page away, or that the app may take away before it is pressed: the page can
 * be gone before Playwright hears of the press. What has become of it is for the test to judge.
 */
export async function pressAway(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  try {
    await button.click({ timeout: 5000 })
  } catch (error) {
    // On a page that is closed nothing can be asked, and nothing is visible.
    if (await button.isVisible().catch(() => false)) throw error
  }
}
