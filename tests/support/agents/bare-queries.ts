import type Sqlite from 'better-sqlite3'

const like = (word: string): string =>
  ['agent_name', 'event_type', 'detail'].map((column) => `${column} LIKE '%${word}%'`).join(' OR ')

/** The plain query behind each path of the dashboard. */
const queries: Record<string, (all: (sql: string) => unknown) => unknown> = {
  '/api/agents': (all) => all('SELECT * FROM agents ORDER BY name'),
  '/api/supervisors': (all) => [
    all('SELECT * FROM supervisors ORDER BY name'),
    all(`SELECT c.*, a.status FROM supervisor_children c LEFT JOIN agents a ON a.name = c.agent_name
         ORDER BY supervisor_id, position`),
  ],
  '/api/cost': (all) => all('SELECT * FROM cost_budgets ORDER BY agent_name'),
  '/api/audit': (all) => all('SELECT * FROM audit_log ORDER BY id DESC LIMIT 500'),
  '/api/audit?before=500000': (all) =>
    all('SELECT * FROM audit_log WHERE id < 500000 ORDER BY id DESC LIMIT 500'),
  '/api/audit?q=nowhere': (all) =>
    all(`SELECT * FROM audit_log WHERE ${like('nowhere')} ORDER BY id DESC LIMIT 500`),
  '/api/trust': (all) => all('SELECT * FROM trust_records ORDER BY agent_name'),
  '/api/broker': (all) => [
    all(`SELECT count(*), sum(handler_type = 'skill'), sum(handler_type = 'wasm'), sum(handler_type = 'llm'),
           sum(cost_cents), avg(latency_ms) FROM broker_routes`),
    all('SELECT * FROM skills ORDER BY name'),
    all('SELECT * FROM broker_routes ORDER BY created_at DESC LIMIT 50'),
  ],
  '/api/edge': (all) => all('SELECT * FROM edge_deployments ORDER BY agent_name'),
}

export const barePaths = Object.keys(queries)

/** The rows of a path of the dashboard, read directly from the project's database. */
export const bareQuery = (database: Sqlite.Database, path: string): unknown =>
  queries[path]?.((sql) => database.prepare(sql).all())
