import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type Sqlite from 'better-sqlite3'
import { startOwner } from './agent-owner.ts'
import type { AgentOwner } from './agent-owner.ts'
import { agentProject, makeAgentProject } from './agent-project.ts'
import type { AgentProject } from './agent-project.ts'
import { test as base } from '../desk/desk-browser.ts'
import type { Desk, Opener } from '../desk/desk-browser.ts'

export { expect } from '../desk/desk-browser.ts'

interface Fixtures {
  /** The project that the desk shows; the test creates its database. */
  project: AgentProject
  /** Starts another process that has the project's database open; the test must have created it. */
  owner: () => Promise<AgentOwner>
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern
  async project({}, provide) {
    const folder = mkdtempSync(join(tmpdir(), 'skilldock-agents-browser-'))
    await provide(agentProject(folder))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  },

  async variables({ project }, provide) {
    await provide({ SKILLDOCK_WORKSPACE: project.folder })
  },

  async owner({ project }, provide) {
    const owners: AgentOwner[] = []
    await provide(async () => {
      const owner = await startOwner(project)
      owners.push(owner)
      return owner
    })
    await Promise.all(owners.map((owner) => owner.kill()))
  },
})

/** A browser with ilse on a view; `path` is relative to `/desk/agents`. */
export const openAgents = (desk: Opener, path: string): Promise<Page> =>
  desk.open('ilse', { at: `/agents${path}` })

/** Chooses the agent project of a desk, as its page does. */
export async function showProject(desk: Pick<Desk, 'client'>, folder: string | null): Promise<void> {
  const client = await desk.client('ilse')
  const { status, body } = await client.send('PUT', '/agents/project', { folder })
  if (status !== 200) throw new Error(`project: ${status} ${JSON.stringify(body)}`)
}

/** Creates an agent project in the test's own folder and shows it in the desk. */
export async function showFilled(
  desk: Desk,
  fill: (database: Sqlite.Database) => void,
): Promise<AgentProject> {
  const project = makeAgentProject(join(desk.folder, 'team'), { fill })
  await showProject(desk, project.folder)
  return project
}

/** The rendered rows, without the header. */
export const rowsOf = (page: Page, name: string): Locator =>
  page.getByRole(name === 'Supervisors' ? 'treegrid' : 'grid', { name }).locator('[data-row-index]')
