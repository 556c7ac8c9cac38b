import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startOwner } from '../support/agents/agent-owner.ts'
import { addManyRows, makeAgentProject } from '../support/agents/agent-project.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import { dashboardPaths, getJson } from '../support/agents/dashboard.ts'
import { timeAnswer } from '../support/agents/poll-dashboard.ts'

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
const worst = (times: readonly number[]): number => Math.max(...times)

afterAll(cleanUp)

test('while another program has locked the file, the registry is not slowed down', async () => {
  const project = makeAgentProject(join(temporaryFolder(), 'held'), {
    journal: 'delete',
    fill: (filled) => addManyRows(filled, { agents: 100, audit: 100 }),
  })
  const server = await serve(temporaryFolder(), { SKILLDOCK_WORKSPACE: project.folder })
  const owner = await startOwner(project, 'delete')
  try {
    const catalog = `${server.registry}/api/marketplace/skills`
    const timeMany = async (): Promise<number[]> => {
      const times: number[] = []
      for (let n = 0; n < 200; n += 1) times.push(await timeAnswer(catalog))
      return times
    }
    await timeMany()
    const unlocked = await timeMany()
    await owner.run('BEGIN EXCLUSIVE')
    await owner.run("UPDATE agents SET status = 'paused'")
    const requests = [...dashboardPaths, ...dashboardPaths, ...dashboardPaths].map((path) =>
      getJson(`${server.dashboard}${path}`),
    )
    const whileLocked = await timeMany()
    expect(median(whileLocked)).toBeLessThan(median(unlocked) + 50)
    expect(worst(whileLocked)).toBeLessThan(worst(unlocked) + 50)
    for (const { status } of await Promise.all(requests)) expect(status).toBe(503)
  } finally {
    await owner.kill()
    await server.stop()
  }
})
