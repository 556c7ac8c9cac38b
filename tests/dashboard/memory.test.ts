import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { startOwner } from '../support/agents/agent-owner.ts'
import { fillLargely, makeAgentProject } from '../support/agents/agent-project.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import { pollDashboard, residentBytes } from '../support/agents/poll-dashboard.ts'

afterAll(cleanUp)

/** What the processes may hold more after another minute of polling than when they had warmed up. */
const moreBytes = 24 * 1024 * 1024

test.skipIf(process.platform !== 'linux')(
  'minutes of polling, thirty times as fast as a program that asks each second, make the processes no larger',
  async () => {
    const project = makeAgentProject(join(temporaryFolder(), 'polled'), {
      fill: (filled) => fillLargely(filled, { agents: 200, audit: 5000 }),
    })
    const server = await serve(temporaryFolder(), { SKILLDOCK_WORKSPACE: project.folder })
    const owner = await startOwner(project)
    try {
      await owner.keepWriting(100)
      /** Asks for so many seconds; gives what the process held at the end of each. */
      const poll = async (seconds: number): Promise<number[]> => {
        const held: number[] = []
        for (let second = 0; second < seconds; second += 1) {
          // oxlint-disable-next-line no-await-in-loop
          await pollDashboard(server.dashboard, { forMs: 1000, everyMs: 33 })
          held.push(residentBytes(server.pid))
        }
        return held
      }
      // What is not needed any more is given back now and then, and the later the busier the machine is: what the
      // process falls back to is held against what it went up to.
      // In the first minute the reader of the project fills what it keeps, a slice in each pause between the questions.
      await poll(60)
      const before = Math.max(...(await poll(30)))
      await poll(30)
      const after = Math.min(...(await poll(30)))
      expect(after - before, `from ${before} to ${after} bytes`).toBeLessThan(moreBytes)
    } finally {
      await owner.kill()
      await server.stop()
    }
  },
  300_000,
)
