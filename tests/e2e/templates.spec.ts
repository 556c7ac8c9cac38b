import type { Page } from '@playwright/test'
import { dock, expect, row, test, toast } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const labels = (page: Page, name: string) =>
  group(page, name)
    .getByRole('textbox', { name: /^Label of template/ })
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))

test('templates for review notes are offered, edited and shared', async ({ desk }) => {
  test.slow()
  const id = await desk.submit()
  await desk.submit({ name: 'word-count' })
  const [page, other] = await Promise.all([desk.open('ilse'), desk.open('tomas')])
  await test.step('each decision has its own templates, and a selected one stays selected when its text is edited', async () => {
    const keys = page.keyboard
    await dock(page).getByRole('button', { name: 'Approve…' }).click()
    const reasons = page.getByRole('group', { name: 'Templates' })
    await expect(reasons.getByRole('checkbox')).toHaveCount(3)
    await expect(reasons.getByRole('checkbox').first()).toBeFocused()
    await keys.press('1')
    const notes = page.getByLabel('Review notes (public)')
    await expect(notes).toHaveValue(
      'It behaves as its manifest says, and its examples produce the expected output.',
    )
    await notes.fill('It behaves as its manifest says. One example produces the expected output.')
    await expect(reasons.getByRole('checkbox').first()).toBeChecked()
    await reasons.getByRole('checkbox').first().uncheck()
    await expect(notes).toHaveValue(
      'It behaves as its manifest says. One example produces the expected output.',
    )
    await keys.press('Escape')

    expect(await desk.decide(id, 'approved')).toBe(200)
    await dock(page).getByRole('button', { name: 'Revoke…' }).click()
    await expect(page.getByLabel('Type the skill name to confirm')).toBeFocused()
    await expect(reasons.getByRole('checkbox')).toHaveCount(5)
    await reasons.getByRole('checkbox').first().press('2')
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveValue(/wrong results/)
  })
  await page.keyboard.press('Escape')
  await row(page, 'word-count').click()
  await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
  await test.step('templates are added, changed, reordered and removed by keys, and every desk offers them', async () => {
    const keys = page.keyboard
    await dock(page).getByRole('button', { name: 'Reject…' }).click()
    await expect(page.getByRole('checkbox', { name: 'Manifest and module differ' })).toBeFocused()
    await keys.type('Half a thought')
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveValue('Half a thought')
    await keys.press('Shift+Tab')
    await keys.press('Shift+Tab')
    await expect(page.getByRole('button', { name: 'Edit templates…' })).toBeFocused()
    await keys.press('Enter')

    // The templates of the open decision have the focus.
    await expect(group(page, 'Reject').getByRole('textbox', { name: 'Label of template 1' })).toBeFocused()
    const before = await labels(page, 'Reject')
    expect(before.slice(0, 2)).toEqual(['Manifest and module differ', 'An example fails'])
    await keys.press('Alt+ArrowDown')
    await expect(group(page, 'Reject').getByRole('textbox', { name: 'Label of template 2' })).toBeFocused()
    expect((await labels(page, 'Reject')).slice(0, 2)).toEqual([before[1], before[0]])

    await group(page, 'Reject').getByRole('button', { name: 'Add template' }).press('Enter')
    const added = group(page, 'Reject').getByRole('textbox', {
      name: `Label of template ${before.length + 1}`,
    })
    await expect(added).toBeFocused()
    await keys.type('No license file')
    await keys.press('Control+Enter')
    await expect(page.getByText('Enter the template text.')).toBeVisible()
    await keys.press('Tab')
    await keys.type('The sources contain no license.')
    for (let step = 0; step < before.length; step += 1) {
      await keys.press('Alt+ArrowUp')
    }
    await group(page, 'Reject')
      .getByRole('button', { name: 'Remove “License is not an SPDX expression”' })
      .press('Enter')
    await expect(group(page, 'Reject').getByRole('button', { name: /^Remove “Readme/ })).toBeFocused()
    await keys.press('Control+Enter')

    // Back at the decision, with the notes.
    await expect(toast(page)).toContainText('Templates saved.')
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveValue('Half a thought')
    await expect(page.getByRole('checkbox', { name: 'No license file' })).toBeFocused()
    await expect(page.getByRole('checkbox', { name: 'License is not an SPDX expression' })).toHaveCount(0)
    await keys.press('1')
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveValue(
      'Half a thought\n\nThe sources contain no license.',
    )

    await row(other, 'word-count').click()
    await dock(other).getByRole('button', { name: 'Reject…' }).click()
    await expect(
      other.getByRole('group', { name: 'Templates' }).getByRole('checkbox').first(),
    ).toHaveAccessibleName('No license file')
  })
  await test.step('the page opens from the palette, and a conflicting save by another administrator is reported', async () => {
    for (const one of [page, other]) {
      await one.keyboard.press('Control+k')
      await one.keyboard.type('review note templates')
      await one.keyboard.press('Enter')
      await expect(one.getByRole('heading', { name: 'Review note templates' })).toBeVisible()
    }
    for (const name of ['Save', 'Discard changes']) {
      await expect(page.getByRole('button', { name })).toBeDisabled()
    }
    await group(page, 'Approve').getByRole('textbox', { name: 'Label of template 1' }).fill('Mine')
    await group(other, 'Approve').getByRole('textbox', { name: 'Label of template 1' }).fill('Theirs')
    await other.getByRole('button', { name: 'Save' }).click()
    await expect(toast(other)).toContainText('Templates saved.')
    await expect(page.getByText('Another reviewer saved the templates while you were editing')).toBeVisible()
    expect((await labels(page, 'Approve'))[0]).toBe('Mine')
    await page.getByRole('button', { name: 'Use their version' }).click()
    expect((await labels(page, 'Approve'))[0]).toBe('Theirs')
  })
})

test('in a narrow window the templates are shown above the notes, and the form scrolls', async ({ desk }) => {
  await desk.submit()
  const page = await desk.open('ilse', { viewport: { width: 390, height: 800 } })
  await dock(page).getByRole('button', { name: 'Reject…' }).click()
  const templates = page.getByRole('group', { name: 'Templates' }).getByRole('checkbox')
  await expect(templates.first()).toBeFocused()
  await expect(templates.first()).toBeInViewport()
  await expect(templates.last()).toBeInViewport()
  await page.getByLabel('Review notes for Marta Okafor').scrollIntoViewIfNeeded()
  await expect(page.getByLabel('Review notes for Marta Okafor')).toBeInViewport()
})
