import { dayMs, hourMs } from '../queries/times.ts'
import { tableKinds } from './tables.ts'
import type { TableName } from './tables.ts'

/**
 * A mirror of another version is rebuilt: raise this whenever anything in this file, in `tables.ts` or in a stored field
 * of a contract changes.
 */
export const schemaVersion = 10

const copiedTables = Object.entries(tableKinds).map(
  ([name, { columns }]) =>
    `CREATE TABLE ${name} (key INTEGER PRIMARY KEY, ${Object.keys(columns).join(', ')});`,
)

const sums = 'calls INTEGER, unpriced INTEGER, cents REAL, tokensIn INTEGER, tokensOut INTEGER'

/** SQL for the state of the agent of this name (of the last one if there are several); null without such an agent. */
export const stateOfAgent = (name: string): string =>
  `(SELECT state FROM agents WHERE name = ${name} ORDER BY key DESC LIMIT 1)`

export const schema = `
CREATE TABLE project (file TEXT, inode TEXT);
-- Of the tables that grow: how many finishing steps are done, and when all rows had been compared last.
CREATE TABLE copied (source TEXT PRIMARY KEY, finished INTEGER, checked_at REAL);
${copiedTables.join('\n')}

CREATE INDEX agents_by_name ON agents (name);
CREATE INDEX agents_by_state ON agents (state);
CREATE INDEX children_by_agent ON children (agent, supervisor);
CREATE INDEX children_by_supervisor ON children (supervisor);
CREATE INDEX budgets_by_agent ON budgets (agent);
CREATE INDEX trust_by_agent ON trust (agent);
CREATE INDEX deployments_by_agent ON deployments (agent);

CREATE VIEW used_budgets AS
SELECT *,
  CASE
    WHEN usedPercent IS NULL THEN 'unknown' WHEN usedPercent >= 100 THEN 'over'
    WHEN usedPercent >= alertAt THEN 'passed' ELSE 'below'
  END AS mark,
  ${stateOfAgent('agent')} AS state
FROM (
  SELECT *, CASE WHEN budgetCents > 0 THEN round(spentCents / budgetCents * 100, 6) END AS usedPercent FROM budgets
);

-- How many ids are missing right before a row's own.
ALTER TABLE audit ADD COLUMN gap INTEGER NOT NULL DEFAULT 0;
CREATE INDEX audit_by_kind ON audit (kind, agent, at, key) WHERE kind IS NOT NULL;
-- The newest row of each agent, and its newest about an exit: known from the first rows on.
CREATE TABLE last_events (agent TEXT PRIMARY KEY, key INTEGER, exit INTEGER) WITHOUT ROWID;
CREATE TRIGGER audit_put_last AFTER INSERT ON audit WHEN NEW.agent IS NOT NULL BEGIN
  INSERT INTO last_events VALUES (NEW.agent, NEW.key, iif(NEW.kind = 'exit', NEW.key, NULL))
  ON CONFLICT DO UPDATE SET key = max(coalesce(key, excluded.key), excluded.key),
    exit = max(coalesce(exit, excluded.exit), coalesce(excluded.exit, exit))
  WHERE excluded.key > coalesce(key, 0) OR excluded.exit > coalesce(exit, 0);
END;
CREATE TRIGGER audit_gone_last AFTER DELETE ON audit WHEN OLD.agent IS NOT NULL BEGIN
  UPDATE last_events
  SET key = (SELECT max(key) FROM audit WHERE agent = OLD.agent),
    exit = (SELECT max(key) FROM audit WHERE agent = OLD.agent AND kind = 'exit')
  WHERE agent = OLD.agent AND OLD.key IN (key, exit);
  DELETE FROM last_events WHERE agent = OLD.agent AND key IS NULL;
END;
CREATE TABLE audit_names (facet TEXT, name TEXT, rows INTEGER, PRIMARY KEY (facet, name)) WITHOUT ROWID;

-- Sums over costs. Names are JSON, because null is one of them.
CREATE TABLE spend_by_model (start INTEGER, name TEXT, ${sums}, PRIMARY KEY (start, name)) WITHOUT ROWID;
CREATE TABLE spend_by_agent (start INTEGER, name TEXT, ${sums}, PRIMARY KEY (start, name)) WITHOUT ROWID;
CREATE INDEX spend_of_agent ON spend_by_agent (name, start, calls, unpriced, cents);
-- Sums to recompute because a call was deleted.
CREATE TABLE stale_spend_by_model (start, name);
CREATE TABLE stale_spend_by_agent (start, name);
`

const newerKey = (key: string): string => `(SELECT min(key) FROM audit WHERE key > ${key})`
const setGaps = `UPDATE audit SET gap = coalesce(key - 1 - (SELECT max(older.key) FROM audit older WHERE older.key < audit.key), 0)`

const auditGaps = `
UPDATE audit SET gap = found.gap
FROM (SELECT key, key - 1 - lag(key) OVER (ORDER BY key) AS gap FROM audit) found
WHERE found.key = audit.key AND found.gap > 0;
CREATE TRIGGER audit_put AFTER INSERT ON audit BEGIN
  ${setGaps} WHERE key IN (NEW.key, ${newerKey('NEW.key')});
END;
CREATE TRIGGER audit_gone AFTER DELETE ON audit BEGIN
  ${setGaps} WHERE key = ${newerKey('OLD.key')};
END`

/** Counts the rows per name in this column of the audit. */
const auditNames = (column: 'agent' | 'event'): string => `
INSERT INTO audit_names SELECT '${column}', ${column}, count(*) FROM audit WHERE ${column} IS NOT NULL GROUP BY ${column};
CREATE TRIGGER audit_put_${column} AFTER INSERT ON audit WHEN NEW.${column} IS NOT NULL BEGIN
  INSERT INTO audit_names VALUES ('${column}', NEW.${column}, 1) ON CONFLICT DO UPDATE SET rows = rows + 1;
END;
CREATE TRIGGER audit_gone_${column} AFTER DELETE ON audit WHEN OLD.${column} IS NOT NULL BEGIN
  UPDATE audit_names SET rows = rows - 1 WHERE facet = '${column}' AND name = OLD.${column};
  DELETE FROM audit_names WHERE facet = '${column}' AND name = OLD.${column} AND rows = 0;
END`

const spend = [
  // The plus keeps SQLite from building an index on models for one query: an hour has few calls.
  { table: 'spend_by_model', column: 'model', ms: hourMs, found: '+model' },
  { table: 'spend_by_agent', column: 'agent', ms: dayMs, found: 'agent' },
] as const

const startOf = (at: string, ms: number): string => `CAST(floor(${at} / ${ms}.0) AS INTEGER) * ${ms}`
const sumUp = 'count(*), count(*) - count(cents), total(cents), sum(tokensIn), sum(tokensOut)'

/** Adds each new call to its sums, and notes the sums of each deleted call. */
const spendSums = spend.map(
  ({ table, column, ms }) => `
INSERT INTO ${table} SELECT ${startOf('at', ms)}, json_quote(${column}), ${sumUp} FROM costs WHERE at IS NOT NULL GROUP BY 1, 2;
CREATE TRIGGER ${table}_put AFTER INSERT ON costs WHEN NEW.at IS NOT NULL BEGIN
  INSERT INTO ${table} VALUES (${startOf('NEW.at', ms)}, json_quote(NEW.${column}), 1, NEW.cents IS NULL,
    coalesce(NEW.cents, 0), NEW.tokensIn, NEW.tokensOut)
  ON CONFLICT DO UPDATE SET calls = calls + 1, unpriced = unpriced + excluded.unpriced, cents = cents + excluded.cents,
    tokensIn = coalesce(tokensIn + excluded.tokensIn, tokensIn, excluded.tokensIn),
    tokensOut = coalesce(tokensOut + excluded.tokensOut, tokensOut, excluded.tokensOut);
END;
CREATE TRIGGER ${table}_gone AFTER DELETE ON costs WHEN OLD.at IS NOT NULL BEGIN
  INSERT INTO stale_${table} VALUES (${startOf('OLD.at', ms)}, OLD.${column});
END`,
)

/**
 * Run once all rows of a table have been copied, one statement or group at a time: indexes maintained during the first
 * copy take ten times as long.
 */
export const finishing: { readonly [Name in TableName]?: readonly string[] } = {
  costs: [
    'CREATE INDEX costs_by_time ON costs (at, key, agent)',
    'CREATE INDEX costs_by_agent ON costs (agent, at)',
    'CREATE INDEX costs_unpriced ON costs (at, agent, model, tokensIn, tokensOut) WHERE cents IS NULL',
    ...spendSums,
  ],
  routes: ['CREATE INDEX routes_by_time ON routes (at, type, handler, cents, latencyMs)'],
  audit: [
    'CREATE INDEX audit_by_agent ON audit (agent, key, at)',
    'CREATE INDEX audit_by_event ON audit (event, key, at)',
    'CREATE INDEX audit_by_time ON audit (at, key)',
    auditGaps,
    'CREATE INDEX audit_trouble ON audit (key, mismatch, gap) WHERE mismatch OR gap',
    auditNames('agent'),
    auditNames('event'),
  ],
}

/**
 * Ends each change of a table's rows. Sums are recomputed, not corrected by subtracting: floating-point errors would
 * accumulate.
 */
export const settling: { readonly [Name in TableName]?: readonly string[] } = {
  costs: spend.flatMap(({ table, ms, found }) => [
    `DELETE FROM ${table} WHERE (start, name) IN (SELECT start, json_quote(name) FROM stale_${table})`,
    `INSERT INTO ${table}
     SELECT stale.start, json_quote(stale.name), ${sumUp} FROM (SELECT DISTINCT start, name FROM stale_${table}) stale
     CROSS JOIN costs ON at >= stale.start AND at < stale.start + ${ms} AND ${found} IS stale.name GROUP BY 1, 2`,
    `DELETE FROM stale_${table}`,
  ]),
}
