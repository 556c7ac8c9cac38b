import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { makeDeskLink } from '../../../src/server/commands/desk-link.ts'
import { withPeople } from '../../../src/server/commands/open-people.ts'
import { longestTask } from '../../support/desk/page-tasks.ts'
import { largeProgramModule } from '../../support/fixtures/big-modules.ts'
import { BROWSER_ARGUMENTS, installCommand, requireProgram } from '../../support/programs.ts'
import { manifest, publish } from '../../support/server/publish.ts'
import { untilIdle } from '../../support/agents/poll-dashboard.ts'
import type { Case, Measured } from '../compare.ts'
import { atMost } from '../figures.ts'
import { startBuiltServer } from '../processes.ts'
import { seed } from '../seed.ts'

const queued = 10_000
const moduleBytes = 16 * 1_048_576
const frames = 150

/** Opens the desk in a browser without a cache. */
const desk: Case = {
  goals: {
    'desk/first row of a queue of 10,000': atMost(1000, 'ms'),
    'desk/scripts until then': atMost(150, 'ms'),
    'desk/first visit': atMost(350, 'kB'),
    'desk/longest frame while the queue scrolls': atMost(50, 'ms'),
    'desk/longest task while a module of 16 MiB opens': atMost(50, 'ms'),
  },
  isSlow: true,
  async measure(bench) {
    const folder = mkdtempSync(join(bench.folder, 'desk-'))
    // Their checks are stored. Otherwise, the server would check them meanwhile, and the desk would show each change.
    seed(folder, queued, queued / 5)
    const { token } = await withPeople(
      (people) => people.issueToken({ subject: 'ilse', role: 'administrator' }),
      folder,
    )
    const server = await startBuiltServer(folder)
    const browser = await launch()
    try {
      const large = manifest({ name: 'large' })
      const reply = await publish(server.url, token, large, largeProgramModule(moduleBytes))
      if (reply.status !== 201) throw new Error(`Publishing failed: ${JSON.stringify(reply.body)}`)
      await untilIdle(server.pid)
      const storageState = await signIn(browser, folder, server.localUrl)
      const measured: Record<string, Measured & { values: number[] }> = {}
      const add = (name: keyof typeof desk.goals, value: number): void => {
        ;(measured[name] ??= { values: [], note: '' }).values.push(value)
      }
      // The first round fills the caches of the server.
      for (let round = 0; round <= bench.size.rounds; round += 1) {
        const page = await openPage(browser, { storageState })
        const visit = await visitQueue(page, `${server.localUrl}/desk/review?view=all&sort=waiting`)
        const frame = await scrollQueue(page)
        await page.context().close()
        const other = await openPage(browser, { storageState })
        const task = await longestTask(other, () =>
          openModule(other, `${server.localUrl}/desk/review/${reply.body.id}`),
        )
        await other.context().close()
        if (round === 0) continue
        add('desk/first row of a queue of 10,000', visit.ms)
        add('desk/scripts until then', visit.scriptMs)
        add('desk/first visit', visit.bytes / 1000)
        add('desk/longest frame while the queue scrolls', frame)
        add('desk/longest task while a module of 16 MiB opens', task)
      }
      return measured
    } finally {
      await browser.close()
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  },
}

async function launch(): Promise<Browser> {
  const executablePath = requireProgram('chromium')
  if (executablePath === null) {
    throw new Error(`The desk is measured in Chromium. To install it: ${installCommand(['chromium'])}`)
  }
  return chromium.launch({ executablePath, chromiumSandbox: false, args: BROWSER_ARGUMENTS })
}

const openPage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Page> =>
  (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage()

/** The storage of a browser in which the administrator is signed in. */
async function signIn(
  browser: Browser,
  folder: string,
  url: string,
): Promise<NonNullable<BrowserContextOptions['storageState']>> {
  const page = await openPage(browser)
  const link = await makeDeskLink(folder, url, 'ilse')
  if (link.url === null) throw new Error('There is no link')
  await page.goto(link.url)
  await page.getByRole('navigation', { name: 'Areas' }).waitFor()
  const state = await page.context().storageState()
  await page.context().close()
  return state
}

/** Elapsed time until the first row, the processor time of scripts until then, and all transferred bytes. */
async function visitQueue(
  page: Page,
  address: string,
): Promise<{ ms: number; scriptMs: number; bytes: number }> {
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const startedAt = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator('[data-row]').first().waitFor()
  const ms = performance.now() - startedAt
  const { metrics } = await session.send('Performance.getMetrics')
  await page.waitForLoadState()
  await page.evaluate(() => document.fonts.ready)
  const seconds = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
  return { ms, scriptMs: seconds * 1000, bytes }
}

/** The longest time between two frames in milliseconds. */
const scrollQueue = (page: Page): Promise<number> =>
  page
    .getByRole('complementary', { name: 'Queue' })
    .locator('ul')
    .first()
    .locator('xpath=../..')
    .evaluate(async (element, count) => {
      let longest = 0
      let before = performance.now()
      for (let frame = 0; frame < count; frame += 1) {
        element.scrollBy({ top: 260 })
        await new Promise((resolve) => requestAnimationFrame(resolve))
        longest = Math.max(longest, performance.now() - before)
        before = performance.now()
      }
      return longest
    }, frames)

async function openModule(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const module = page.getByRole('region', { name: 'Module', exact: true })
  await page.getByRole('heading', { name: 'large 1.0.0' }).waitFor()
  await page.keyboard.press('i')
  await module.getByRole('grid', { name: 'Functions' }).getByRole('row').nth(1).waitFor()
}

export const deskCases: readonly Case[] = [desk]
