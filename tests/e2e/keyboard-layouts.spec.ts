import type { Page } from '@playwright/test'
import { skipWithout } from '../support/programs.ts'
import { expect, test } from '../support/desk/desk-browser.ts'

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

for (const [layout, k, g, h] of [
  ['Cyrillic', 'л', 'п', 'р'],
  ['Greek', 'κ', 'γ', 'η'],
] as const) {
  test(`shortcuts work on a ${layout} layout, and typing stays typing`, async ({ desk }) => {
    const page = await desk.open('tomas')
    await press(page, g, 'KeyG')
    await press(page, h, 'KeyH')
    await expect(page).toHaveURL(/\/desk\/history$/)
    await press(page, k, 'KeyK', control)
    const field = page
      .getByRole('dialog')
      .getByRole('combobox')
      .or(page.getByRole('dialog').getByRole('textbox'))
    await expect(field.first()).toBeFocused()
    await press(page, k, 'KeyK')
    await expect(field.first()).toHaveValue(k)
  })
}

test('a Latin layout goes by what its keys type', async ({ desk }) => {
  const page = await desk.open('tomas')
  // Dvorak: its H is where a US keyboard has J.
  await press(page, 'g', 'KeyU')
  await press(page, 'h', 'KeyJ')
  await expect(page).toHaveURL(/\/desk\/history$/)
})
