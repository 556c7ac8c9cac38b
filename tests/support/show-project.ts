import type { Page } from '@playwright/test'
import type { Desk } from './desk-browser.ts'

/** Chooses the agent project that a desk shows, as its page does. */
export async function showProject(desk: Pick<Desk, 'client'>, folder: string | null): Promise<void> {
  const client = await desk.client('ilse')
  const { status, body } = await client.send('PUT', '/agents/project', { folder })
  if (status !== 200) throw new Error(`project: ${status} ${JSON.stringify(body)}`)
}

/** The rows that are in the document, without the names of the columns. */
export const rowsOf = (page: Page, name: string) =>
  page.getByRole(name === 'Supervisors' ? 'treegrid' : 'grid', { name }).locator('[data-row-index]')
