import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AgentProject } from './agent-project.ts'
import { agentProject } from './agent-project.ts'
import { startTestServer } from '../server/server.ts'
import type { TestServer } from '../server/server.ts'

/** The paths of section 4.5. */
export const dashboardPaths = [
  '/api/agents',
  '/api/supervisors',
  '/api/cost',
  '/api/audit',
  '/api/trust',
  '/api/broker',
  '/api/edge',
] as const

export interface DashboardReply {
  status: number
  headers: Headers
  body: Record<string, unknown> & { error?: string; code?: string }
}

export interface TestDashboard extends TestServer {
  project: AgentProject
  get(path: string): Promise<DashboardReply>
}

/** A server with an agent project that does not exist yet. */
export async function startTestDashboard(): Promise<TestDashboard> {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-agents-test-'))
  const server = await startTestServer({ config: { workspace: folder } })
  return {
    ...server,
    project: agentProject(folder),
    get: (path) => getJson(`${server.dashboard}${path}`),
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function getJson(url: string): Promise<DashboardReply> {
  const response = await fetch(url)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as DashboardReply['body'],
  }
}

/** The files next to a database, with their sizes and modification times. */
export function listFolder({ file }: AgentProject): Record<string, string> {
  const folder = dirname(file)
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => {
        const { size, mtimeMs, ino } = statSync(join(folder, name))
        return [name, `${ino} ${size} ${mtimeMs}`]
      }),
  )
}
