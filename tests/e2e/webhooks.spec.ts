import { skipWithout } from '../support/programs.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import { startWebhookReceiver } from '../support/server/webhook-receiver.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const shared = shareDesk()

test('an administrator allows private addresses, and creates, tests, disables and deletes a webhook', async () => {
  const receiver = await startWebhookReceiver()
  const page = await shared.open('ilse')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await expect(page.getByText('No webhooks')).toBeVisible()
  const url = `${receiver.url}/ok`
  await page.getByRole('button', { name: 'New webhook…' }).click()
  const form = page.getByRole('form', { name: 'New webhook' })
  await form.getByLabel('URL').fill(url)
  await form.getByLabel('Release submitted').check()
  await form.getByRole('button', { name: 'Create webhook' }).click()
  await expect(form.getByText('change the setting “Private addresses of webhooks”')).toBeVisible()

  await page.getByRole('link', { name: 'Notifications' }).click()
  await page.getByText('Allowed', { exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Save' })).toContainText('Saved.')

  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByRole('button', { name: 'New webhook…' }).click()
  await form.getByLabel('URL').fill(url)
  await form.getByLabel('Release submitted').check()
  await page.route('**/desk/api/webhooks', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await form.getByRole('button', { name: 'Create webhook' }).click()
  // A failure that no field explains is shown below the buttons.
  await expect(form.getByText("Couldn't create the webhook")).toBeVisible()
  await page.unroute('**/desk/api/webhooks')
  await form.getByRole('button', { name: 'Create webhook' }).click()
  const shown = page.getByRole('textbox', { name: 'Secret' })
  const secret = await shown.inputValue()
  expect(secret).toMatch(/^whsec_/)
  expect(await violations(page, 'a new webhook')).toEqual([])
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(shown).toHaveCount(0)
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('button', { name: 'New secret' }).click()
  await expect(shown).toHaveValue(/^whsec_/)
  await expect(shown).not.toHaveValue(secret)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(shown).toHaveCount(0)

  await page.getByRole('button', { name: 'Send test event' }).click()
  const row = page.getByRole('row', { name: /Test event/ })
  await expect(row).toContainText('delivered')
  await expect(row).toContainText('204')
  await expect(page.getByText('Last delivery succeeded')).toBeVisible()
  expect(await violations(page, 'deliveries')).toEqual([])
  expect(receiver.received).toHaveLength(1)

  await page.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByRole('button', { name: 'Send test event' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete now' }).click()
  await expect(page.getByText('No webhooks')).toBeVisible()
  await receiver.stop()
})
