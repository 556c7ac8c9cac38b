import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type axeCore from 'axe-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds on a page in light and, of its colours, also in dark, for the document is the same; `within` limits
 * it to the element that this selector matches. Frames are left out: those of the desk only compute.
 */
export async function violations(page: Page, screen: string, within = 'html'): Promise<string[]> {
  const found: string[] = []
  // Loading axe costs as much as a run, so a document keeps it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  for (const [colorScheme, other] of [
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const) {
    // Nothing moves, or a colour on its way from one scheme to the other would be measured.
    // oxlint-disable-next-line no-await-in-loop
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // oxlint-disable-next-line no-await-in-loop
    await expect(page.locator(`html[data-mantine-color-scheme="${other}"]`)).toHaveCount(0)
    // oxlint-disable-next-line no-await-in-loop
    const nodes = await page.evaluate(
      async ({ selector, rules }) => {
        const { axe } = globalThis as unknown as { axe: typeof axeCore }
        // Describing everything that passes, and fetching style sheets and media again, takes most of a run's time.
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
