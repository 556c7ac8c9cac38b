import type { Locator, Page } from '@playwright/test'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { dock, expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const findings = (page: Page): Locator => page.getByRole('region', { name: 'Findings', exact: true })
const finding = (page: Page, check: string): Locator =>
  findings(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(check, { exact: true }) })
/** Opens a release and waits until the previous one is gone and the layout has settled. */
const open = async (page: Page, id: number): Promise<void> => {
  const changes = page.getByRole('region', { name: 'Changes' })
  await goInDesk(page, 'history')
  await expect(changes).toHaveCount(0)
  await goInDesk(page, `review/${id}`)
  await expect(changes.getByRole('term').first()).toBeVisible()
}
const notes = (page: Page): Locator => page.getByLabel('Review notes for Marta Okafor')
const tab = (page: Page, name: string): Locator =>
  page
    .getByRole('navigation', { name: 'Release sections' })
    .getByRole('button', { name: new RegExp(`^${name}`) })

const hidden = { description: 'Turns pay\u200Bload into capitals.' }
const unlicensed = { license: 'Free for everybody' }

const reader = `(module
  (import "wasi_snapshot_preview1" "fd_read" (func (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))
  (memory (export "memory") 1 4)
  (data (i32.const 0) "\\08\\00\\00\\00\\03\\00\\00\\00ABC")
  (func (export "_start")
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))))`

const idle = `(module
  (import "wasi_snapshot_preview1" "fd_read" (func (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1 3)
  (func (export "_start")))`

// Marta submits more releases here than the default allows in a day.
const shared = shareDesk(undefined, { dailySubmissions: 100 })

test('findings are listed and dismissed', async () => {
  test.slow()
  const { desk } = shared
  const page = await shared.open('ilse', { at: '/history' })
  const first = await desk.submit({ ...hidden, ...unlicensed })
  await open(page, first)
  await test.step('each finding has a reason, a check and a place, most severe first', async () => {
    const items = findings(page).getByRole('listitem')
    await expect(items.first()).toHaveAccessibleName(/^error: /)
    const severities = await items.evaluateAll((all) =>
      all.map((item) => item.getAttribute('aria-label')?.split(':')[0]),
    )
    const order = ['error', 'warning', 'note']
    expect(severities).toEqual(severities.toSorted((a, b) => order.indexOf(a ?? '') - order.indexOf(b ?? '')))
    await expect(tab(page, 'Findings')).toContainText(String(severities.length))
    await expect(findings(page)).toContainText(`${severities.length} open`)
    await expect(findings(page)).toContainText(
      /\d+ checks \(version \S+\) examined the manifest, texts and module at \d\d:\d\d:\d\d\./,
    )

    await expect(finding(page, 'text-invisible')).toContainText('U+200B')
    await finding(page, 'text-invisible').getByRole('button', { name: 'In description' }).click()
    await expect(page.locator('#field-description')).toBeFocused()
    await expect(page.locator('#field-description')).toContainText('payU+200Bload')
    await expect(page.locator('#field-description')).toBeInViewport()
  })
  await test.step('a finding is dismissed by keys, keeps its position, and is dismissed in the next version too', async () => {
    const keys = page.keyboard
    const item = finding(page, 'text-invisible')
    await expect(item).toBeVisible()
    await keys.press('f')
    await expect(findings(page).getByRole('listitem').first()).toBeFocused()
    await expect(item).toBeFocused()
    await keys.press('h')
    const reason = item.getByLabel('Reason')
    await expect(reason).toBeFocused()
    await keys.type('no')
    await keys.press('Enter')
    await expect(item).toContainText('Write at least 5 characters.')
    await keys.press('Escape')
    await expect(reason).toHaveCount(0)
    await expect(item).toBeFocused()
    await keys.press('h')
    await keys.type('It breaks a long word for the eye.')
    await keys.press('Enter')
    await expect(item).toContainText(
      'Dismissed by Ilse Verbeek: “It breaks a long word for the eye.”. Reopen',
    )
    await expect(item).toHaveAccessibleName(/^error, dismissed: /)
    await expect(item).toBeFocused()
    await expect(findings(page)).toContainText('1 dismissed')
    // It has kept its position, although an open one would be sorted before it.
    await expect(finding(page, 'license-unknown')).toHaveAccessibleName(/^warning: /)
    await expect(findings(page).getByRole('listitem').first()).toContainText('text-invisible')
    await page.reload()
    await expect(findings(page).getByRole('listitem').last()).toContainText('text-invisible')

    await desk.decide(first, 'approved')
    const next = await desk.submit({ ...hidden, version: '1.1.0' })
    await open(page, next)
    await expect(item).toContainText(
      'Dismissed in 1.0.0 by Ilse Verbeek: “It breaks a long word for the eye.”. Unchanged since. Reopen',
    )
    await item.getByRole('button', { name: 'Reopen' }).press('Enter')
    await expect(item.getByRole('button', { name: 'Dismiss…' })).toBeVisible()
    await expect(item).not.toContainText('Dismissed')

    const changed = await desk.submit({
      description: 'Turns pay\u200Bloads into capitals.',
      version: '1.2.0',
    })
    await open(page, changed)
    await expect(item.getByRole('button', { name: 'Dismiss…' })).toBeVisible()
  })
})

test('findings of several releases', async () => {
  test.slow()
  const { desk } = shared
  const page = await shared.open('ilse', { at: '/history' })
  await test.step('a release without findings says so, and what was checked', async () => {
    const clean = {
      name: 'clean-one',
      readme:
        '# clean-one\n\nReads text in UTF-8 from standard input and writes it to standard output with every letter ' +
        'as its capital. Letters without one stay as they are. It ends with 0, and with 1 where the input is no UTF-8.',
      examples: [
        { input: 'abc', output: 'ABC' },
        { input: 'ça va', output: 'ÇA VA' },
      ],
    }
    // A unique memory size, since the same bytes under two names would be a finding.
    const own = await assembleWat(idle)
    const id = await desk.submit(clean, undefined, own)
    await open(page, id)
    await expect(findings(page)).toContainText(
      /No findings\. \d+ checks \(version \S+\) examined the manifest, texts and module at/,
    )
    await expect(tab(page, 'Findings')).toContainText('0')
  })
  await test.step('a finding is quoted in the notes of the open decision', async () => {
    await open(page, await desk.submit({ ...hidden, ...unlicensed, name: 'noted-one' }))
    await finding(page, 'text-invisible').getByRole('button', { name: 'Quote in notes' }).click()
    await expect(page.getByText('is quoted in your rejection notes.').first()).toBeVisible()
    await expect(dock(page).getByRole('button', { name: 'Reject…' })).toBeVisible()
    await page.keyboard.press('r')
    await expect(notes(page)).toHaveValue(/U\+200B/)
    const before = await notes(page).inputValue()
    await finding(page, 'license-unknown').getByRole('button', { name: 'Quote in notes' }).click()
    await expect(notes(page)).toHaveValue(new RegExp(`^[\\s\\S]{${before.length}}\\n\\n`))
    // A second click adds nothing.
    const both = await notes(page).inputValue()
    await finding(page, 'license-unknown').getByRole('button', { name: 'Quote in notes' }).click()
    await expect(notes(page)).toHaveValue(both)
  })
  await test.step('a finding in the bytes links to the bytes', async () => {
    const address = 'https://drop.attacker-host.net/collect'
    const module = await assembleWat(
      reader.replace('(data (i32.const 0)', `(data (i32.const 64) "${address}") (data (i32.const 0)`),
    )
    await open(page, await desk.submit({ name: 'sender' }, undefined, module))
    const offset = Buffer.from(module).indexOf(address)
    await finding(page, 'data-address')
      .getByRole('button', { name: `At 0x${offset.toString(16)}` })
      .click()
    const inside = page.getByRole('region', { name: 'Module', exact: true })
    await expect(inside.getByRole('table', { name: /^Bytes/ })).toContainText('cker-host.net/co')
  })
  await test.step('findings of test runs appear after the runs, and are dismissed like the rest', async () => {
    await open(page, await desk.submit({ name: 'exemplary' }, undefined, await assembleWat(reader)))
    await expect(findings(page)).toContainText(/checks \(version \S+\)/)
    const unused = finding(page, 'import-unused').filter({ hasText: 'random numbers' })
    await expect(unused).toHaveCount(0)
    await page.getByRole('button', { name: 'Run examples' }).click()
    await expect(unused).toContainText('From the test runs in this browser')
    const count = await findings(page).getByRole('listitem').count()
    await expect(tab(page, 'Findings')).toContainText(String(count))
    await expect(findings(page)).toContainText(`${count} open`)
    const can = page.getByRole('region', { name: 'Capabilities' })
    await expect(
      can.getByRole('row').filter({ hasText: 'Gets random numbers' }).getByRole('cell'),
    ).toHaveText(['', 'never'])
    await expect(
      can.getByRole('row').filter({ hasText: 'Writes standard output' }).getByRole('cell'),
    ).toHaveText(['', '1 of 1'])
    await expect(tab(page, 'Test runs')).toContainText('1 of 1')
    await unused.getByRole('button', { name: 'Dismiss…' }).click()
    await page.getByLabel('Reason').fill('Linked in, never called.')
    await page.getByLabel('Reason').press('Enter')
    await expect(unused).toContainText('Dismissed by Ilse Verbeek: “Linked in, never called.”')

    const next = await desk.submit(
      { name: 'exemplary', version: '1.1.0' },
      undefined,
      await assembleWat(reader),
    )
    await open(page, next)
    await expect(page.getByRole('heading', { name: 'exemplary 1.1.0' })).toBeVisible()
    await page.getByRole('button', { name: 'Run examples' }).click()
    await expect(unused).toContainText('Dismissed in 1.0.0 by Ilse Verbeek')
  })
  await test.step('new capabilities must be confirmed before an approval, and again when they change', async () => {
    const small = await desk.submit({ name: 'growing' })
    await desk.decide(small, 'approved')
    const grown = await desk.submit(
      { name: 'growing', version: '1.1.0' },
      undefined,
      await assembleWat(reader),
    )
    await open(page, grown)
    await expect(tab(page, 'Capabilities')).toContainText('+1')
    const row = page.getByRole('region', { name: 'Capabilities' }).getByRole('row', { name: /new/ })
    await expect(row).toContainText('Gets random numbers')
    const tick = dock(page).getByRole('checkbox', {
      name: "It can now get random numbers. I've reviewed this, and it fits the skill's description.",
    })
    const approve = page.getByRole('button', { name: /^Approve/ })
    await expect(tick).not.toBeChecked()
    await expect(approve).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('t')
    await expect(tick).toBeChecked()
    await expect(approve).not.toHaveAttribute('aria-disabled', 'true')
    await page.reload()
    await expect(tick).toBeChecked()
    await page.keyboard.press('t')
    await expect(tick).not.toBeChecked()
    await page.keyboard.press('t')

    // In a narrow window it also comes first.
    const line = page.getByText('New since 1.0.0.')
    await expect(line).toHaveCount(0)
    await page.setViewportSize({ width: 860, height: 800 })
    await expect(line).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 800 })

    // The confirmation was for the changes since 1.0.0. Without a base there are no new capabilities.
    await desk.decide(small, 'revoked')
    await expect(tick).toHaveCount(0)
    const other = await desk.submit({ name: 'growing', version: '1.0.1' })
    await desk.decide(other, 'approved')
    await open(page, grown)
    await expect(tick).toBeVisible()
    await expect(tick).not.toBeChecked()
  })
})

test('a dismissal by another administrator appears, and no typed text is lost', async () => {
  const id = await shared.desk.submit({ ...hidden, name: 'judged-twice' })
  const at = `/review/${id}`
  const [ilse, tomas] = [await shared.open('ilse', { at }), await shared.open('tomas', { at })]
  await finding(ilse, 'text-invisible').getByRole('button', { name: 'Dismiss…' }).click()
  await ilse.getByLabel('Reason').fill('I have seen it.')
  await finding(tomas, 'text-invisible').getByRole('button', { name: 'Dismiss…' }).click()
  await tomas.getByLabel('Reason').fill('A line break for the eye.')
  await tomas.getByLabel('Reason').press('Enter')
  // It appears at the other desk without a reload.
  await expect(finding(ilse, 'text-invisible')).toContainText('Dismissed by Tomáš Novák')
  await expect(ilse.getByLabel('Reason')).toHaveValue('I have seen it.')
  await ilse.getByLabel('Reason').press('Enter')
  await expect(finding(ilse, 'text-invisible')).toContainText(
    'Tomáš Novák has already dismissed this finding',
  )
})
