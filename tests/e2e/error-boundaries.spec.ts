import { join } from 'node:path'
import { test as base } from '@playwright/test'
import type { Page } from '@playwright/test'
import { makeDeskLink } from '../../src/server/commands/desk-link.ts'
import { cleanUp, serve, skilldock, temporaryFolder } from '../support/server/command-line.ts'
import { copyOfDemo } from '../support/server/demo.ts'
import { expect } from '../support/desk/desk-browser.ts'
import { faultEach, unguardedRegions } from '../support/desk/desk-faults.ts'
import { skipWithout } from '../support/programs.ts'
import { agentScreens, screens } from '../support/desk/screen-list.ts'

const test = base.extend<object, { openDemo(subject: string): Promise<Page> }>({
  openDemo: [
    async ({ browser }, provide) => {
      const data = await copyOfDemo()
      const project = join(temporaryFolder(), 'harvest-team')
      const made = await skilldock(data, ['demo', '--agents', project])
      if (made.status !== 0) throw new Error(made.stderr)
      const serving = await serve(data, { SKILLDOCK_WORKSPACE: project })
      const pages = new Map<string, Page>()
      await provide(async (subject) => {
        const open = pages.get(subject)
        if (open !== undefined) return open
        const { url } = await makeDeskLink(data, serving.dashboard, subject)
        const page = await browser.newPage({
          baseURL: `${serving.dashboard}/desk/`,
          viewport: { width: 1280, height: 800 },
        })
        await page.goto(url ?? '')
        await page.getByRole('navigation', { name: 'Areas' }).waitFor()
        pages.set(subject, page)
        return page
      })
      await Promise.all([...pages.values()].map((page) => page.close()))
      await serving.stop()
      await cleanUp()
    },
    { scope: 'worker' },
  ],
})

test.skip(skipWithout('chromium'), 'needs Chromium')
// All of them in one process, because its server and its data take several seconds to start.
test.describe.configure({ mode: 'default' })

/** Screens that depend on each other and add only a toast to the regions of the review. */
const toastScreens = ['held', 'undone']

const everyScreen = [
  ...screens.filter(({ name }) => !toastScreens.includes(name)),
  ...agentScreens,
  { name: 'own-submit', as: 'rita' as const, path: 'own/submit' },
  { name: 'settings-desk', as: 'marta' as const, path: 'settings/desk' },
  { name: 'editor-history', as: 'marta' as const, path: 'content/blog/1?panel=history' },
  { name: 'not-found', as: 'marta' as const, path: 'nowhere' },
]

for (const { name, as, path, show } of everyScreen.map((screen) => ({ show: undefined, ...screen }))) {
  test(`an error stays in its region: ${name}`, async ({ openDemo }) => {
    test.slow()
    const page = await openDemo(as)
    await page.goto(path)
    await page.getByRole('navigation', { name: 'Areas' }).waitFor()
    await page.getByRole('heading').first().waitFor({ state: 'attached' })
    // Keys have no effect before a release is open.
    if (/^(?:review|content\/showcase)(?!.*nothing|\?q=)/.test(path)) {
      await page.getByRole('region', { name: 'Decision', exact: true }).waitFor()
    }
    await show?.(page)
    // The page that confirms a sign-in has no regions.
    if (name === 'confirm') return
    const { regions, unguarded } = await unguardedRegions(page)
    expect(regions).toContain('bar')
    expect(unguarded, `of ${regions.join(', ')}`).toEqual([])
    const results = await faultEach(page)
    expect(results.length).toBeGreaterThanOrEqual(regions.length)
    expect(
      results.filter(({ lost, isReported, recovered }) => lost.length > 0 || !isReported || !recovered),
    ).toEqual([])
  })
}
