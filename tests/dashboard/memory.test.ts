import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOwner } from '../support/agent-owner.ts'
import { fillLargely, makeAgentProject } from '../support/agent-project.ts'
import { buildCommandLine, cleanUp, serve, temporaryFolder } from '../support/command-line.ts'
import { pollDashboard, residentBytes } from '../support/poll-dashboard.ts'

beforeAll(buildCommandLine)
afterAll(cleanUp)

/** What a process may hold more after two minutes than after the first half of one. */
const moreBytes = 24 * 1024 * 1024

test.skipIf(process.platform !== 'linux')(
  'two minutes of polling, thirty times as fast as a program that asks each second, make the process no larger',
  async () => {
    const project = makeAgentProject(join(temporaryFolder(), 'polled'), {
      fill: (filled) => fillLargely(filled, { agents: 200, audit: 5000 }),
    })
    const server = await serve(temporaryFolder(), { SKILLDOCK_WORKSPACE: project.folder })
    const owner = await startOwner(project)
    try {
      await owner.keepWriting(100)
      await pollDashboard(server.dashboard, { forMs: 30_000, everyMs: 33 })
      const before = residentBytes(server.pid)
      await pollDashboard(server.dashboard, { forMs: 90_000, everyMs: 33 })
      const after = residentBytes(server.pid)
      expect(after - before, `from ${before} to ${after} bytes`).toBeLessThan(moreBytes)
    } finally {
      await owner.kill()
      await server.stop()
    }
  },
  300_000,
)
