import type { Page } from '@playwright/test'
import { expect, test } from '../support/desk/desk-browser.ts'
import { decideAtDesk, getDeskRelease } from '../support/desk/desk-client.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const releases = (page: Page) => page.getByRole('list', { name: 'My releases' }).locator(':scope > li')

// Long enough to observe a held decision.
test.use({ settings: { undoMs: 4000 } })

test('a publisher follows releases until they are decided', async ({ desk }) => {
  test.slow()
  const first = await desk.submit({ name: 'first-echo' })
  const page = await desk.open('marta')
  await test.step('a publisher sees a decision once it has taken effect, not while it is held', async () => {
    await expect(releases(page).first()).toContainText('Pending, #1 of 1 in queue')
    const reply = await decideAtDesk(await desk.client('ilse'), first, 'rejected', {
      reason: 'The readme names no server to ask.',
    })
    expect(reply.body.held?.action).toBe('rejected')
    await page.reload()
    await expect(releases(page).first()).toContainText('Pending, #1 of 1 in queue')
    await expect(page.getByText('The readme names no server to ask.')).toHaveCount(0)
    await expect(releases(page).first()).toContainText('Rejected', { timeout: 15_000 })
    await expect(releases(page).first()).toContainText('The readme names no server to ask.')
  })
  await test.step('a publisher sees status, queue position, findings with advice, and review notes', async () => {
    const other = await desk.token({ subject: 'sana', name: 'Sana Iqbal' })
    const rejected = await desk.submit({ name: 'hex-dump' })
    await desk.submit({ name: 'base-echo' }, other)
    const pending = await desk.submit({ license: 'do what you like with it' })
    await desk.decide(rejected, 'rejected', 'The readme names no server to ask.')
    await expect(releases(page)).toHaveCount(3)
    const latest = releases(page).nth(0)
    await expect(latest).toContainText('upper-case 1.0.0')
    await expect(latest).toContainText('Pending, #2 of 2 in queue')
    await expect(releases(page).nth(1)).toContainText('Rejected')
    await expect(releases(page).nth(1)).toContainText('The readme names no server to ask.')
    // The decision changes a finding of the other releases of this module, which are checked again.
    await expect(latest).toContainText('identical to that of first-echo 1.0.0 and hex-dump 1.0.0')

    const ilse = await desk.client('ilse')
    const found = (await getDeskRelease(ilse, pending)).checks?.findings ?? []
    expect(found.length).toBeGreaterThan(0)
    for (const { title, advice } of found) {
      await expect(latest).toContainText(title)
      await expect(latest).toContainText(`Advice for the reviewer: ${advice}`)
    }
    const [judged] = found
    const judgement = { fingerprint: judged?.fingerprint, reason: 'The readme has the full text.' }
    expect((await ilse.send('POST', `/releases/${pending}/judgements`, judgement)).status).toBe(201)
    await expect(latest).toContainText('Dismissed by Ilse Verbeek: “The readme has the full text.”')
    await expect(latest).toContainText('1 dismissed')
  })
})
