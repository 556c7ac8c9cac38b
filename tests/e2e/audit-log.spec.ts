import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { AuditEntry } from '../../src/shared/contracts/desk-audit-log.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { projectRoot } from '../support/server/command-line.ts'
import { dock, expect, test } from '../support/desk/desk-browser.ts'
import { decideToEffect, withDatabase } from '../support/desk/desk-client.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'
import { seedReleases } from '../support/server/seed-releases.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
test.use({ settings: { undoMs: 0 } })

const table = (page: Page) => page.getByRole('grid', { name: 'Audit log' })
const rows = (page: Page) => table(page).locator('[data-row-index]')
const rowAt = (page: Page, place: number) => table(page).locator(`[data-row-index="${place}"]`)
/** The table has the focus, and this row is its active one. */
const expectActive = async (page: Page, place: number): Promise<void> => {
  await expect(table(page)).toBeFocused()
  await expect(table(page).locator('[data-active]')).toHaveAttribute('data-row-index', String(place))
}
const detail = (page: Page) => page.getByRole('region', { name: 'Selected event' })

test('all events are listed, filtered, exported and loaded as they become visible', async ({ desk }) => {
  test.slow()
  const first = await desk.submit()
  const second = await desk.submit({ name: 'hex-dump' })
  const page = await desk.open('ilse')

  await test.step('with time, person, event, release, notes and evidence', async () => {
    await desk.decide(first, 'approved', 'Same imports, and the examples pass.')
    await decideToEffect(await desk.client('ilse'), first, 'revoked', {
      reason: 'It follows external entities.',
    })
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible()
    await expect(rows(page).filter({ hasText: 'signed in' })).not.toHaveCount(0)
    await page.getByLabel('Event', { exact: true }).selectOption('releases')
    await expect(page.getByText('4 events')).toBeVisible()
    await expect(rows(page)).toHaveCount(4)
    const revoked = rows(page).nth(0)
    await expect(revoked).toContainText('Ilse Verbeek')
    await expect(revoked).toContainText('revoked')
    await expect(revoked).toContainText('upper-case 1.0.0')
    await expect(revoked).toContainText('It follows external entities.')
    await expect(revoked).toContainText('recorded in the desk')
    await expect(rows(page).nth(1)).toContainText('no evidence recorded')
    await expect(rows(page).nth(2)).toContainText('submitted')
    await expect(rows(page).nth(2)).toContainText('hex-dump 1.0.0')

    // The selected row is shown in full below, and Enter opens its release.
    await page.keyboard.press('j')
    await expectActive(page, 1)
    await expect(detail(page)).toContainText('Same imports, and the examples pass.')
    await expect(detail(page)).toContainText('by Tomáš Novák')
    await page.keyboard.press('End')
    await expectActive(page, 3)
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()

    await goInDesk(page, `review/${first}?view=all`)
    const section = page.getByRole('region', { name: 'History' })
    await expect(section).toContainText('revoked by Ilse Verbeek')
    await expect(section).toContainText('It follows external entities.')
    await expect(section).toContainText('approved by Tomáš Novák')
    await expect(section).toContainText('no evidence recorded')
    await expect(section).toContainText('submitted by Marta Okafor')
  })

  await test.step('filters are part of the URL and apply to exports', async () => {
    await goInDesk(page, 'history?kind=releases')
    await expect(rows(page)).toHaveCount(4)
    // Events while the list is open are announced; earlier ones are listed.
    await desk.decide(second, 'rejected', 'The readme names, "quoted", no server.')
    await page.getByRole('button', { name: /1 new event/ }).click()
    await expect(rows(page)).toHaveCount(5)
    await page.getByLabel('Event', { exact: true }).selectOption('rejected')
    await expect(rows(page)).toHaveCount(1)
    await expect(page).toHaveURL(/history\?kind=rejected$/)
    await page.getByLabel('Event', { exact: true }).selectOption('releases')
    await page.getByLabel('Person', { exact: true }).selectOption({ label: 'Tomáš Novák' })
    await expect(rows(page)).toHaveCount(2)
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('quoted')
    await expect(rows(page)).toHaveCount(1)
    await expect(page).toHaveURL(/person=\d+&q=quoted$/)
    await page.reload()
    await expect(rows(page)).toHaveCount(1)
    await expect(rows(page).first()).toContainText('hex-dump 1.0.0')

    const save = async (name: string): Promise<string> => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: `Export audit log as ${name}` }).click()
      return readFile(await (await download).path(), 'utf8')
    }
    const csv = await save('CSV')
    expect(csv.trim().split('\r\n')).toHaveLength(2)
    expect(csv).toContain('"The readme names, ""quoted"", no server."')
    const lines = (await save('NDJSON')).trim().split('\n')
    const json = lines.map((line) => JSON.parse(line) as AuditEntry)
    expect(json.map(({ kind, name, person }) => [kind, name, person])).toEqual([
      ['rejected', 'hex-dump', 'Tomáš Novák'],
    ])

    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await goInDesk(page, `history?kind=releases&from=${tomorrow}`)
    await expect(page.getByText('No matching events')).toBeVisible()
    await page.getByRole('link', { name: 'Clear dates' }).click()
    await expect(rows(page)).toHaveCount(5)
    await page.getByLabel('to', { exact: true }).fill('2020-01-01')
    await expect(page).toHaveURL(/to=2020-01-01/)
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL(/history$/)
    await expect(rows(page).filter({ hasText: 'person added' })).not.toHaveCount(0)
  })

  await test.step('a change says who made it, from where, and what it was', async () => {
    const ilse = await desk.client('ilse')
    const { body } = await ilse.send<{ id: number }>('POST', '/people', { subject: 'ada', role: 'developer' })
    await ilse.send('PATCH', `/people/${body.id}`, { role: 'administrator' })
    await goInDesk(page, 'history?kind=people&q=ada')
    await expect(rows(page).first()).toContainText('role: developer → administrator')
    await rows(page).first().click()
    await expect(detail(page)).toContainText('by Ilse Verbeek')
    await expect(detail(page)).toContainText('from desk')
    await expect(detail(page)).toContainText(/log entry \d+/)
    await detail(page).getByRole('link', { name: 'Only events about ada' }).click()
    await expect(page).toHaveURL(/history\?about=ada$/)
    await page.getByRole('button', { name: 'About ada' }).click()
    await expect(page).toHaveURL(/history$/)
  })

  await test.step('test runs are sent with the decision, announced before it, and listed in the history afterwards', async () => {
    const folder = join(projectRoot, 'resources/skills/word-count')
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as SkillManifest
    const id = await desk.submit(manifest, undefined, await readFile(join(folder, 'word-count.wasm')))
    await goInDesk(page, `review/${id}`)
    await dock(page).getByRole('button', { name: 'Approve…' }).click()
    await expect(dock(page)).toContainText('No test runs are published')
    await page.keyboard.press('Escape')
    await page.keyboard.press('e')
    const did = page.getByRole('region', { name: 'Test runs' })
    await expect(did.getByText('passed', { exact: true })).toHaveCount(manifest.examples.length)
    await dock(page).getByRole('button', { name: 'Approve…' }).click()
    await expect(dock(page)).toContainText(
      /under your name, with \d test runs “observed by Ilse Verbeek with checks version [\da-f]{12}”/,
    )
    await page.keyboard.press('1')
    await page.keyboard.press('Control+Enter')
    const statement = page
      .getByRole('region', { name: 'History' })
      .getByText(/^observed by Ilse Verbeek with checks version/)
    const all = manifest.examples.length
    await expect(statement).toHaveText(
      new RegExp(`observed by Ilse Verbeek with checks version [\\da-f]{12}: ${all} of ${all} passed`),
    )
    await statement.click()
    await expect(page.getByRole('region', { name: 'History' }).getByRole('row')).toHaveCount(all + 1)
  })

  await test.step('thousands of events load as they become visible, and new ones appear on request', async () => {
    const ilse = await withDatabase(desk, async ({ reader }) =>
      reader.prepare<[], number>("SELECT id FROM people WHERE subject = 'ilse'").pluck().get(),
    )
    await seedReleases(desk, 3000, ilse ?? 0)
    // The desk is not notified of rows inserted directly into the database.
    await page.goto(`${desk.dashboard}/desk/history`)
    await expect(rows(page).first()).toBeVisible()
    const total = Number(
      (/([\d,]+) events/.exec(await page.getByText(/^[\d,]+ events$/).innerText())?.[1] ?? '').replace(
        ',',
        '',
      ),
    )
    expect(total).toBeGreaterThan(5000)
    await expect(table(page)).toHaveAttribute('aria-rowcount', String(total + 1))

    const offsets: number[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/desk/api/history') offsets.push(Number(searchParams.get('offset') ?? 0))
    })
    await table(page).press('End')
    await expectActive(page, total - 1)
    await expect(rowAt(page, total - 1)).not.toContainText('Loading…')
    expect(offsets.length).toBeLessThan(4)
    expect(Math.min(...offsets)).toBeGreaterThan(total - 250)
    const last = await rowAt(page, total - 1).innerText()

    // The first submission of a name also makes its publisher the owner.
    await desk.submit({ name: 'sort-lines' })
    await expect(page.getByRole('button', { name: /2 new events/ })).toBeVisible()
    await expect(rowAt(page, total - 1)).toHaveText(last, { useInnerText: true })
    await page.keyboard.press('.')
    await expect(rowAt(page, 0)).toContainText('sort-lines')
    await expectActive(page, 0)
  })
})
