/** The tables of an agent project, as the agent runtime creates them (rulings, "Dashboard API"). */
export const projectSchema = `
CREATE TABLE agents (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, template TEXT, source TEXT,
  status TEXT NOT NULL DEFAULT 'stopped', pid INTEGER, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
);
CREATE TABLE supervisors (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, strategy TEXT NOT NULL, max_restarts INTEGER NOT NULL,
  restart_window INTEGER NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL
);
CREATE TABLE supervisor_children (
  supervisor_id TEXT NOT NULL, agent_name TEXT NOT NULL, position INTEGER NOT NULL,
  PRIMARY KEY (supervisor_id, agent_name)
);
CREATE TABLE cost_budgets (
  agent_name TEXT PRIMARY KEY, budget_cents INTEGER NOT NULL, period TEXT NOT NULL, alert_at INTEGER NOT NULL,
  action TEXT NOT NULL, spent_cents INTEGER DEFAULT 0, last_reset TEXT
);
CREATE TABLE cost_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT, agent_name TEXT NOT NULL, amount_cents INTEGER, model TEXT,
  tokens_in INTEGER, tokens_out INTEGER, created_at TEXT NOT NULL
);
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, lamport INTEGER NOT NULL, agent_name TEXT,
  event_type TEXT NOT NULL, detail TEXT, content_hash TEXT NOT NULL
);
CREATE TABLE trust_records (
  agent_name TEXT PRIMARY KEY, auid TEXT, trust_tier TEXT, t_score INTEGER, credit_rating TEXT, verified_at TEXT,
  status TEXT
);
CREATE TABLE broker_routes (
  id INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT NOT NULL, handler TEXT NOT NULL, handler_type TEXT NOT NULL,
  cost_cents INTEGER NOT NULL DEFAULT 0, latency_ms INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL
);
CREATE TABLE skills (
  name TEXT PRIMARY KEY, version TEXT NOT NULL, source TEXT, wasm_path TEXT, description TEXT, installed_at TEXT NOT NULL
);
CREATE TABLE edge_deployments (
  agent_name TEXT PRIMARY KEY, worker_name TEXT, region TEXT, status TEXT, url TEXT, deployed_at TEXT
);
CREATE TABLE sagas (id TEXT PRIMARY KEY, name TEXT, status TEXT, created_at TEXT);
CREATE TABLE saga_steps (saga_id TEXT, position INTEGER, name TEXT, status TEXT);
CREATE TABLE workflows (id TEXT PRIMARY KEY, name TEXT, status TEXT, created_at TEXT);
CREATE TABLE workflow_steps (workflow_id TEXT, position INTEGER, name TEXT, status TEXT);
CREATE TABLE pools (name TEXT PRIMARY KEY, size INTEGER, created_at TEXT);
CREATE TABLE pool_members (pool_name TEXT, agent_name TEXT);
`
