// Makes docs/screens/*.png: every screen of the desk in both themes, on the demo registry.
//
//   node tests/support/desk/screens.ts
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { withPeople } from '../../../src/server/commands/open-people.ts'
import { makeDeskLink } from '../../../src/server/commands/desk-link.ts'
import { cleanUp, projectRoot, serve, skilldock, temporaryFolder } from '../server/command-line.ts'
import type { Serving } from '../server/command-line.ts'
import { forgetSession } from './desk-page.ts'
import { launchDesktop, readRunning } from './desktop.ts'
import { BROWSER_ARGUMENTS, requireProgram } from '../programs.ts'
import build from '../build.ts'
import { agentScreens, screens } from './screen-list.ts'
import { until } from '../wait.ts'

const folder = join(projectRoot, 'docs/screens')

const main = async (): Promise<void> => {
  const program = requireProgram('chromium')
  if (program === null) throw new Error('Chromium is not installed.')
  await build()
  await mkdir(folder, { recursive: true })
  const browser = await chromium.launch({
    executablePath: program,
    chromiumSandbox: false,
    args: BROWSER_ARGUMENTS,
  })
  try {
    for (const scheme of ['light', 'dark'] as const) {
      await showDemo(browser, scheme)
      await showAgents(browser, scheme)
      await showPublic(browser, scheme)
      await showEmpty(browser, scheme)
      await showShell(scheme)
      await showApp(scheme)
    }
  } finally {
    await browser.close()
    await cleanUp()
  }
}

type Scheme = 'light' | 'dark'

const openPage = async (browser: Browser, scheme: Scheme): Promise<Page> => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: scheme,
    reducedMotion: 'reduce',
  })
  return context.newPage()
}

const linkTo = async (data: string, serving: Serving, subject?: string): Promise<string> => {
  const { url } = await makeDeskLink(data, serving.dashboard, subject)
  if (url === null) throw new Error('several administrators')
  return url
}

/** Takes the screens of a registry in use. */
const showDemo = async (browser: Browser, scheme: Scheme): Promise<void> => {
  const data = join(temporaryFolder(), 'skilldock')
  const made = await skilldock(data, ['demo'])
  if (made.status !== 0) throw new Error(made.stderr)
  const serving = await serve(data)
  const pages = { marta: await openPage(browser, scheme), rita: await openPage(browser, scheme) }
  for (const subject of ['marta', 'rita'] as const) {
    await pages[subject].goto(await linkTo(data, serving, subject))
    await pages[subject].getByText('Both services running').waitFor()
  }
  for (const screen of screens) {
    const page = pages[screen.as]
    await page.goto(`${serving.dashboard}/desk/${screen.path}`)
    await page.getByText('Both services running').waitFor()
    await page.getByRole('heading').first().waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined)
    await screen.show?.(page)
    await take(page, `${screen.name}-${scheme}`, serving, data)
  }
  await Promise.all(Object.values(pages).map((page) => page.context().close()))
  await serving.stop()
}

/** Takes the agent screens of the demo project, some of whose agents run modules of the demo registry. */
const showAgents = async (browser: Browser, scheme: Scheme): Promise<void> => {
  const own = temporaryFolder()
  const data = join(own, 'skilldock')
  const project = join(own, 'harvest-team')
  for (const args of [['demo'], ['demo', '--agents', project]]) {
    const made = await skilldock(data, args)
    if (made.status !== 0) throw new Error(made.stderr)
  }
  const serving = await serve(data, { SKILLDOCK_WORKSPACE: project })
  const page = await openPage(browser, scheme)
  await page.goto(await linkTo(data, serving, 'marta'))
  await page.getByText('Both services running').waitFor()
  for (const { name, path, show } of agentScreens) {
    await page.goto(`${serving.dashboard}/desk/${path}`)
    await page.getByText(/^Last change .* ago/).waitFor()
    await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined)
    await show?.(page)
    await take(page, `${name}-${scheme}`, serving, data)
  }
  await page.context().close()
  await serving.stop()
}

/** The public pages of the demo, some of them also in phone size. */
const publicPages = [
  { name: 'public-home', link: null, path: '/' },
  { name: 'public-catalog', link: null, path: '/skills' },
  { name: 'public-release', link: null, path: '/skills/csv-to-json' },
  { name: 'public-publisher', link: /^\/publishers\//, path: '/skills/csv-to-json' },
  { name: 'public-blog', link: null, path: '/blog' },
  { name: 'public-post', link: /^\/blog\/[^?]+$/, path: '/blog' },
  { name: 'public-showcase', link: null, path: '/showcase' },
  { name: 'public-project', link: /^\/showcase\/(?!submit)/, path: '/showcase' },
  { name: 'public-submit', link: null, path: '/showcase/submit' },
  { name: 'public-nothing', link: null, path: '/skills/xml-to-json' },
] as const
const onPhone = new Set<string>(['public-home', 'public-catalog', 'public-release', 'public-post'])

const showPublic = async (browser: Browser, scheme: Scheme): Promise<void> => {
  const data = join(temporaryFolder(), 'skilldock')
  const made = await skilldock(data, ['demo'])
  if (made.status !== 0) throw new Error(made.stderr)
  const serving = await serve(data)
  const page = await openPage(browser, scheme)
  for (const { name, path, link } of publicPages) {
    await page.goto(serving.registry + path)
    if (link !== null) {
      const addresses = await page
        .locator('main a')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''))
      await page.goto(serving.registry + (addresses.find((address) => link.test(address)) ?? ''))
    }
    await take(page, `${name}-${scheme}`, serving, data)
    if (!onPhone.has(name)) continue
    await page.setViewportSize({ width: 390, height: 844 })
    await take(page, `${name}-phone-${scheme}`, serving, data)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  await page.context().close()
  await serving.stop()
}

/** Takes the signed-out pages of the desk, and the empty queue. */
const showEmpty = async (browser: Browser, scheme: Scheme): Promise<void> => {
  const data = join(temporaryFolder(), 'skilldock')
  // The screenshot shows the choice of a port.
  const serving = await serve(data, { SKILLDOCK_PORT: '' })
  const page = await openPage(browser, scheme)
  await page.goto(await linkTo(data, serving))
  await page.getByLabel('Your name').fill('Ilse Verbeek')
  await page.getByText('New, writable').waitFor()
  await page.getByText('used by Skilldock').waitFor()
  await take(page, `first-run-${scheme}`, serving, data)
  await page.keyboard.press('Control+Enter')
  await page.getByText("Publish a skill from a terminal with this registry's client:").waitFor()
  await take(page, `empty-queue-${scheme}`, serving, data)
  await forgetSession(page)
  await page.goto(`${serving.dashboard}/desk/`)
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  await take(page, `signed-out-${scheme}`, serving, data)
  await page.context().close()
  await serving.stop()
}

/** Takes the page that the app shows while another program uses the desk's port. */
const showShell = async (scheme: Scheme): Promise<void> => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const app = await launchDesktop({ env: { SKILLDOCK_DASHBOARD_PORT: String(port) } })
  const page = await app.page()
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Use this port' }).waitFor()
  await page.screenshot({ path: join(folder, `port-taken-${scheme}.png`) })
  await app.close()
  holder.close()
}

/** Takes the preferences of the app. */
const showApp = async (scheme: Scheme): Promise<void> => {
  const own = temporaryFolder()
  const data = join(own, 'data')
  await withPeople(
    (people) => people.issueToken({ subject: 'marta', name: 'Marta Okafor', role: 'administrator' }),
    data,
  )
  const app = await launchDesktop({ folder: own })
  const page = await app.page()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'This app' }).click()
  await page.getByLabel('Start at login').waitFor()
  const running = await until('the services run', () => readRunning(own))
  await take(page, `app-settings-${scheme}`, running, data)
  await app.close()
}

/** Takes a screenshot with the ports and folder of an ordinary installation instead of this run's. */
const take = async (
  page: Page,
  name: string,
  serving: Pick<Serving, 'registry' | 'dashboard'>,
  data: string,
): Promise<void> => {
  const replaced: [string, string][] = [
    [serving.registry, 'http://127.0.0.1:4280'],
    [serving.dashboard, 'http://127.0.0.1:4200'],
    [`keep ${new URL(serving.dashboard).port}`, 'keep 4200'],
    [data, '/var/lib/skilldock'],
  ]
  await page.evaluate((replacements) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      for (const [from, to] of replacements) {
        if (node.nodeValue?.includes(from) === true) node.nodeValue = node.nodeValue.replace(from, to)
      }
    }
  }, replaced)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

await main()
