import type { Page } from '@playwright/test'
import { serve } from '../support/server/command-line.ts'
import { dock, expect, reject, row, test, toast } from '../support/desk/desk-browser.ts'
import { decideAtDesk } from '../support/desk/desk-client.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const notes = 'The readme names no server to ask.'

/** Closed before the next decision, whose toast could otherwise be confused with it. */
const closeToast = async (page: Page, text: string): Promise<void> => {
  await expect(toast(page)).toContainText(text)
  await page.getByRole('button', { name: 'Close notification' }).click()
  await expect(toast(page)).toHaveCount(0)
}

// Long enough for everything that happens while a decision is held, on a busy machine too.
test.use({ settings: { undoMs: 60_000 } })

test('the administrator is notified of a decision lost in a crash, until they dismiss it', async ({
  separateDesk: desk,
}) => {
  await desk.submit()
  const ilse = await desk.open('ilse')
  await reject(ilse, notes)
  await expect(toast(ilse)).toContainText('rejected in')
  desk.kill('SIGKILL')
  await desk.ended

  const again = await serve(desk.folder, { SKILLDOCK_DASHBOARD_PORT: new URL(desk.dashboard).port })
  try {
    await ilse.goto(`${again.dashboard}/desk/services`)
    const lost = ilse.getByRole('region', { name: 'Decisions that were not carried out' })
    await expect(lost).toContainText(
      'Your decision on upper-case 1.0.0 was not carried out; the release is pending again',
    )
    await expect(lost).toContainText(
      'Skilldock stopped unexpectedly during the undo window of your rejection',
    )
    await expect(lost).toContainText(notes)
    await expect(toast(ilse)).toHaveCount(0)
    await lost.getByRole('button', { name: 'Open' }).click()
    await expect(dock(ilse).getByRole('button', { name: 'Reject…' })).toBeVisible()
    await ilse.keyboard.press('r')
    await expect(ilse.getByLabel('Review notes for Marta Okafor')).toHaveValue(notes)
    await ilse.reload()
    await expect(lost).toBeVisible()
    await lost.getByRole('button', { name: 'Dismiss' }).click()
    await expect(lost).toHaveCount(0)
    await ilse.reload()
    await expect(dock(ilse).getByRole('button', { name: 'Reject…' })).toBeVisible()
    await expect(lost).toHaveCount(0)
  } finally {
    await ilse.context().close()
    await again.stop()
  }
})

test('two administrators work on the same releases', async ({ desk }) => {
  test.setTimeout(90_000)
  const id = await desk.submit()
  const second = await desk.submit({ name: 'word-count' })
  const ilse = await desk.open('ilse')
  const tomas = await desk.open('tomas')
  await test.step('each sees within two seconds which release the other has open', async () => {
    await expect(ilse.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    await expect(tomas.getByText('Ilse Verbeek also has this open').first()).toBeVisible()
    await expect(ilse.getByRole('region', { name: /^Release/ })).toContainText(
      'Tomáš Novák also has this open',
    )
    await expect(row(ilse, 'upper-case')).toContainText('TN')

    await tomas.keyboard.press('j')
    await expect(row(ilse, 'word-count')).toContainText('TN')
    await expect(row(ilse, 'upper-case')).not.toContainText('TN')
    await expect(ilse.getByRole('region', { name: /^Release/ })).not.toContainText('also has this open')

    // Reports sent at the same time could arrive in any order.
    const reports: string[] = []
    const held = Promise.withResolvers<void>()
    await tomas.route('**/desk/api/presence', async (route) => {
      reports.push(route.request().postData() ?? '')
      await held.promise
      await route.continue()
    })
    for (const [key, heading] of [
      ['k', 'upper-case 1.0.0'],
      ['j', 'word-count 1.0.0'],
      ['k', 'upper-case 1.0.0'],
    ] as const) {
      await tomas.keyboard.press(key)
      await expect(tomas.getByRole('heading', { name: heading })).toBeVisible()
    }
    expect(reports).toHaveLength(1)
    held.resolve()
    await expect(row(ilse, 'upper-case')).toContainText('TN')
    await tomas.keyboard.press('j')
    await expect(row(ilse, 'word-count')).toContainText('TN')
    await tomas.unroute('**/desk/api/presence')

    await tomas.getByRole('link', { name: 'People' }).click()
    await expect(row(ilse, 'word-count')).not.toContainText('TN')
    await tomas.goBack()
    await expect(row(ilse, 'word-count')).toContainText('TN')
    await tomas.goto('about:blank')
    await expect(row(ilse, 'word-count')).not.toContainText('TN')
    await tomas.goto(`${desk.dashboard}/desk/review`)
    await expect(tomas.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
  })
  await row(ilse, 'upper-case').click()
  await expect(ilse.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
  await test.step('every desk shows a held decision, and blocks other decisions on the release', async () => {
    await reject(ilse, notes)
    await expect(row(tomas, 'upper-case')).toContainText(/Ilse rejects in \d+ s/)
    await expect(tomas.getByRole('region', { name: /^Release/ })).toContainText(
      /Ilse Verbeek rejects in \d+ s/,
    )
    await expect(dock(tomas)).toContainText(/Ilse Verbeek's rejection takes effect in \d+ s\./)
    for (const name of ['Reject…', 'Approve…']) {
      const button = dock(tomas).getByRole('button', { name })
      await expect(button).toHaveAttribute('aria-disabled', 'true')
      await expect(button).toHaveAccessibleDescription(/Ilse Verbeek's rejection takes effect/)
    }
    await tomas.keyboard.press('a')
    await tomas.keyboard.press('z')
    await expect(dock(tomas).getByRole('textbox')).toHaveCount(0)
    await expect(toast(tomas)).toHaveCount(0)

    await ilse.keyboard.press('z')
    await expect(dock(tomas).getByRole('button', { name: 'Approve…' })).toHaveAttribute(
      'aria-disabled',
      'false',
    )
    await expect(row(tomas, 'upper-case')).not.toContainText('rejects')
    await closeToast(ilse, 'is pending again')
  })
  await row(ilse, 'upper-case').click()
  await expect(ilse.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
  await test.step('notes being typed survive another decision, and are restored when it is undone', async () => {
    await dock(tomas).getByRole('button', { name: 'Reject…' }).click()
    const field = tomas.getByLabel('Review notes for Marta Okafor')
    await field.fill('Half a thought about')
    await reject(ilse, notes)
    await expect(dock(tomas)).toContainText(/Ilse Verbeek's rejection takes effect in \d+ s/)
    await expect(dock(tomas)).toContainText(
      'Your notes were not sent. Copy them before you close this notice.',
    )
    await ilse.keyboard.press('z')
    await expect(field).toHaveValue('Half a thought about')
    await closeToast(ilse, 'is pending again')
  })
  await test.step('a desk that missed the decision is refused, shows who decided, and keeps the notes', async () => {
    // Without the event stream, the desk learns of the decision only from the response.
    await tomas.route('**/desk/api/events*', (route) => route.abort())
    await tomas.reload()
    await expect(dock(tomas).getByRole('button', { name: 'Approve…' })).toBeVisible()
    const held = await decideAtDesk(await desk.client('ilse'), id, 'rejected', { reason: notes })
    expect(held.body.held).toMatchObject({ action: 'rejected', by: 'Ilse Verbeek' })

    await dock(tomas).getByRole('button', { name: 'Approve…' }).click()
    await tomas.getByLabel('Review notes (public)').fill('Same imports, examples pass.')
    await tomas.keyboard.press('Control+Enter')
    await expect(dock(tomas)).toContainText(/Ilse Verbeek's rejection takes effect/)
    await expect(dock(tomas)).toContainText('Your notes were not sent')
    await tomas.keyboard.press('Escape')
    expect(
      await tomas.evaluate(
        () => Object.entries(sessionStorage).find(([key]) => key.includes('approved'))?.[1],
      ),
    ).toBe('Same imports, examples pass.')
  })
  await expect(toast(ilse)).toContainText('rejected in')
  await ilse.keyboard.press('z')
  await closeToast(ilse, 'is pending again')
  await test.step('a decision overtaken through the API is reported too', async () => {
    const changes = { undoMs: 5000 }
    expect((await (await desk.client('tomas')).send('PUT', '/settings', { changes })).status).toBe(200)
    await row(ilse, 'word-count').click()
    await expect(ilse.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
    await reject(ilse, notes)
    await expect(toast(ilse)).toContainText('rejected in')
    expect(await desk.decide(second, 'approved')).toBe(200)
    const lost = ilse.getByRole('region', { name: 'Decisions that were not carried out' })
    await expect(lost).toContainText('Your decision on word-count 1.0.0 was not carried out')
    await expect(lost).toContainText('Another reviewer decided')
    await expect(toast(ilse)).toHaveCount(0)
    await expect(row(ilse, 'word-count')).toContainText('approved by Tomáš Novák')
  })
})
