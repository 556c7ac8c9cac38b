import type { Page } from '@playwright/test'
import { skipWithout } from '../support/programs.ts'
import { call } from '../support/server/publish.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const mine = (registry: string, token: string) => call(`${registry}/api/marketplace/mine`, { token })

async function makeToken(page: Page, label: string): Promise<string> {
  await page.getByRole('button', { name: 'New token…' }).click()
  await page.getByLabel('Token name').fill(label)
  await page.getByRole('button', { name: 'Create token' }).click()
  return page.getByRole('textbox', { name: 'Token', exact: true }).inputValue()
}

const shared = shareDesk()

test('a developer has one area, with releases, review notes, queue position, tokens and the publish command', async () => {
  const { desk } = shared
  const rita = await desk.token({ subject: 'rita', name: 'Rita Sand' })
  const first = await desk.submit({}, rita)
  await desk.submit({ version: '1.0.1' }, rita)
  await desk.submit({ name: 'word-count' }, rita)
  await desk.decide(first, 'rejected', 'The example does not give its output.')
  const page = await shared.open('rita')
  await expect(page.getByRole('navigation', { name: 'Areas' }).getByRole('link')).toHaveText(['My releases'])
  const releases = page.getByRole('list', { name: 'My releases' }).locator(':scope > li')
  await expect(releases).toHaveCount(3)
  await expect(releases.nth(0)).toContainText('Pending, #2 of 2 in queue')
  await expect(releases.nth(2)).toContainText('The example does not give its output.')
  await expect(page.getByText(`${desk.registry}/api/marketplace/publish`)).toBeVisible()

  const token = await makeToken(page, 'build server')
  expect((await mine(desk.registry, token)).status).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Revoke build server' }).click()
  await page.getByRole('button', { name: 'Revoke now' }).click()
  await expect(page.getByRole('row', { name: /build server/ })).toContainText('revoked')
  expect((await mine(desk.registry, token)).status).toBe(401)

  await goInDesk(page, 'people')
  await expect(page.getByRole('heading', { level: 1, name: 'Not included in your role' })).toBeVisible()
})

test('an administrator adds, invites, edits and removes people', async ({ browser }) => {
  test.slow()
  const { desk } = shared
  const page = await shared.open('ilse')
  await test.step('a person is added and gets a token that works and is then revoked', async () => {
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('button', { name: 'Add person…' }).click()
    const form = page.getByRole('form', { name: 'Add person' })
    await form.getByLabel('Name', { exact: true }).fill('Sana Iqbal')
    await expect(form.getByLabel('Sign-in name')).toHaveValue('sana.iqbal')
    await form.getByRole('button', { name: 'Add' }).click()
    await expect(page.getByRole('heading', { name: 'Sana Iqbal' })).toBeVisible()

    const token = await makeToken(page, 'laptop')
    await expect(
      page.getByText("Token “laptop” created. Copy it now; it won't be shown again."),
    ).toBeVisible()
    expect((await mine(desk.registry, token)).status).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('textbox', { name: 'Token', exact: true })).toHaveCount(0)
    expect(await page.content()).not.toContain(token)

    await page.reload()
    const entry = page.getByRole('row', { name: /laptop/ })
    await expect(entry).toContainText('publish')
    await expect(entry).toContainText('in 89 d')
    await entry.getByRole('button', { name: 'Revoke laptop' }).click()
    await page.getByRole('button', { name: 'Revoke now' }).click()
    await expect(entry).toContainText('revoked')
    expect((await mine(desk.registry, token)).status).toBe(401)
  })
  await test.step('a sign-in link created in the desk works once', async () => {
    await page.getByRole('link', { name: /Marta Okafor/ }).click()
    await page.getByRole('button', { name: 'Sign-in link…' }).click()
    await expect(page.getByText('This link signs Marta Okafor in.')).toBeVisible()
    const link = await page.getByRole('textbox', { name: 'Sign-in link' }).inputValue()
    const context = await browser.newContext()
    const marta = await context.newPage()
    await marta.goto(link)
    await expect(marta.getByRole('heading', { name: 'My releases' })).toBeVisible()
    await expect(page.getByRole('row', { name: /session/ })).toBeVisible()

    await page
      .getByRole('row', { name: /session/ })
      .getByRole('button', { name: /^End/ })
      .click()
    await page.getByRole('button', { name: 'End now' }).click()
    await expect(marta.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await context.close()
  })
  await test.step('roles can be changed, except that of the last administrator, and a removed person loses access', async () => {
    await page.getByRole('link', { name: /Tomáš Novák/ }).click()
    await expect(page.getByRole('heading', { name: 'Tomáš Novák' })).toBeVisible()
    await page.getByLabel('Role').selectOption('developer')
    await expect(page.getByRole('link', { name: /Tomáš Novák/ })).toContainText('developer')

    await page.getByRole('link', { name: /Ilse Verbeek/ }).click()
    await page.getByLabel('Role').selectOption('developer')
    await expect(page.getByText("Couldn't change the role")).toBeVisible()
    await expect(page.getByLabel('Role')).toHaveValue('administrator')

    const token = await desk.token({ subject: 'marta' })
    await page.getByRole('link', { name: /Marta Okafor/ }).click()
    await page.getByRole('button', { name: 'Remove…' }).click()
    await expect(page.getByText('Tokens and sessions end immediately')).toBeVisible()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(page.getByRole('link', { name: /Marta Okafor/ })).toContainText('no access')
    expect((await mine(desk.registry, token)).status).toBe(401)
  })
})
