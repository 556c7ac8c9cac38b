import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import type Sqlite from 'better-sqlite3'
import { makeDeskLink } from '../../../src/server/commands/desk-link.ts'
import { withPeople } from '../../../src/server/commands/open-people.ts'
import { agentPaths } from '../../../src/shared/agent-paths.ts'
import { startOwner } from '../../support/agents/agent-owner.ts'
import type { AgentOwner } from '../../support/agents/agent-owner.ts'
import { addManyRows, makeAgentProject } from '../../support/agents/agent-project.ts'
import type { Journal } from '../../support/agents/agent-project.ts'
import { untilIdle } from '../../support/agents/poll-dashboard.ts'
import { BROWSER_ARGUMENTS, requireProgram } from '../../support/programs.ts'
import type { Case } from '../compare.ts'
import type { Bench } from '../context.ts'
import { atMost, show } from '../figures.ts'
import { cpuSecondsOf, startBuiltServer } from '../processes.ts'
import type { Running } from '../processes.ts'

/** The view that the desk shows, or null for no desk. */
const views: Record<string, string | null> = {
  'nobody looking': null,
  'overview open': agentPaths.overview,
  'agents open': agentPaths.agents,
  'audit open': agentPaths.audit,
  '30 days of cost open': `${agentPaths.cost}?period=30+days`,
}

const nameOf = (view: string): string => `agents/3 rows a second, ${view}`

const commitNames: Record<Journal, string> = {
  wal: "agents/owner's longest commit, WAL",
  delete: "agents/owner's longest commit, rollback journal",
}

/** As many calls as audit rows, within the last 30 days, of all agents and five models. */
const addCalls = (database: Sqlite.Database, { agents, audit }: { agents: number; audit: number }): void => {
  database
    .prepare(
      `WITH RECURSIVE call (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM call WHERE n < ?)
       INSERT INTO cost_events (agent_name, amount_cents, model, tokens_in, tokens_out, created_at)
       SELECT printf('agent-%05d', n % ?), n % 7, 'model-' || n % 5, n % 3000, n % 900,
         datetime('now', '-' || (n * 2592000 / ?) || ' seconds')
       FROM call`,
    )
    .run(audit, agents, audit)
}

/** Opens a view like a person whose desk stays open. */
async function openView(page: Page, folder: string, origin: string, path: string): Promise<void> {
  const { url } = await makeDeskLink(folder, origin, 'operator')
  if (url === null) throw new Error('There is no link')
  await page.goto(`${origin}${path}${new URL(url).hash}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

interface Project {
  data: string
  server: Running
  owner: AgentOwner
}

/** Starts a server on an agent project in which another process writes, and waits until it has read all rows. */
async function withProject<T>(
  bench: Bench,
  journal: Journal,
  work: (project: Project) => Promise<T>,
): Promise<T> {
  await bench.stopServers()
  const folder = mkdtempSync(join(bench.folder, 'live-'))
  const project = makeAgentProject(join(folder, 'project'), {
    journal,
    fill(database) {
      addManyRows(database, bench.size.agents)
      addCalls(database, bench.size.agents)
    },
  })
  const data = join(folder, 'data')
  mkdirSync(data)
  await withPeople((people) => people.issueToken({ subject: 'operator', role: 'administrator' }), data)
  const server = await startBuiltServer(data, { SKILLDOCK_WORKSPACE: project.folder })
  const owner = await startOwner(project, journal)
  try {
    await untilIdle(server.pid)
    return await work({ data, server, owner })
  } finally {
    await owner.kill()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

/** The owner's longest commit in `observeMs`, in milliseconds, writing 50 rows a second. */
async function longestCommit(owner: AgentOwner): Promise<number> {
  await owner.keepWriting(20)
  await delay(observeMs)
  return (await owner.stopWriting()).longestMs
}

async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const program = requireProgram('chromium')
  if (program === null) throw new Error('Chromium is not installed')
  const browser = await chromium.launch({
    executablePath: program,
    chromiumSandbox: false,
    args: BROWSER_ARGUMENTS,
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Processor time of all processes of a server whose agent project gets three audit rows a second, in % of a core. */
const live: Case = {
  goals: Object.fromEntries(
    Object.entries(views).map(([view, path]) => [nameOf(view), atMost(path === null ? 2 : 8, '%')]),
  ),
  isSlow: true,
  measure: (bench) =>
    withBrowser((browser) =>
      withProject(bench, 'wal', async ({ data, server, owner }) => {
        await owner.keepWriting(1000 / 3)
        const percents = new Map<string, number[]>(Object.keys(views).map((view) => [view, []]))
        for (let round = 0; round < bench.size.rounds; round += 1) {
          for (const [view, path] of Object.entries(views)) {
            const page = path === null ? null : await browser.newPage()
            if (page !== null && path !== null) await openView(page, data, server.localUrl, path)
            await delay(settleMs)
            const [cpuBefore, startedAt] = [cpuSecondsOf(server.pid), performance.now()]
            await delay(observeMs)
            const seconds = (performance.now() - startedAt) / 1000
            percents.get(view)?.push(((cpuSecondsOf(server.pid) - cpuBefore) / seconds) * 100)
            await page?.close()
          }
        }
        const note = 'processor time of all processes of the server, in % of a core'
        return Object.fromEntries([...percents].map(([view, values]) => [nameOf(view), { values, note }]))
      }),
    ),
}

/** The longest that the owner of a project waits for a commit at 50 rows a second, while a desk shows the overview. */
const commits = (journal: Journal): Case => ({
  goals: { [commitNames[journal]]: atMost(20, 'ms') },
  isSlow: true,
  measure: (bench) =>
    withBrowser((browser) =>
      withProject(bench, journal, async ({ data, server, owner }) => {
        const page = await browser.newPage()
        await openView(page, data, server.localUrl, agentPaths.overview)
        const values: number[] = []
        for (let round = 0; round < bench.size.rounds; round += 1) values.push(await longestCommit(owner))
        await page.close()
        await server.stop()
        const alone = show(await longestCommit(owner))
        return { [commitNames[journal]]: { values, note: `${alone} ms after the server has stopped` } }
      }),
    ),
})

/** Until a view has been opened and its first reads are over. */
const settleMs = 5000
/** Long enough for two of the slowest reads, which pause up to 10 s. */
const observeMs = 20_000

export const liveAgentCases: readonly Case[] = [live, commits('wal'), commits('delete')]
