import { skipWithout } from '../support/programs.ts'
import { expect, shareDesk, test } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'
import { startSmtpReceiver } from '../support/server/smtp-receiver.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const shared = shareDesk()

test('an administrator sets up the mail server, verifies an address with the mailed code, and chooses events', async () => {
  const receiver = await startSmtpReceiver()
  try {
    const page = await shared.open('ilse')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByLabel('Mail server', { exact: true }).fill('127.0.0.1')
    await page.getByLabel('Mail server port').fill(String(receiver.port))
    await page.getByText('None', { exact: true }).click()
    await page.getByLabel('Mail sender').fill('skilldock@example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('region', { name: 'Save' })).toContainText('Saved.')

    await goInDesk(page, 'own')
    const panel = page.getByRole('region', { name: 'E-mail notifications' })
    await panel.getByLabel('E-mail address').fill('ilse@example.com')
    expect(await violations(page, 'an address for e-mail')).toEqual([])
    await panel.getByLabel('E-mail address').press('Enter')
    await expect.poll(() => receiver.received.length).toBe(1)
    const code = /^Subject: (\d{8}) /m.exec(receiver.received[0]?.text ?? '')?.[1] ?? ''
    await panel.getByLabel('Code from the e-mail').fill('00000000')
    await panel.getByLabel('Code from the e-mail').press('Enter')
    await expect(panel.getByLabel('Code from the e-mail')).toHaveAttribute('aria-invalid', 'true')
    expect(await violations(page, 'a wrong code')).toEqual([])
    await panel.getByLabel('Code from the e-mail').fill(code)
    await panel.getByLabel('Code from the e-mail').press('Enter')
    await expect(panel.getByText('verified', { exact: true })).toBeVisible()
    // Choices sent at the same time could arrive in any order.
    const held = Promise.withResolvers<void>()
    const sent: string[] = []
    await page.route('**/desk/api/own/notifications/events', async (route) => {
      sent.push(route.request().postData() ?? '')
      await held.promise
      await route.continue()
    })
    await panel.getByLabel('Release submitted').check()
    await panel.getByLabel('Release revoked').check()
    await panel.getByLabel('Release revoked').uncheck()
    expect(sent).toHaveLength(1)
    held.resolve()
    await expect.poll(() => sent).toHaveLength(3)
    expect(await violations(page, 'the events to be mailed')).toEqual([])
    await page.unroute('**/desk/api/own/notifications/events')
    await page.reload()
    await expect(panel.getByLabel('Release submitted')).toBeChecked()
    await expect(panel.getByLabel('Release revoked')).not.toBeChecked()

    await shared.desk.submit({ name: 'hex-dump' })
    await expect.poll(() => receiver.received[1]?.text ?? '').toContain('hex-dump 1.0.0')
  } finally {
    await receiver.stop()
  }
})
