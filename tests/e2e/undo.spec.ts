import { importingModule } from '../support/fixtures/importing-module.ts'
import { call } from '../support/server/publish.ts'
import { skipWithout } from '../support/programs.ts'
import { dock, expect, reject, row, test, toast } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { getDeskRelease } from '../support/desk/desk-client.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const notes = 'The readme names no server to ask.'

/** Decides through the registry's API, which ignores held decisions. */
async function statusOf(desk: Desk, name: string): Promise<string | undefined> {
  const token = await desk.token({ subject: 'marta' })
  const { body } = await call<{ items: { name: string; status: string }[] }>(
    `${desk.registry}/api/marketplace/mine`,
    { token },
  )
  return body.items.find((skill) => skill.name === name)?.status
}

test.describe('with six seconds', () => {
  test.use({ settings: { undoMs: 6000 } })

  test('a reloaded page or another one continues the countdown, and closing the desk cancels nothing', async ({
    desk,
  }) => {
    await desk.submit()
    await desk.submit({ name: 'word-count' })
    const page = await desk.open('ilse')
    const other = await desk.open('ilse')
    await reject(page, notes)
    await expect(toast(page)).toContainText('rejected in')
    await page.reload()
    await expect(toast(page)).toContainText(/upper-case 1\.0\.0 will be rejected in [1-6] s/)
    await expect(toast(other)).toContainText(/upper-case 1\.0\.0 will be rejected in [1-6] s/)
    await Promise.all([page.close(), other.close()])
    await expect.poll(() => statusOf(desk, 'upper-case'), { timeout: 15_000 }).toBe('rejected')
  })
})

test('a held decision is counted down, announced and undone', async ({ desk }) => {
  test.setTimeout(90_000)
  await desk.submit()
  await desk.submit({ name: 'word-count' })
  await desk.submit({ name: 'hex-dump' })
  const page = await desk.open('ilse', { reducedMotion: 'reduce' })
  await test.step('a screen reader announces it once, and reduced motion keeps the number', async () => {
    await page.evaluate(() => {
      const announcements: string[] = []
      Object.assign(globalThis, { announcements })
      for (const voice of document.querySelectorAll('[data-voice]')) {
        new MutationObserver(() => announcements.push(voice.textContent ?? '')).observe(voice, {
          childList: true,
          characterData: true,
          subtree: true,
        })
      }
    })
    await reject(page, notes)
    const left = async (): Promise<number> => Number(/in (\d+) s/.exec(await toast(page).innerText())?.[1])
    await expect(toast(page)).toContainText('rejected in')
    const first = await left()
    await expect.poll(left).toBeLessThan(first - 1)
    expect(
      await page.evaluate(
        () => (globalThis as typeof globalThis & { announcements: string[] }).announcements,
      ),
    ).toEqual(['The rejection of upper-case 1.0.0 takes effect in 10 seconds. Press Z to undo.'])
    // No live region contains text that changes every second.
    expect(
      await toast(page).evaluate((element) =>
        element.closest('[aria-live], [role="status"], [role="alert"]'),
      ),
    ).toBeNull()
    await expect(toast(page).locator('circle').first()).toBeHidden()
  })
  await page.keyboard.press('z')
  await expect(toast(page)).toContainText('is pending again')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await test.step('it counts down, nobody is notified, and Z undoes it and keeps the notes', async () => {
    await row(page, 'upper-case').click()
    await reject(page, notes)
    await expect(toast(page)).toContainText(
      /upper-case 1\.0\.0 will be rejected in \d+ s\. Marta Okafor can't read your notes yet\./,
    )
    await expect(row(page, 'upper-case')).toContainText(/rejecting in \d+ s/)
    await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
    await expect(row(page, 'word-count')).toBeFocused()
    expect(await statusOf(desk, 'upper-case')).toBe('pending')

    await page.keyboard.press('z')
    await expect(toast(page)).toContainText('upper-case 1.0.0 is pending again. Your notes are kept.')
    await expect(row(page, 'upper-case')).not.toContainText('rejecting')
    await toast(page).getByRole('button', { name: 'Open' }).click()
    await expect(page.getByRole('heading', { name: 'upper-case 1.0.0' })).toBeVisible()
    await page.keyboard.press('r')
    await expect(page.getByLabel('Review notes for Marta Okafor')).toHaveValue(notes)
    expect(await statusOf(desk, 'upper-case')).toBe('pending')
  })
  await page.keyboard.press('Escape')
  await test.step('a key pressed right after moving focuses the form, not the row', async () => {
    for (const name of ['upper-case', 'word-count', 'upper-case']) {
      await expect(page.getByRole('heading', { name: `${name} 1.0.0` })).toBeVisible()
      await page.keyboard.press(name === 'upper-case' ? 'j' : 'k')
    }
    await expect(row(page, 'word-count')).toBeFocused()
    // Presses both keys before the next frame, then waits for a few frames.
    await page.evaluate(async () => {
      for (const key of ['k', 'r']) {
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
      }
      const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let count = 0; count < 3; count += 1) {
        await frame()
      }
    })
    await expect(page.getByRole('form', { name: 'Reject upper-case 1.0.0' })).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Manifest and module differ' })).toBeFocused()
  })
  await page.keyboard.press('Escape')
  await test.step('after an undo, the release can be opened and decided again without waiting for the server', async () => {
    await reject(page, notes)
    await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
    const answer = Promise.withResolvers<void>()
    const sent: string[] = []
    await page.route('**/desk/api/releases/*/decision', async (route) => {
      sent.push(route.request().method())
      if (route.request().method() === 'DELETE') await answer.promise
      await route.continue()
    })
    for (const key of ['z', 'k', 'a']) {
      await page.keyboard.press(key)
    }
    const form = page.getByRole('form', { name: 'Approve upper-case 1.0.0' })
    await expect(form.getByRole('checkbox', { name: 'Behaves as documented' })).toBeFocused()
    await page.keyboard.press('1')
    await page.keyboard.press('Control+Enter')
    await expect(form.getByRole('button', { name: 'Approve' })).toHaveAttribute('data-loading', 'true')
    expect(sent).toEqual(['DELETE'])
    answer.resolve()
    await expect(toast(page)).toContainText('upper-case 1.0.0 will be approved in')
    expect(sent).toEqual(['DELETE', 'POST'])
    await page.unroute('**/desk/api/releases/*/decision')
    await page.keyboard.press('z')
    await expect(toast(page)).toContainText('is pending again')
  })
  await test.step('a desk that cannot reach the server reports that the undo failed', async () => {
    await row(page, 'upper-case').click()
    await reject(page, notes)
    await page.route('**/desk/api/releases/*/decision', (route) => route.abort())
    await toast(page).getByRole('button', { name: 'Undo the rejection of upper-case 1.0.0' }).click()
    await expect(toast(page)).toContainText('upper-case 1.0.0 could not be returned to the queue.')
    await expect(row(page, 'upper-case')).toContainText('rejecting')
    await page.unroute('**/desk/api/releases/*/decision')
    await page.getByRole('button', { name: 'Close notification' }).click()
    await row(page, 'upper-case').click()
    await dock(page).getByRole('button', { name: 'Undo', exact: true }).click()
    await expect(toast(page)).toContainText('is pending again')
  })
  await test.step('of several held decisions, the toast shows the latest, and Z undoes it and then the one before', async () => {
    await row(page, 'upper-case').click()
    await reject(page, notes)
    await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
    await reject(page, notes)
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
    await reject(page, notes)
    await expect(toast(page)).toContainText('hex-dump 1.0.0 will be rejected in')
    await expect(toast(page)).toContainText('2 more can be undone')
    // No pending release is left to move to.
    await expect(page.getByRole('heading', { name: 'hex-dump 1.0.0' })).toBeVisible()
    await expect(dock(page)).toContainText(
      /Your rejection takes effect in \d+ s\. You can undo it until then\./,
    )
    await expect(dock(page)).toBeFocused()

    await page.keyboard.press('z')
    await expect(toast(page)).toContainText('word-count 1.0.0 will be rejected in')
    await expect(toast(page)).toContainText('1 more can be undone')
    await page.keyboard.press('z')
    await expect(toast(page)).toContainText('upper-case 1.0.0 will be rejected in')
    await expect(row(page, 'hex-dump')).not.toContainText('rejecting')
    await expect(row(page, 'word-count')).not.toContainText('rejecting')
    await expect(row(page, 'upper-case')).toContainText('rejecting')
    await page.keyboard.press('z')
    await expect(toast(page)).toContainText('upper-case 1.0.0 is pending again')
  })
})

test.describe('with a second', () => {
  test.use({ settings: { undoMs: 1000 } })

  test('new capabilities are confirmed before an approval, and the toast reports the decision', async ({
    desk,
  }) => {
    const first = await desk.submit()
    await desk.decide(first, 'approved')
    const id = await desk.submit(
      { version: '1.1.0' },
      undefined,
      await importingModule('fd_read', 'fd_write', 'path_open'),
    )
    await desk.submit({ name: 'word-count' })
    const page = await desk.open('ilse')

    await test.step('the server refuses an approval without the confirmation, and the notes are kept', async () => {
      // A desk that does not know of the new capabilities.
      await page.route(/\/desk\/api\/releases\/\d+$/, async (route) => {
        const response = await route.fetch()
        const release = (await response.json()) as { checks: { growth: { capabilities: string[] } } | null }
        if (release.checks !== null) release.checks.growth.capabilities = []
        await route.fulfill({ response, json: release })
      })
      await page.reload()
      await dock(page).getByRole('button', { name: 'Approve…' }).click()
      await page.getByLabel('Review notes (public)').fill('It does what it says.')
      await page.keyboard.press('Control+Enter')
      await expect(dock(page).getByRole('alert')).toContainText(/Your notes are kept\./)
      await expect(page.getByLabel('Review notes (public)')).toHaveValue('It does what it says.')

      await page.unrouteAll()
      await page.reload()
      // The desk moves on to a release that its queue has loaded.
      await expect(row(page, 'word-count')).toBeVisible()
    })
    await test.step('new capabilities must be confirmed before an approval', async () => {
      const approve = dock(page).getByRole('button', { name: 'Approve…' })
      await expect(approve).toHaveAttribute('aria-disabled', 'true')
      await expect(approve).toHaveAccessibleDescription(/It can now read files/)
      await page.keyboard.press('a')
      await expect(dock(page)).toContainText('Confirm the new capabilities first.')
      await expect(dock(page).getByRole('checkbox', { name: /It can now read files/ })).toBeFocused()
      await page.keyboard.press('t')
      await expect(approve).toHaveAttribute('aria-disabled', 'false')
      await page.keyboard.press('a')
      await page.keyboard.press('1')
      await page.keyboard.press('Control+Enter')
      await expect(toast(page)).toContainText('upper-case 1.1.0 was approved. Anyone can download it now.')
      const { statement } = await getDeskRelease(await desk.client('ilse'), id)
      expect(statement?.evidence?.growthSeen).toContain('read')
      expect(statement?.evidence?.observation).toBeNull()
    })
    await test.step('the toast confirms the decision, and the draft of the notes is cleared', async () => {
      await expect(page.getByRole('heading', { name: 'word-count 1.0.0' })).toBeVisible()
      await reject(page, notes)
      await expect(toast(page)).toContainText(
        'word-count 1.0.0 was rejected. Marta Okafor can read your notes.',
      )
      await expect(row(page, 'word-count')).toContainText('rejected by Ilse Verbeek')
      expect(
        await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('notes'))),
      ).toEqual([])
      await page.keyboard.press('z')
      expect(await statusOf(desk, 'word-count')).toBe('rejected')
    })
  })
})
