import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'

/** What axe finds on a page of the desk, in light, and of its colours also in dark. */
export async function violations(page: Page, screen: string): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    // Nothing moves, or a colour on its way from one scheme to the other would be measured.
    // oxlint-disable-next-line no-await-in-loop
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // oxlint-disable-next-line no-await-in-loop
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    const axe = new AxeBuilder({ page }).setLegacyMode()
    // The document is the same in dark.
    const rules = colorScheme === 'light' ? axe : axe.withRules(['color-contrast', 'link-in-text-block'])
    // oxlint-disable-next-line no-await-in-loop
    const { violations: all } = await rules.analyze()
    for (const { id, nodes } of all) {
      found.push(...nodes.map(({ html }) => `${screen}, ${colorScheme}, ${id}: ${html}`))
    }
  }
  return found
}
