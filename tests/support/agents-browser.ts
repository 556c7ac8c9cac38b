import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startOwner } from './agent-owner.ts'
import type { AgentOwner } from './agent-owner.ts'
import { agentProject } from './agent-project.ts'
import type { AgentProject } from './agent-project.ts'
import { test as base } from './desk-browser.ts'
import type { Desk } from './desk-browser.ts'

export { expect } from './desk-browser.ts'

interface Fixtures {
  /** The project that the desk shows; its database is not there until the test makes it. */
  project: AgentProject
  /** Another process that has the project's database open; the test has made it before it asks for this. */
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

/** A browser in which ilse looks at a view; `path` begins below `/desk/agents`. */
export async function openAgents(desk: Desk, path: string): Promise<Page> {
  const page = await desk.open('ilse')
  await page.goto(`${desk.dashboard}/desk/agents${path}`)
  return page
}
