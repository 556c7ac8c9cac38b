import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import type { AgentStamp } from '../../../src/shared/contracts/desk-agents-common.ts'
import { agentProject, auditHash } from './agent-project.ts'
import type { AgentProject } from './agent-project.ts'
import { signIn } from '../desk/desk-client.ts'
import type { DeskClient } from '../desk/desk-client.ts'
import { startTestRegistry } from '../server/registry.ts'
import type { TestRegistry } from '../server/registry.ts'
import { until } from '../wait.ts'

export interface DeskAgents extends TestRegistry {
  project: AgentProject
  /** An administrator. */
  rita: DeskClient
  /** `path` is relative to `/desk/api/agents`. Throws if the request fails. */
  read<T>(path: string): Promise<T & { stamp: AgentStamp }>
  /** Reads until all rows are counted and the condition is met. */
  readUntil<T>(what: string, path: string, matches: (value: T) => boolean): Promise<T>
}

/**
 * A registry with a desk and an agent project, whose database does not exist yet unless `project` is given. A data
 * folder that is given is kept at the end.
 */
export async function startDeskAgents({
  folder: data,
  project,
}: { folder?: string; project?: string } = {}): Promise<DeskAgents> {
  const folder = project ?? mkdtempSync(join(tmpdir(), 'skilldock-desk-agents-'))
  const app = await startTestRegistry({
    config: { workspace: folder, undoMs: 0 },
    ...(data === undefined ? {} : { folder: data }),
  })
  const rita = await signIn(app, 'rita')
  const read = async <T>(path: string): Promise<T & { stamp: AgentStamp }> => {
    const reply = await rita.get<T & { stamp: AgentStamp }>(`/agents${path}`)
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  return {
    ...app,
    project: agentProject(folder),
    rita,
    read,
    readUntil: async <T>(what: string, path: string, matches: (value: T) => boolean): Promise<T> =>
      until<T>(what, async () => {
        const value: T & { stamp?: AgentStamp } = await read<T>(path)
        const isCounted = value.stamp === undefined || value.stamp.counting === null
        return isCounted && matches(value) ? value : null
      }),
    async stop() {
      await app.stop()
      if (project === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, as the agent runtime writes it; `ms` from now. */
export const storedTime = (ms = 0): string =>
  new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')

export const hour = 3_600_000
export const day = 86_400_000

export interface AuditWrite {
  id?: number
  at?: string | null
  agent?: string | null
  event?: string
  detail?: string | null
  hash?: string
}

/** Writes an audit row with a correct hash unless one is given. */
export function writeAudit(database: Sqlite.Database, row: AuditWrite): number {
  const { agent = 'alpha', event = 'agent.step', detail = null } = row
  const last = database.prepare('SELECT coalesce(max(id), 0) FROM audit_log').pluck().get()
  const id = row.id ?? Number(last) + 1
  database
    .prepare('INSERT INTO audit_log VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(
      id,
      row.at === undefined ? storedTime() : row.at,
      id,
      agent,
      event,
      detail,
      row.hash ?? auditHash(id, agent, event, detail),
    )
  return id
}

export interface AgentWrite {
  status?: string | null
  source?: string | null
  template?: string | null
  updated?: string
}

export function writeAgent(database: Sqlite.Database, name: string, agent: AgentWrite = {}): void {
  const { status = 'running', source = null, template = null, updated = storedTime(-hour) } = agent
  database
    .prepare('INSERT INTO agents VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    .run(`id-${name}`, name, template, source, status, null, storedTime(-day), updated)
}

export interface CostWrite {
  agent?: string
  cents?: number | string | null
  model?: string | null
  at?: string
  tokens?: [number | null, number | null]
}

export function writeCost(database: Sqlite.Database, cost: CostWrite): void {
  const { agent = 'alpha', cents = 100, model = 'large', at = storedTime(), tokens = [10, 5] } = cost
  database
    .prepare(
      'INSERT INTO cost_events (agent_name, amount_cents, model, tokens_in, tokens_out, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(agent, cents, model, tokens[0], tokens[1], at)
}
