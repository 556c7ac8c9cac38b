import type { AuditRow } from '../../../shared/contracts/desk-agents-audit.ts'
import type { AgentBudget, CostEvent, CostExportRow } from '../../../shared/contracts/desk-agents-cost.ts'
import type { AgentTrust, BrokerRoute, EdgeDeployment } from '../../../shared/contracts/desk-agents-tables.ts'
import type { AgentRow, Supervisor } from '../../../shared/contracts/desk-agents.ts'
import { toLine } from '../log/audit-log.rules.ts'

type Cell = string | number | null

/** A CSV file: its head, and the lines of some rows. */
export interface Csv<Row> {
  head: string
  linesOf(rows: readonly Row[]): string
}

type Column<Row> = readonly [head: string, value: (row: Row) => Cell]

/** A file with a line per row and these columns, each with its value. */
const csv = <Row>(columns: readonly Column<Row>[]): Csv<Row> => ({
  head: toLine(columns.map(([head]) => head)),
  linesOf: (rows) => rows.map((row) => toLine(columns.map(([, value]) => value(row)))).join(''),
})

/** Columns named like their fields. */
const fields = <Name extends string>(...names: Name[]): Column<Record<Name, Cell>>[] =>
  names.map((name) => [name, (row) => row[name]])

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')

export const agentCsv = csv<AgentRow>([
  ['agent', ({ name }) => name],
  ...fields('state', 'status', 'supervisor', 'source'),
  ['release', ({ release }) => (release === null ? null : `${release.name} ${release.version}`)],
  ['release status', ({ release }) => release?.status ?? null],
  ['last activity', ({ lastActivityAt }) => lastActivityAt],
  ['spent today, cents', ({ spentToday }) => spentToday?.cents ?? null],
  ['unpriced calls today', ({ spentToday }) => spentToday?.unpriced ?? null],
  ['spent this month, cents', ({ spentMonth }) => spentMonth?.cents ?? null],
  ['unpriced calls this month', ({ spentMonth }) => spentMonth?.unpriced ?? null],
  ['created', ({ createdAt }) => createdAt],
])

interface ChildRow {
  supervisor: Supervisor
  child: Supervisor['children'][number] | null
}

const childRows = (supervisor: Supervisor): ChildRow[] =>
  (supervisor.children.length === 0 ? [null] : supervisor.children).map((child) => ({ supervisor, child }))

const childCsv = csv<ChildRow>([
  ['supervisor', ({ supervisor }) => supervisor.name],
  ['state', ({ supervisor }) => supervisor.status],
  ['strategy', ({ supervisor }) => supervisor.strategy],
  ['max restarts', ({ supervisor }) => supervisor.maxRestarts],
  ['window, seconds', ({ supervisor }) => supervisor.windowSeconds],
  ['restarts in window', ({ supervisor }) => supervisor.restarts?.inWindow ?? null],
  ['agent', ({ child }) => child?.agent ?? null],
  ['position', ({ child }) => child?.position ?? null],
  ['agent state', ({ child }) => (child === null ? null : (child.state ?? 'no such agent'))],
  ['last event', ({ child }) => child?.lastEvent?.event ?? null],
  ['last event at', ({ child }) => child?.lastEvent?.at ?? null],
  ['note', ({ child }) => child?.note?.kind ?? null],
])

/** One line per child; a supervisor without children has one line. */
export const supervisorCsv: Csv<Supervisor> = {
  head: childCsv.head,
  linesOf: (supervisors) => childCsv.linesOf(supervisors.flatMap(childRows)),
}

export const costCsv = (by: 'model' | 'agent') =>
  csv<CostExportRow>([
    ...fields('from', 'to'),
    [by, ({ name }) => name],
    ['calls', ({ calls }) => calls],
    ['unpriced calls', ({ unpriced }) => unpriced],
    ['cents', ({ cents }) => cents],
    ['tokens in', (row) => row.tokens_in],
    ['tokens out', (row) => row.tokens_out],
  ])

export const budgetCsv = csv<AgentBudget>([
  ['agent', ({ agent }) => agent],
  ['state', ({ state }) => state ?? 'no such agent'],
  ['period', ({ period }) => period],
  ['budget, cents', ({ budgetCents }) => budgetCents],
  ['spent, cents', ({ spentCents }) => spentCents],
  ['used, percent', ({ usedPercent }) => usedPercent],
  ['alert threshold, percent', ({ alertAt }) => alertAt],
  ['forecast, cents', ({ expectedCents }) => expectedCents],
  ['action', ({ action }) => action],
  ['starts', ({ startsAt }) => startsAt],
  ['ends', ({ endsAt }) => endsAt],
  ['last reset', ({ lastReset }) => lastReset],
])

export const costEventCsv = csv<CostEvent>([
  ['time', ({ at }) => at],
  ...fields('agent', 'model'),
  ['tokens in', ({ tokensIn }) => tokensIn],
  ['tokens out', ({ tokensOut }) => tokensOut],
  ...fields('cents', 'id'),
])

export const auditCsv = csv<AuditRow>([
  ['row', ({ id }) => id],
  ['time', ({ at }) => at],
  ...fields('lamport', 'agent', 'event', 'detail', 'hash'),
  ['hash matches', ({ verified }) => yesOrNo(verified)],
  ['computed hash', ({ computed }) => computed],
  ['missing rows before it', ({ gap }) => gap?.rows ?? 0],
])

export const trustCsv = csv<AgentTrust>([
  ['agent', ({ agent }) => agent],
  ['known agent', ({ known }) => yesOrNo(known)],
  ...fields('auid', 'tier', 'score', 'rating'),
  ['verified', ({ verifiedAt }) => verifiedAt],
  ['status', ({ status }) => status],
])

export const edgeCsv = csv<EdgeDeployment>([
  ['agent', ({ agent }) => agent],
  ['agent state', ({ agentState }) => agentState ?? 'no such agent'],
  ...fields('worker', 'region', 'status', 'url'),
  ['deployed', ({ deployedAt }) => deployedAt],
])

export const routeCsv = csv<BrokerRoute>([
  ['time', ({ at }) => at],
  ...fields('task', 'handler', 'type', 'cents'),
  ['latency, ms', ({ latencyMs }) => latencyMs],
  ['id', ({ id }) => id],
])
