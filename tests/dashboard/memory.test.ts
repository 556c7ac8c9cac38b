import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { startOwner } from '../support/agents/agent-owner.ts'
import { fillLargely, makeAgentProject } from '../support/agents/agent-project.ts'
import { askDashboard, residentBytes, untilIdle } from '../support/agents/poll-dashboard.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'

afterAll(cleanUp)

/** A kept answer per round is several times as much over the rounds between the two measurements. */
const moreBytes = 24 * 1024 * 1024

test.skipIf(process.platform !== 'linux')(
  'twenty-five minutes of a program that asks each second, without its pauses, make the processes no larger',
  async () => {
    const project = makeAgentProject(join(temporaryFolder(), 'polled'), {
      fill: (filled) => fillLargely(filled, { agents: 200, audit: 5000 }),
    })
    const server = await serve(temporaryFolder(), { SKILLDOCK_WORKSPACE: project.folder })
    const owner = await startOwner(project)
    try {
      /** Asks for all of it so many times; gives what the processes held after each. */
      const poll = async (rounds: number): Promise<number[]> => {
        const held: number[] = []
        for (let round = 0; round < rounds; round += 1) {
          // oxlint-disable-next-line no-await-in-loop
          await askDashboard(server.dashboard)
          held.push(residentBytes(server.pid))
        }
        return held
      }
      // What the reader keeps of the project is filled in the pauses between questions: here, before the owner writes.
      await poll(1)
      await untilIdle(server.pid)
      await owner.keepWriting(100)
      // Memory is returned to the system now and then, and the later the busier the machine is: the lowest figure
      // at the end is compared with the highest one after the warm-up.
      await poll(900)
      const before = Math.max(...(await poll(150)))
      await poll(300)
      const after = Math.min(...(await poll(150)))
      expect(after - before, `from ${before} to ${after} bytes`).toBeLessThan(moreBytes)
    } finally {
      await owner.kill()
      await server.stop()
    }
  },
  300_000,
)
