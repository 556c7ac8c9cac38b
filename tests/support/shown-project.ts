import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import type Sqlite from 'better-sqlite3'
import { makeAgentProject } from './agent-project.ts'
import type { AgentProject } from './agent-project.ts'
import type { Desk } from './desk-browser.ts'

/** Makes an agent project in the test's own folder and has the desk show it. */
export async function showProject(
  desk: Desk,
  fill: (database: Sqlite.Database) => void,
): Promise<AgentProject> {
  const project = makeAgentProject(join(desk.folder, 'team'), { fill })
  const ilse = await desk.client('ilse')
  const { status } = await ilse.send('PUT', '/agents/project', { folder: project.folder })
  expect(status).toBe(200)
  return project
}

/** What axe finds: everything in light, and in dark the colours, for the document is the same. */
export async function findViolations(page: Page, name: string): Promise<string[]> {
  const found: string[] = []
  for (const scheme of ['light', 'dark'] as const) {
    // Nothing moves, or a colour on its way from one scheme to the other would be measured.
    // oxlint-disable-next-line no-await-in-loop
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    // oxlint-disable-next-line no-await-in-loop
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
    const axe = new AxeBuilder({ page }).setLegacyMode()
    // oxlint-disable-next-line no-await-in-loop
    const { violations } = await (
      scheme === 'light' ? axe : axe.withRules(['color-contrast', 'link-in-text-block'])
    ).analyze()
    for (const { id, nodes } of violations) {
      found.push(`${name}, ${scheme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    }
  }
  return found
}
