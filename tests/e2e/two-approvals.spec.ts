import { skipWithout } from '../support/programs.ts'
import { dock, expect, row, test, toast } from '../support/desk/desk-browser.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')
test.use({ settings: { undoMs: 0, 'review.approvals': 2 } })

test('the first approval is shown with its author, who can withdraw it, and another person makes the second', async ({
  desk,
}) => {
  await desk.submit()
  const ilse = await desk.open('ilse')
  const approve = async (): Promise<void> => {
    await ilse.keyboard.press('a')
    await expect(dock(ilse)).toContainText('The release stays pending until another reviewer approves it.')
    await ilse.keyboard.type('Read all of it.')
    await ilse.keyboard.press('Control+Enter')
    await expect(toast(ilse)).toContainText('has 1 of 2 approvals')
  }
  await expect(dock(ilse)).toContainText('Approving records the first of 2 approvals.')
  await approve()
  await expect(dock(ilse)).toContainText('1 of 2 approvals, by Ilse Verbeek')
  await expect(row(ilse, 'upper-case')).toContainText('1 of 2')
  const button = dock(ilse).getByRole('button', { name: 'Approve…' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(button).toHaveAccessibleDescription(/Another reviewer must make the second approval\.$/)
  await ilse.keyboard.press('a')
  await expect(button).toBeVisible()
  expect(await violations(ilse, 'one of two approvals')).toEqual([])

  await dock(ilse).getByRole('button', { name: 'Withdraw approval' }).click()
  await expect(dock(ilse)).toContainText('Approving records the first of 2 approvals.')
  await expect(row(ilse, 'upper-case')).not.toContainText('1 of 2')
  await approve()

  const tomas = await desk.open('tomas')
  await expect(dock(tomas)).toContainText('1 of 2 approvals, by Ilse Verbeek')
  await expect(dock(tomas).getByRole('button', { name: 'Withdraw approval' })).toHaveCount(0)
  await tomas.keyboard.press('a')
  await expect(dock(tomas).locator('form :focus')).toHaveCount(1)
  await tomas.keyboard.type('Ran all examples.')
  await tomas.keyboard.press('Control+Enter')
  await expect(toast(tomas)).toContainText('was approved. Anyone can download it now.')
  await expect(row(ilse, 'upper-case')).toContainText('approved by Tomáš Novák')
})
