import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import Sqlite from 'better-sqlite3'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { expect, test, toast } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'
import { until } from '../support/wait.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

// A port that other programs can use while the registry is stopped.
const port = await findFreePort()
test.use({ settings: { port }, variables: { SKILLDOCK_PORT: '' } })

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const lines = (page: Page) => page.getByRole('table', { name: 'Log lines' })

async function openServices(desk: Desk): Promise<Page> {
  const page = await desk.open('ilse', { at: '/services' })
  await expect(card(page, 'Registry').getByText(/^Running for/)).toBeVisible()
  return page
}

/** Creates log lines: one per request, with the request's path. */
async function makeLines(desk: Desk, count: number, name: string): Promise<void> {
  const requests = Array.from({ length: count }, (_, at) => fetch(`${desk.dashboard}/desk/api/${name}-${at}`))
  await Promise.all(requests.map(async (response) => (await response).arrayBuffer()))
}

test('the page shows the services and their log', async ({ desk }) => {
  test.slow()
  await desk.submit()
  const page = await openServices(desk)
  const log = lines(page)
  await test.step('both services show their status, addresses and recent activity', async () => {
    const registry = card(page, 'Registry')
    await expect(registry.getByText(desk.registry).first()).toBeVisible()
    await expect(registry.getByText(/1 release, .* free/)).toBeVisible()
    await expect(registry.getByRole('img', { name: /^Requests in the last 120 seconds/ })).toBeVisible()
    await expect(registry.getByText('none since start')).toBeVisible()
    const dashboard = card(page, 'Local services')
    await expect(dashboard.getByText(/\d+ in the last minute, median [\d.]+ ms/)).toBeVisible()
    await expect(dashboard.getByText(/for both services, in one process/)).toBeVisible()
    await expect(dashboard.getByRole('link', { name: 'Open in browser' })).toHaveAttribute(
      'href',
      desk.dashboard,
    )
    await expect(dashboard.getByText('not set')).toBeVisible()
    await expect(dashboard.getByText('1: Ilse Verbeek (you)')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop services' })).toHaveCount(0)

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Diagnostics bundle…' }).click()
    const bytes = await readFile(await (await download).path())
    expect([...bytes.subarray(0, 2)]).toEqual([0x1f, 0x8b])
  })
  await test.step('a backup is made and tested on request', async () => {
    const backups = card(page, 'Backups')
    await expect(backups.getByText('daily, the last 7 kept')).toBeVisible()
    await backups.getByRole('button', { name: 'Back up now' }).click()
    // A process is started for it, which on a busy machine takes a while.
    await expect(backups.getByText(/^Last backup tested/)).toBeVisible({ timeout: 60_000 })
    expect(await violations(page, 'services with a tested backup')).toEqual([])
  })
  await test.step('the log follows new lines, except while it is scrolled up or paused', async () => {
    // The filter excludes the desk's own requests.
    await page.getByRole('searchbox', { name: /^Filter/ }).fill('line-')
    await expect(page.getByText('No matching log lines')).toBeVisible()
    await makeLines(desk, 120, 'line-early')
    await expect(log.getByText('early-119', { exact: false })).toBeVisible()
    await expect(log).toHaveAttribute('aria-rowcount', '121')
    await expect.poll(() => log.getByRole('row').count()).toBeLessThan(80)

    await log.focus()
    await page.keyboard.press('Home')
    await expect(log.getByText('early-119', { exact: false })).toHaveCount(0)
    await makeLines(desk, 3, 'line-later')
    await expect(page.getByText(/^3 new lines/)).toBeVisible()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(log.getByText('later-2', { exact: false })).toBeVisible()

    await page.getByRole('heading', { name: 'Services', exact: true }).click()
    await page.keyboard.press('p')
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    await makeLines(desk, 1, 'line-paused')
    await expect(page.getByText(/^1 new line/)).toBeVisible()
    await expect(log.getByText('paused-0', { exact: false })).toHaveCount(0)
    await page.keyboard.press('p')
    await expect(log.getByText('paused-0', { exact: false })).toBeVisible()
  })
  await test.step('the log is filtered by service, level and text, and the matching lines are copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await makeLines(desk, 1, 'dashboard-line')
    await expect(log.getByText('dashboard-line-0', { exact: false })).toBeVisible()
    await page.getByRole('radiogroup', { name: 'Service' }).getByRole('radio', { name: 'Registry' }).click()
    await expect(log.getByText('dashboard-line-0', { exact: false })).toHaveCount(0)
    await page.getByRole('radiogroup', { name: 'Service' }).getByRole('radio', { name: 'All' }).click()
    await page.getByRole('radiogroup', { name: 'Level' }).getByRole('radio', { name: 'Errors' }).click()
    await expect(page.getByText('No matching log lines')).toBeVisible()
    await page.getByRole('radiogroup', { name: 'Level' }).getByRole('radio', { name: 'All levels' }).click()
    // Without a filter the desk's own requests would scroll the line away.
    await page.getByRole('searchbox', { name: /^Filter/ }).fill('/desk/api/log')
    await expect(page.getByText('No matching log lines')).toBeVisible()
    await page.getByRole('searchbox', { name: /^Filter/ }).fill('dashboard-line')
    await expect(log).toHaveAttribute('aria-rowcount', '2')
    await page.getByRole('button', { name: 'Copy lines' }).click()
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^\S+Z info dashboard GET \/desk\/api\/dashboard-line-0 /,
    )
  })
})

test('the services are stopped, restarted and moved to another port', async ({ desk }) => {
  test.slow()
  const page = await openServices(desk)
  await test.step('the registry starts once its port is available again, and the desk reconnects after its own restart', async () => {
    const registry = card(page, 'Registry')
    await registry.getByRole('button', { name: 'Stop Registry' }).click()
    await expect(registry.getByText('Stopped', { exact: true })).toBeVisible()
    const holder = createServer().listen(port, '127.0.0.1')
    await once(holder, 'listening')
    await registry.getByRole('button', { name: 'Start Registry' }).click()
    const again = registry.getByRole('button', { name: `Retry port ${port}` })
    await expect(again).toBeVisible()
    holder.close()
    await once(holder, 'close')
    await again.click()
    await expect(registry.getByText(/^Running for/)).toBeVisible()

    await card(page, 'Local services')
      .getByRole('button', { name: /^Restart/ })
      .click()
    await expect(toast(page)).toContainText('Local services restarted.')
    await expect(page.getByText('Both services running')).toBeVisible()
  })
  await test.step('a port in use is shown with the program that uses it; another port is checked while typing, and used', async () => {
    const registry = card(page, 'Registry')
    await registry.getByRole('button', { name: 'Stop Registry' }).click()
    await expect(toast(page)).toContainText('Publishing and downloading are unavailable')
    await expect(registry.getByText('Stopped', { exact: true })).toBeVisible()
    const holder = createServer().listen(port, '127.0.0.1')
    await once(holder, 'listening')

    await registry.getByRole('button', { name: 'Start Registry' }).click()
    await expect(registry.getByText(`Port ${port} in use`)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Registry: port in use' })).toBeVisible()
    await expect(registry.getByRole('alert')).toContainText(
      new RegExp(`^Port ${port} is in use by .*process ${process.pid}`),
    )
    const field = registry.getByRole('textbox', { name: 'New registry port' })
    const use = registry.getByRole('button', { name: 'Use this port' })
    await expect(field).not.toHaveValue('')
    await expect(registry.getByText('available', { exact: true })).toBeVisible()
    const suggested = await field.inputValue()
    expect(await violations(page, 'the form for another port')).toEqual([])

    await field.fill(String(port))
    await expect(registry.getByText('in use', { exact: true })).toBeVisible()
    await expect(use).toBeDisabled()
    await field.fill('seventy')
    await expect(registry.getByText('Enter a number from 1 to 65535.')).toBeVisible()
    await field.fill(suggested)
    await expect(registry.getByText('available', { exact: true })).toBeVisible()
    await field.press('Enter')
    await expect(toast(page)).toContainText(`The registry now listens on port ${suggested}.`)
    await expect(registry.getByText(/^Running for/)).toBeVisible()
    await expect(registry.getByText(`http://127.0.0.1:${suggested}`).first()).toBeVisible()
    holder.close()
  })
  await test.step('the status of a misconfigured proxy and the folder of the agent project are shown', async () => {
    const proxy = createHttpServer((_req, res) => res.writeHead(502).end()).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const ilse = await desk.client('ilse')
    const changes = { publicUrl: address, trustProxy: ['127.0.0.1'], workspace: '/srv/harvest-team' }
    expect((await ilse.send('PUT', '/settings', { changes })).status).toBe(200)
    await expect(
      card(page, 'Registry').getByText(/^502 from the proxy, checked \d\d:\d\d:\d\d$/),
    ).toBeVisible({
      timeout: 15_000,
    })
    await expect(card(page, 'Local services').getByText('/srv/harvest-team')).toBeVisible()
    proxy.close()
  })
})

test('a transparency log that was cut by hand is reported with what to do', async ({ desk }) => {
  await desk.submit()
  const page = await openServices(desk)
  await expect(page.getByText(/^transparency log/)).toHaveCount(0)
  const paths = dataPaths(desk.folder)
  const database = new Sqlite(paths.database)
  const size = database.prepare<[], number>('SELECT count(*) FROM log_entries').pluck()
  await until('the checkpoint has every entry', () => {
    const [, signed] = readFileSync(paths.logCheckpoint, 'utf8').split('\n')
    return Number(signed) === size.get()
  })
  database.exec('DELETE FROM log_entries WHERE idx = (SELECT max(idx) FROM log_entries)')
  database.close()
  await expect(
    card(page, 'Registry').getByText(
      /^transparency log: it has \d+ entries, but had \d+ .*Run skilldock verify/,
    ),
  ).toBeVisible({ timeout: 15_000 })
  await expect(page.getByRole('link', { name: 'Transparency log changed' })).toBeVisible()
  expect(await violations(page, 'a changed transparency log')).toEqual([])
})
