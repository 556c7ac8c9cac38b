import type { Supervisor } from '../../../shared/contracts/desk-agents.ts'
import { csvOf } from '../../../shared/csv.ts'
import type { Columns, ExportedFile } from '../../../shared/csv.ts'
import type { AgentViews } from './agent-views.service.ts'

export type ExportEnding = 'csv' | 'json'

/** Rows per chunk. */
const chunkRows = 2000

/** One line per child; a supervisor without children has one line. */
const childRows = (supervisor: Supervisor) =>
  (supervisor.children.length === 0 ? [null] : supervisor.children).map((child) => ({ supervisor, child }))

/**
 * Exports of the lists by route name, with all rows that match the filter. The next chunk is read when it is requested.
 */
export const createAgentExports = (views: AgentViews) => ({
  Agents: exportOf('list', views.listDeskAgents, [
    ['agent', 'name'],
    'state',
    'status',
    'supervisor',
    'source',
    ['release', ({ release }) => release && `${release.name} ${release.version}`],
    ['release status', ({ release }) => release?.status ?? null],
    ['last activity', 'lastActivityAt'],
    ['spent today, cents', ({ spentToday }) => spentToday?.cents ?? null],
    ['unpriced calls today', ({ spentToday }) => spentToday?.unpriced ?? null],
    ['spent this month, cents', ({ spentMonth }) => spentMonth?.cents ?? null],
    ['unpriced calls this month', ({ spentMonth }) => spentMonth?.unpriced ?? null],
    ['created', 'createdAt'],
  ]),
  Supervisors: exportOf(
    'supervisors',
    views.listDeskSupervisors,
    [
      ['supervisor', ({ supervisor }) => supervisor.name],
      ['state', ({ supervisor }) => supervisor.status],
      ['strategy', ({ supervisor }) => supervisor.strategy],
      ['max restarts', ({ supervisor }) => supervisor.maxRestarts],
      ['window, seconds', ({ supervisor }) => supervisor.windowSeconds],
      ['restarts in window', ({ supervisor }) => supervisor.restarts?.inWindow ?? null],
      ['agent', ({ child }) => child?.agent ?? null],
      ['position', ({ child }) => child?.position ?? null],
      ['agent state', ({ child }) => child && (child.state ?? 'no such agent')],
      ['last event', ({ child }) => child?.lastEvent?.event ?? null],
      ['last event at', ({ child }) => child?.lastEvent?.at ?? null],
      ['note', ({ child }) => child?.note?.kind ?? null],
    ],
    childRows,
  ),
  AgentCost: exportOf('cost', views.exportAgentCost, ({ by }) => [
    'from',
    'to',
    [by, 'name'],
    'calls',
    ['unpriced calls', 'unpriced'],
    'cents',
    ['tokens in', 'tokens_in'],
    ['tokens out', 'tokens_out'],
  ]),
  AgentBudgets: exportOf('budgets', views.listAgentBudgets, [
    'agent',
    ['state', ({ state }) => state ?? 'no such agent'],
    'period',
    ['budget, cents', 'budgetCents'],
    ['spent, cents', 'spentCents'],
    ['used, percent', 'usedPercent'],
    ['alert threshold, percent', 'alertAt'],
    ['forecast, cents', 'expectedCents'],
    'action',
    ['starts', 'startsAt'],
    ['ends', 'endsAt'],
    ['last reset', 'lastReset'],
  ]),
  CostEvents: exportOf('cost-events', views.listCostEvents, [
    ['time', 'at'],
    'agent',
    'model',
    ['tokens in', 'tokensIn'],
    ['tokens out', 'tokensOut'],
    'cents',
    'id',
  ]),
  Audit: exportOf('audit', views.listAudit, [
    ['row', 'id'],
    ['time', 'at'],
    'lamport',
    'agent',
    'event',
    'detail',
    'hash',
    ['hash matches', 'verified'],
    ['computed hash', 'computed'],
    ['missing rows before it', ({ gap }) => gap?.rows ?? 0],
  ]),
  Trust: exportOf('trust', views.listTrust, [
    'agent',
    ['known agent', 'known'],
    'auid',
    'tier',
    'score',
    'rating',
    ['verified', 'verifiedAt'],
    'status',
  ]),
  Edge: exportOf('edge', views.listEdge, [
    'agent',
    ['agent state', ({ agentState }) => agentState ?? 'no such agent'],
    'worker',
    'region',
    'status',
    'url',
    ['deployed', 'deployedAt'],
  ]),
  Routes: exportOf('routes', views.listBrokerRoutes, [
    ['time', 'at'],
    'task',
    'handler',
    'type',
    'cents',
    ['latency, ms', 'latencyMs'],
    'id',
  ]),
})

export type AgentExports = ReturnType<typeof createAgentExports>

/** `linesOf`: the rows of the CSV file for one row of the list, if it is not the same. */
const exportOf =
  <Query, Row, Line = Row>(
    name: string,
    list: (call: { query: Query }) => Promise<Page<Row>>,
    columns: NoInfer<Columns<Line>> | ((query: Query) => NoInfer<Columns<Line>>),
    linesOf = (row: Row): Line[] => [row as unknown as Line],
  ) =>
  async (ending: ExportEnding, query: Omit<Query, keyof Place>): Promise<ExportedFile> => {
    const read = (place: Place) => list({ query: { ...query, ...place } as unknown as Query })
    // The first page is read at once, so that an error is an error response and not a broken file.
    const pages = pagesOf(read, await read(firstPlace))
    const used = typeof columns === 'function' ? columns(query as Query) : columns
    return {
      fileName: `skilldock-agents-${name}-${new Date().toISOString().slice(0, 10)}.${ending}`,
      chunks: ending === 'csv' ? csvChunks(used, linesOf, pages) : jsonChunks(pages),
    }
  }

interface Place {
  limit: number
  offset: number
  before?: number
}

interface Page<Row> {
  items: readonly Row[]
  /** Only lists that are read in pages have one. */
  total?: number | null
  /** Where the next page of the audit begins. */
  older?: number | null
}

const firstPlace: Place = { limit: chunkRows, offset: 0 }

async function* pagesOf<Row>(
  read: (place: Place) => Promise<Page<Row>>,
  first: Page<Row>,
): AsyncGenerator<readonly Row[]> {
  let place = firstPlace
  for (let page = first; ;) {
    const { items, total, older } = page
    yield items
    if (older === null || total === undefined) return
    if (older !== undefined) place = { ...place, before: older }
    else if (items.length < chunkRows) return
    else place = { ...place, offset: place.offset + chunkRows }
    page = await read(place)
  }
}

async function* csvChunks<Row, Line>(
  columns: Columns<Line>,
  linesOf: (row: Row) => Line[],
  pages: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<string> {
  const csv = csvOf(columns)
  yield csv.head
  for await (const rows of pages) yield rows.flatMap(linesOf).map(csv.lineOf).join('')
}

async function* jsonChunks<Row>(pages: AsyncGenerator<readonly Row[]>): AsyncGenerator<string> {
  let before = '['
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield `${before}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}
