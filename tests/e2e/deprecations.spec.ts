import type { Page } from '@playwright/test'
import { skipWithout } from '../support/programs.ts'
import { dock, expect, test, toast } from '../support/desk/desk-browser.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const reason = 'It does not handle quoted fields.'

test('an owner deprecates a release in My releases, and withdraws it', async ({ desk }) => {
  const found: string[] = []
  await desk.decide(await desk.submit({ name: 'word-count' }), 'approved')
  await desk.decide(await desk.submit({ name: 'line-count' }), 'approved')
  const page = await desk.open('marta', { at: '/own' })
  const item = page
    .getByRole('list', { name: 'My releases' })
    .locator(':scope > li')
    .filter({ has: page.getByRole('heading', { name: 'word-count 1.0.0' }) })
  await item.getByRole('button', { name: 'Deprecate word-count 1.0.0' }).click()
  const form = item.getByRole('form', { name: 'Deprecate word-count 1.0.0' })
  await expect(form.getByLabel('Reason')).toBeFocused()
  await form.getByLabel('Reason').fill(reason)
  await form.getByLabel('Successor (optional)').fill('no-such-skill')
  await form.getByRole('button', { name: 'Deprecate' }).click()
  await expect(form).toContainText('is not an approved release')
  found.push(...(await violations(page, 'deprecating')))
  await form.getByLabel('Successor (optional)').fill('line-count')
  await form.getByRole('button', { name: 'Deprecate' }).click()
  await expect(toast(page)).toContainText('is deprecated.')
  await expect(item.getByText('Deprecated', { exact: true })).toBeVisible()
  await expect(item).toContainText(`${reason} Use line-count instead.`)
  found.push(...(await violations(page, 'a deprecated release')))
  await item.getByRole('button', { name: 'Change the deprecation of word-count 1.0.0' }).click()
  await expect(form.getByLabel('Reason')).toHaveValue(reason)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await item.getByRole('button', { name: 'Withdraw the deprecation of word-count 1.0.0' }).click()
  await expect(item.getByText('Deprecated', { exact: true })).toHaveCount(0)
  expect(found).toEqual([])
})

const openRelease = async (page: Page, release: string) => {
  await page.locator('[data-row]').filter({ hasText: release }).first().click()
  return page.getByRole('region', { name: `Release ${release}` })
}

test('an administrator deprecates a release of anyone, and its history and the audit log say so', async ({
  desk,
}) => {
  await desk.decide(await desk.submit({ name: 'word-count' }), 'approved')
  const page = await desk.open('ilse', { at: '/review?view=decided' })
  const sheet = await openRelease(page, 'word-count 1.0.0')
  const part = sheet.getByRole('region', { name: 'Deprecation' })
  await part.getByRole('button', { name: 'Deprecate word-count 1.0.0' }).click()
  await part.getByLabel('Reason').fill(reason)
  await part.getByRole('button', { name: 'Deprecate' }).click()
  await expect(sheet.locator('header').first()).toContainText('Deprecated')
  const event = sheet.getByRole('region', { name: 'History' }).getByRole('listitem').first()
  await expect(event).toContainText('deprecated by Ilse Verbeek')
  await expect(event).toContainText(reason)
  expect(await violations(page, 'a deprecated release in review')).toEqual([])
  await page
    .getByRole('link', { name: /audit log/i })
    .first()
    .click()
  const row = page.getByRole('row').filter({ hasText: reason })
  await expect(row).toContainText('deprecated')
  await expect(row).toContainText('word-count')
})

test('a reviewer who is not an administrator is not offered to deprecate the release of others', async ({
  desk,
}) => {
  await desk.decide(await desk.submit({ name: 'word-count' }), 'approved')
  await desk.token({ subject: 'rosa', name: 'Rosa', role: 'reviewer' })
  const page = await desk.open('rosa', { at: '/review?view=decided' })
  const sheet = await openRelease(page, 'word-count 1.0.0')
  await expect(sheet.getByRole('region', { name: 'Owners' })).toBeVisible()
  await expect(sheet.getByRole('region', { name: 'Deprecation' })).toHaveCount(0)
})

test('the revocation form publishes the notes in the advisory, unless the tick is removed', async ({
  desk,
  request,
}) => {
  await desk.decide(await desk.submit({ name: 'word-count' }), 'approved')
  await desk.decide(await desk.submit({ name: 'line-count' }), 'approved')
  const page = await desk.open('ilse', { at: '/review?view=decided' })
  const revoke = async (name: string, isPublished: boolean): Promise<void> => {
    const sheet = await openRelease(page, `${name} 1.0.0`)
    await expect(sheet).toBeVisible()
    await page.keyboard.press('x')
    const form = dock(page).getByRole('form', { name: `Revoke ${name} 1.0.0` })
    await form.getByLabel(/name/i).first().fill(name)
    await form.getByLabel('Review notes for Marta Okafor').fill(`${name} sends its input away.`)
    const tick = form.getByLabel('Publish these notes in the advisory')
    await expect(tick).toBeChecked()
    await expect(form).toContainText('the public advisory of the revocation contains them')
    if (!isPublished) {
      await tick.uncheck()
      await expect(form).toContainText('They are not made public: the advisory only has the name')
    }
    await form.getByRole('button', { name: 'Revoke' }).click()
    await expect(toast(page).last()).toContainText(/revoked/i)
  }
  await revoke('word-count', true)
  await revoke('line-count', false)
  const advisories = (await (
    await request.get(`${desk.registry}/api/skilldock/advisories.json`)
  ).json()) as object[]
  expect(advisories).toHaveLength(2)
  const text = JSON.stringify(advisories)
  expect(text).toContain('word-count sends its input away.')
  expect(text).not.toContain('line-count sends its input away.')
})
