import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { startOwner } from '../support/agents/agent-owner.ts'
import { addManyRows, makeAgentProject } from '../support/agents/agent-project.ts'
import { requestAll, residentBytes, untilIdle } from '../support/agents/poll-dashboard.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'

afterAll(cleanUp)

/** Leaking one page of the audit per round adds more than 40 MB between the two measurements. */
const maxGrowthBytes = 24 * 1024 * 1024

test.skipIf(process.platform !== 'linux')(
  'memory use does not grow with 1,050 rounds of requests',
  async () => {
    const project = makeAgentProject(join(temporaryFolder(), 'polled'), {
      fill: (filled) => addManyRows(filled, { agents: 200, audit: 5000 }),
    })
    const server = await serve(temporaryFolder(), { SKILLDOCK_WORKSPACE: project.folder })
    const owner = await startOwner(project)
    try {
      /** Polls all paths; returns the memory used after each round. */
      const poll = async (rounds: number): Promise<number[]> => {
        const memory: number[] = []
        for (let round = 0; round < rounds; round += 1) {
          await requestAll(server.dashboard)
          memory.push(residentBytes(server.pid))
        }
        return memory
      }
      // Fill the reader's caches in the pauses between requests, before the owner writes.
      await poll(1)
      await untilIdle(server.pid)
      await owner.keepWriting(100)
      // Memory is returned to the system with a delay, longer on a busy machine: compare the lowest figure at the end
      // with the highest one after the warm-up.
      await poll(450)
      const before = Math.max(...(await poll(150)))
      let after = Infinity
      // A leak grows each time; a busy machine only needs longer to return memory.
      for (let attempt = 0; attempt < 3 && after - before >= maxGrowthBytes; attempt += 1) {
        await poll(300)
        after = Math.min(...(await poll(150)))
      }
      expect(after - before, `from ${before} to ${after} bytes`).toBeLessThan(maxGrowthBytes)
    } finally {
      await owner.kill()
      await server.stop()
    }
  },
  300_000,
)
