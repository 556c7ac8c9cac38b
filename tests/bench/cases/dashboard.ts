import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { startOwner } from '../../support/agents/agent-owner.ts'
import { addManyRows, makeAgentProject } from '../../support/agents/agent-project.ts'
import { barePaths, bareQuery } from '../../support/agents/bare-queries.ts'
import { timeAnswer, untilIdle } from '../../support/agents/poll-dashboard.ts'
import type { Case, Measured } from '../compare.ts'
import { atMost, median, show } from '../figures.ts'
import { startBuiltServer } from '../processes.ts'

const addRow = `INSERT INTO audit_log (timestamp, lamport, agent_name, event_type, detail, content_hash)
  VALUES ('2026-11-01 10:00:00', 1, 'writer', 'agent.step', 'a step', '')`

const nameOf = (path: string): string => `dashboard${path.replace('/api', '')}`

/** Answers of one round, of which the median counts. */
const answers = 10

/** The dashboard's answers, after a row was written, against the plain query in this process and JSON.stringify. */
const endpoints: Case = {
  goals: Object.fromEntries(barePaths.map((path) => [nameOf(path), atMost(2, '× peer')])),
  async measure(bench) {
    const folder = mkdtempSync(join(bench.folder, 'agents-'))
    const project = makeAgentProject(join(folder, 'project'), {
      fill: (filled) => addManyRows(filled, bench.size.agents),
    })
    const data = join(folder, 'data')
    mkdirSync(data)
    const server = await startBuiltServer(data, { SKILLDOCK_WORKSPACE: project.folder })
    const owner = await startOwner(project)
    const database = new Sqlite(project.file, { readonly: true })
    try {
      await untilIdle(server.pid)
      const measured: Record<string, Measured> = {}
      for (const path of barePaths) {
        const [values, served, queried]: [number[], number[], number[]] = [[], [], []]
        await timeAnswer(`${server.localUrl}${path}`)
        for (let round = 0; round < bench.size.rounds; round += 1) {
          const times = { answer: [] as number[], query: [] as number[], http: [] as number[] }
          for (let answer = 0; answer < answers; answer += 1) {
            await owner.run(addRow)
            times.answer.push(await timeAnswer(`${server.localUrl}${path}`))
            const startedAt = performance.now()
            JSON.stringify(bareQuery(database, path))
            times.query.push(performance.now() - startedAt)
            times.http.push(await timeAnswer(`${server.localUrl}/api/health`))
          }
          // An answer over HTTP is added to the plain query, for a fair comparison.
          const [ours, peer] = [median(times.answer), median(times.query) + median(times.http)]
          served.push(ours)
          queried.push(peer)
          values.push(ours / peer)
        }
        const note = `${show(median(served))} ms; peer ${show(median(queried))} ms`
        measured[nameOf(path)] = { values, note }
      }
      return measured
    } finally {
      database.close()
      await owner.kill()
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  },
}

export const dashboardCases: readonly Case[] = [endpoints]
