import type { Page } from '@playwright/test'
import { skipWithout } from '../support/programs.ts'
import { expect, test } from '../support/desk/desk-browser.ts'
import { goInDesk } from '../support/desk/desk-page.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

/** Presses a key as a keyboard of this layout sends it. */
async function press(page: Page, key: string, code: string, modifiers = 0): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const event = { key, code, modifiers, windowsVirtualKeyCode: code.charCodeAt(3) }
  const text = modifiers === 0 ? { text: key } : {}
  await browser.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...text })
  await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
  await browser.detach()
}

const control = 2

test('shortcuts work on layouts of other scripts, and a Latin layout uses the characters it types', async ({
  desk,
}) => {
  const page = await desk.open('tomas')
  const queue = page.getByRole('complementary', { name: 'Queue' })
  for (const [layout, k, g, h] of [
    ['Cyrillic', 'л', 'п', 'р'],
    ['Greek', 'κ', 'γ', 'η'],
  ] as const) {
    await test.step(`shortcuts work on a ${layout} layout, and typing stays typing`, async () => {
      await press(page, g, 'KeyG')
      await press(page, h, 'KeyH')
      await expect(page).toHaveURL(/\/desk\/history$/)
      await press(page, k, 'KeyK', control)
      const dialog = page.getByRole('dialog')
      const field = dialog.getByRole('combobox').or(dialog.getByRole('textbox')).first()
      await expect(field).toBeFocused()
      await press(page, k, 'KeyK')
      await expect(field).toHaveValue(k)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await goInDesk(page, 'review')
      await expect(queue).toBeVisible()
    })
  }
  await test.step('a Latin layout uses the characters that its keys type', async () => {
    // Dvorak: its H is where a US keyboard has J.
    await press(page, 'g', 'KeyU')
    await press(page, 'h', 'KeyJ')
    await expect(page).toHaveURL(/\/desk\/history$/)
  })
})
