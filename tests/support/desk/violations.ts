import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type axeCore from 'axe-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the violations that axe finds on a page in light and, for colors only, in dark mode, because the document is
 * the same. `within` limits the check to an element. Frames are excluded, because those of the desk have no interface.
 */
export async function violations(page: Page, screen: string, within = 'html'): Promise<string[]> {
  const found: string[] = []
  // A page that is still being loaded has none.
  if (within === 'html') await page.locator('h1').first().waitFor({ state: 'attached' })
  // Loading axe takes as long as a run, so it stays in the document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  for (const [colorScheme, other] of [
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const) {
    // Animations are off, because otherwise axe would see a color in transition between the schemes.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator(`html[data-mantine-color-scheme="${other}"]`)).toHaveCount(0)
    const nodes = await page.evaluate(
      async ({ selector, rules }) => {
        const { axe } = globalThis as unknown as { axe: typeof axeCore }
        // Describing passed checks, and fetching style sheets and media again, would take most of the time.
        const { violations: all } = await axe.run(selector, {
          resultTypes: ['violations'],
          preload: false,
          iframes: false,
          ...(rules === null ? {} : { runOnly: rules }),
        })
        return all.flatMap(({ id, nodes: elements }) => elements.map(({ html }) => `${id}: ${html}`))
      },
      { selector: within, rules: colorScheme === 'light' ? null : ['color-contrast', 'link-in-text-block'] },
    )
    found.push(...nodes.map((node) => `${screen}, ${colorScheme}, ${node}`))
  }
  return found
}
