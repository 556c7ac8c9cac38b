import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { startOwner } from '../support/agents/agent-owner.ts'
import { addManyRows, makeAgentProject } from '../support/agents/agent-project.ts'
import { requestAll, residentBytes, untilIdle } from '../support/agents/poll-dashboard.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'

afterAll(cleanUp)

/** Leaking one page of the audit per round adds more than 26 MB between two measurements. */
const maxGrowthBytes = 16 * 1024 * 1024
const warmUpRounds = 100
const roundsBetween = 200
const measuredRounds = 50

test.skipIf(process.platform !== 'linux')(
  'memory use does not grow with each round of requests',
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
      await poll(warmUpRounds)
      let growth = Infinity
      let former = await poll(measuredRounds)
      // A leak grows each time. Otherwise memory grows until V8 has the heap that it wants, and is returned to the system with a
      // delay: compare the lowest figure with the highest one of the measurement before.
      for (let attempt = 0; attempt < 5 && growth >= maxGrowthBytes; attempt += 1) {
        await poll(roundsBetween)
        const latter = await poll(measuredRounds)
        growth = Math.min(...latter) - Math.max(...former)
        former = latter
      }
      expect(growth).toBeLessThan(maxGrowthBytes)
    } finally {
      await owner.kill()
      await server.stop()
    }
  },
  300_000,
)
