import { readdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flipBit } from '../support/server/flip-bit.ts'
import { skipWithout } from '../support/programs.ts'
import { call } from '../support/server/publish.ts'
import { dock, expect, listed, row, test, toast } from '../support/desk/desk-browser.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
// Long enough to be seen, short enough to wait for.
test.use({ settings: { undoMs: 500 } })

test('a release is shown as submitted, and its package is downloaded, saved and checked', async ({
  desk,
}) => {
  test.slow()
  await desk.submit({
    description: 'Turns pay\u200Bload into capitals.',
    readme:
      '# Use\n\n<img src=x onerror="document.title=1"> [site](https://example.com/a) [bad](javascript:alert(1)) ' +
      '![shot](https://example.com/shot.png)\n\n- one\n- two',
    examples: [{ input: '', output: 'A\r\n' }],
    license: 'MIT OR Apache-2.0',
  })
  const page = await desk.open('ilse')
  await test.step('every part of a release is shown, and nothing in it runs', async () => {
    const sheet = page.getByRole('region', { name: 'Release upper-case 1.0.0' })
    await expect(sheet).toContainText('Pending, ')
    await expect(sheet).toContainText('next in queue')
    await expect(sheet).toContainText('MIT OR Apache-2.0')
    await expect(sheet.getByRole('region', { name: 'Capabilities' })).toContainText('fd_read')
    await expect(sheet).toContainText('Not imported: reading files, writing files')
    await expect(sheet).toContainText('1 to 4 pages (64 to 256 KiB)')
    const documents = sheet.getByRole('region', { name: 'Documents' })
    await expect(documents.getByText('U+200B')).toBeVisible()
    await expect(documents.getByText('U+000D')).toBeVisible()
    await expect(documents.getByText('wasip1-command')).toBeVisible()

    const readme = documents.getByRole('group', { name: 'Readme' })
    await expect(readme.getByRole('listitem')).toHaveCount(2)
    await expect(readme.locator('img, script, iframe')).toHaveCount(0)
    await expect(readme).toContainText('<img src=x onerror=')
    const links = await readme
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]))
    expect(links).toEqual([
      ['https://example.com/a', 'noopener noreferrer nofollow ugc'],
      ['https://example.com/shot.png', 'noopener noreferrer nofollow ugc'],
    ])
    await documents.getByRole('button', { name: 'Show source' }).click()
    await expect(readme).toContainText('[bad](javascript:alert(1))')
    await expect(sheet.getByRole('region', { name: 'Other versions' })).toContainText(
      'This is the first release.',
    )
  })
  await test.step('the package is downloaded, its digest is checked in the browser, and it is saved', async () => {
    await page.getByRole('button', { name: 'Download for inspection' }).click()
    await expect(page.getByText('digest matches')).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save module…' }).click()
    const saved = await download
    expect(saved.suggestedFilename()).toBe('upper-case-1.0.0.wasm')
    const bytes = await readFile(await saved.path())
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('\0asm')
  })
  await test.step('bytes changed in transit do not match the digest', async () => {
    await page.route('**/desk/api/releases/*/package', async (route) => {
      const response = await route.fetch()
      const body = await response.body()
      body[body.length - 1] = (body.at(-1) ?? 0) ^ 1
      await route.fulfill({ response, body })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Download for inspection' }).click()
    await expect(page.getByText('digest mismatch')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save module…' })).toHaveCount(0)
    await page.unrouteAll()
  })
  await test.step('a release whose package was changed or lost cannot be approved', async () => {
    const file = join(desk.packages, readdirSync(desk.packages).find((name) => !name.startsWith('.')) ?? '')
    flipBit(file, 20)
    await page.reload()
    await expect(page.getByText("Package doesn't match its digest", { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Approve…' }).click({ force: true })
    await expect(page.getByLabel('Review notes (public)')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Reject…' })).toBeEnabled()
    await page.getByRole('button', { name: 'Download for inspection' }).click()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()

    rmSync(file)
    await page.reload()
    await expect(page.getByText('Package missing').first()).toBeVisible()
  })
})

test('releases are decided one after another, drafts of notes are kept, and each view has a URL', async ({
  desk,
}) => {
  test.slow()
  await desk.submit()
  await desk.submit({ name: 'word-count' })
  const page = await desk.open('ilse')
  await test.step('notes survive opening another release and a reload', async () => {
    await page.getByRole('button', { name: 'Reject…' }).click()
    await page.getByLabel('Review notes for Marta Okafor').fill('Half a thought about')
    await row(page, 'word-count').click()
    await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
    await row(page, 'upper-case').click()
    await page.reload()
    await page.getByRole('button', { name: 'Approve…' }).click()
    await expect(page.getByLabel('Review notes (public)')).toHaveValue('')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Reject…' }).click()
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveValue('Half a thought about')
  })
  await test.step('a release is approved with public notes, another rejected, and the approved one revoked', async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    await expect(page.getByRole('link', { name: /Review/ })).toContainText('2')

    await page.getByRole('button', { name: 'Approve…' }).click()
    const notes = page.getByLabel('Review notes (public)')
    await notes.fill('Too short')
    await expect(dock(page)).toContainText('9 of 2,000')
    // Not enabled yet, but pressing it shows why.
    await page.getByRole('button', { name: /^Approve/ }).click({ force: true })
    await expect(dock(page)).toContainText('Write at least 10 characters.')
    await notes.fill('Same imports, the example passes. \u{1F44D}')
    await expect(dock(page)).toContainText('35 of 2,000')
    await page.getByRole('button', { name: /^Approve/ }).click()
    await expect(toast(page)).toContainText('upper-case 1.0.0 was approved. Anyone can download it now.')

    // The next one is selected and has the focus; the decided one keeps its place.
    await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
    await expect(row(page, 'word-count')).toBeFocused()
    await expect(row(page, 'upper-case')).toContainText('approved by Ilse Verbeek')
    const latest = await call<{ reviewReason: string }>(`${desk.registry}/api/marketplace/skills/upper-case`)
    expect(latest.body.reviewReason).toContain('the example passes')

    await page.getByRole('button', { name: 'Reject…' }).click()
    await page.getByRole('checkbox', { name: 'License is not an SPDX expression' }).check()
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveValue(
      'The license is not a valid SPDX expression.',
    )
    await page.getByRole('button', { name: /^Reject/ }).click()
    await expect(row(page, 'word-count')).toContainText('rejected by Ilse Verbeek')

    await page.getByRole('link', { name: 'Decided' }).click()
    await row(page, 'upper-case').click()
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await expect(dock(page)).toContainText('No downloads since it was approved')
    await expect(dock(page)).toContainText("The decision takes effect immediately and can't be undone.")
    const download = `${desk.registry}/api/marketplace/skills/upper-case/1.0.0/package`
    await Promise.all([0, 1].map(async () => (await fetch(download)).arrayBuffer()))
    const readAgain = async (): Promise<string | null> => {
      await page.reload()
      await page.getByRole('button', { name: 'Revoke…' }).click()
      return dock(page).textContent()
    }
    await expect.poll(readAgain).toContain('2 downloads since it was approved')
    await page.getByLabel('Review notes for Marta Okafor').fill('External entities are followed.')
    await page.getByRole('button', { name: /^Revoke/ }).click({ force: true })
    await expect(page.getByText('Type upper-case to revoke it.').first()).toBeVisible()
    await page.getByLabel('Type the skill name to confirm').fill('upper-case')
    await page.getByRole('button', { name: /^Revoke/ }).click()
    await expect(row(page, 'upper-case')).toContainText('revoked by Ilse Verbeek')
    expect((await call(`${desk.registry}/api/marketplace/skills/upper-case`)).status).toBe(404)
  })
  await test.step('the URL holds view, sort, status and search text, and Back restores them', async () => {
    const first = await desk.submit({ name: 'hex-dump' })
    await desk.submit({ name: 'base-echo' })
    await desk.decide(first, 'approved')
    await page.goto(`${desk.dashboard}/desk/review`)
    await expect(row(page, 'base-echo')).toBeVisible()
    await expect(listed(page, 'hex-dump')).toHaveCount(0)

    await page.getByRole('link', { name: 'All', exact: true }).click()
    await expect(row(page, 'hex-dump')).toBeVisible()
    await page.getByRole('button', { name: /^Sort/ }).click()
    await page.getByRole('menuitemradio', { name: 'Name', exact: true }).click()
    await expect(page).toHaveURL(/view=all&sort=name/)
    await page.getByRole('searchbox').fill('base')
    await expect(row(page, 'hex-dump')).toHaveCount(0)
    await expect(page).toHaveURL(/q=base/)
    await page.getByRole('searchbox').fill('nothing-like-it')
    await expect(page.getByText('No releases match “nothing-like-it”')).toBeVisible()
    await page.getByRole('link', { name: 'Clear search' }).click()
    await row(page, 'hex-dump').click()
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
    await row(page, 'base-echo').click()
    await expect(page.getByRole('heading', { name: 'base-echo 1.0.0' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
    await expect(page).toHaveURL(/view=all&sort=name/)
  })
})
