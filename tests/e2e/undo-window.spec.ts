import type { Page } from '@playwright/test'
import { dock, expect, reject, row, test, toast } from '../support/desk/desk-browser.ts'
import { getDeskRelease } from '../support/desk/desk-client.ts'
import { skipWithout } from '../support/programs.ts'
import { violations } from '../support/desk/violations.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const notes = 'The readme does not name the servers it calls.'
const decisionForm = (page: Page) => dock(page).getByRole('form')
const liveRegion = (page: Page, name: string) => page.locator(`[data-voice="${name}"]`)

interface Ring {
  /** The fraction drawn initially. */
  part: number
  /** Duration until it disappears, in milliseconds. */
  ms: number
}
const readRing = async (page: Page): Promise<Ring> => {
  const read = (): Promise<Ring> =>
    toast(page).evaluate((element) => {
      const style = getComputedStyle(element.querySelectorAll('circle')[1] ?? element)
      const hidden = Number.parseFloat(style.getPropertyValue('--from'))
      return {
        part: 1 - hidden / Number.parseFloat(style.strokeDasharray),
        ms: Number.parseFloat(style.animationDuration) * 1000,
      }
    })
  let ring = await read()
  // An element that was just replaced has no style.
  await expect.poll(async () => Number.isFinite((ring = await read()).ms)).toBe(true)
  return ring
}
const secondsOf = async (page: Page): Promise<number> =>
  Number(/ in (\d+) s/.exec(await toast(page).innerText())?.[1])

test.describe('with the longest undo window', () => {
  test.use({ settings: { undoMs: 60_000 } })

  test('every part of the desk shows the configured window, and follows its change', async ({ desk }) => {
    test.setTimeout(90_000)
    await desk.submit()
    await desk.submit({ name: 'word-count' })
    const page = await desk.open('ilse', { reducedMotion: 'no-preference' })
    await test.step('dock, toast, announcement and ring all show 60 s, even after the page is reloaded', async () => {
      await dock(page).getByRole('button', { name: 'Reject…' }).click()
      await expect(decisionForm(page)).toContainText(
        'The decision takes effect in 60 seconds, even if you close the desk. Until then you can undo it.',
      )
      await page.keyboard.press('Escape')
      await reject(page, notes)
      await expect(toast(page)).toContainText(/upper-case 1\.0\.0 will be rejected in (?:60|5[0-9]) s\./)
      await expect(liveRegion(page, 'held')).toHaveText(
        /^The rejection of upper-case 1\.0\.0 takes effect in (?:60|5[0-9]) seconds\. Press Z to undo\.$/,
      )
      const first = await readRing(page)
      expect(first.ms).toBeGreaterThan(50_000)
      expect(first.part).toBeCloseTo(first.ms / 60_000, 2)

      await expect
        .poll(() => secondsOf(page), { timeout: 15_000 })
        .toBeLessThan(Math.floor(first.ms / 1000) - 3)
      await page.reload()
      await expect(toast(page)).toContainText(/will be rejected in \d+ s/)
      const later = await readRing(page)
      expect(later.ms).toBeLessThanOrEqual(first.ms - 3000)
      expect(later.part).toBeCloseTo(later.ms / 60_000, 2)
      await page.keyboard.press('z')
      await expect(toast(page)).toContainText('upper-case 1.0.0 is pending again')

      await expect(row(page, 'upper-case')).not.toContainText('rejecting')
    })
    await test.step('the dock and the toast have no accessibility violations', async () => {
      await row(page, 'upper-case').click()
      await reject(page, notes)
      await expect(toast(page)).toContainText(/will be rejected in \d+ s/)
      expect(await violations(page, 'a held decision')).toEqual([])
      await expect(toast(page)).toContainText(/will be rejected in \d+ s/)
      await dock(page).getByRole('button', { name: 'Reject…' }).click()
      expect(await violations(page, 'the dock with an undo window')).toEqual([])
      await page.keyboard.press('Escape')
    })
    await test.step('an open form follows the setting when it is changed at another desk', async () => {
      await dock(page).getByRole('button', { name: 'Approve…' }).click()
      await expect(decisionForm(page)).toContainText(
        'The decision takes effect in 60 seconds, even if you close the desk. Until then you can undo it.',
      )
      const tomas = await desk.client('tomas')
      expect((await tomas.send('PUT', '/settings', { changes: { undoMs: 1000 } })).status).toBe(200)
      await expect(decisionForm(page)).toContainText('The decision takes effect in 1 second,')
      expect((await tomas.send('PUT', '/settings', { changes: { undoMs: 0 } })).status).toBe(200)
      await expect(decisionForm(page)).toContainText(
        "The decision takes effect immediately and can't be undone.",
      )
    })
  })
})

test.describe('without an undo window', () => {
  test.use({ settings: { undoMs: 0 } })

  test('nothing offers Undo, the dock says that decisions take effect immediately, and axe finds nothing', async ({
    desk,
  }) => {
    test.slow()
    const id = await desk.submit()
    await desk.submit({ name: 'word-count' })
    const page = await desk.open('ilse')
    for (const verb of ['Approve', 'Reject']) {
      await dock(page)
        .getByRole('button', { name: `${verb}…` })
        .click()
      await expect(decisionForm(page)).toContainText(
        "The decision takes effect immediately and can't be undone.",
      )
      await expect(decisionForm(page)).not.toContainText(/seconds?\b|\bundo\b|until then/i)
      if (verb === 'Reject') expect(await violations(page, 'the dock without undo')).toEqual([])
      await page.keyboard.press('Escape')
    }

    await reject(page, notes)
    await expect(toast(page)).toHaveText('upper-case 1.0.0 was rejected. Marta Okafor can read your notes.')
    // A toast stays while the pointer is over it.
    await toast(page).hover()
    await expect(liveRegion(page, 'toast')).toHaveText(
      'upper-case 1.0.0 was rejected. Marta Okafor can read your notes.',
    )
    await expect(liveRegion(page, 'held')).toBeEmpty()
    await expect(page.getByRole('button', { name: /^Undo/ })).toHaveCount(0)
    await page.keyboard.press('z')
    expect(await getDeskRelease(await desk.client('ilse'), id)).toMatchObject({
      status: 'rejected',
      held: null,
    })
    expect(await violations(page, 'the toast without undo')).toEqual([])
    await expect(toast(page)).toContainText('was rejected.')
  })
})
