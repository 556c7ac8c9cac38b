import {
  agentCsv,
  auditCsv,
  budgetCsv,
  costCsv,
  costEventCsv,
  edgeCsv,
  routeCsv,
  supervisorCsv,
  trustCsv,
} from './agent-exports.rules.ts'
import type { Csv } from './agent-exports.rules.ts'
import type { AgentViews } from './agent-views.service.ts'

export type ExportEnding = 'csv' | 'json'

export interface AgentExport {
  /** Safe for use in a header. */
  fileName: string
  /** Chunks of the file, produced on demand. */
  chunks: AsyncIterable<string>
}

/** Rows per chunk. */
const chunkRows = 2000

/**
 * Exports of the lists by route name, with all rows that match the filter. The next chunk is read when it is requested.
 */
export const createAgentExports = (views: AgentViews) => ({
  Agents: exportOf('list', () => agentCsv, views.listDeskAgents),
  Supervisors: exportOf('supervisors', () => supervisorCsv, views.listDeskSupervisors),
  AgentCost: exportOf('cost', ({ by }: { by: 'model' | 'agent' }) => costCsv(by), views.exportAgentCost),
  AgentBudgets: exportOf('budgets', () => budgetCsv, views.listAgentBudgets),
  CostEvents: exportOf('cost-events', () => costEventCsv, views.listCostEvents),
  Audit: exportOf('audit', () => auditCsv, views.listAudit),
  Trust: exportOf('trust', () => trustCsv, views.listTrust),
  Edge: exportOf('edge', () => edgeCsv, views.listEdge),
  Routes: exportOf('routes', () => routeCsv, views.listBrokerRoutes),
})

export type AgentExports = ReturnType<typeof createAgentExports>

const exportOf =
  <Query, Row>(
    name: string,
    csvFor: (query: Query) => Csv<Row>,
    list: (call: { query: Query }) => Promise<Page<Row>>,
  ) =>
  async (ending: ExportEnding, query: Omit<Query, keyof Place>): Promise<AgentExport> => {
    const pages = pagesOf<Row>((place) => list({ query: { ...query, ...place } as unknown as Query }))
    // The first page is read at once, so that an error is an error response and not a broken file.
    const first = await pages.next()
    const all = chain(first.done === true ? [] : first.value, pages)
    return {
      fileName: `skilldock-agents-${name}-${new Date().toISOString().slice(0, 10)}.${ending}`,
      chunks: ending === 'csv' ? csvChunks(csvFor(query as Query), all) : jsonChunks(all),
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

async function* pagesOf<Row>(list: (place: Place) => Promise<Page<Row>>): AsyncGenerator<readonly Row[]> {
  let place: Place = { limit: chunkRows, offset: 0 }
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const { items, total, older } = await list(place)
    yield items
    if (older === null || total === undefined) return
    if (older !== undefined) place = { ...place, before: older }
    else if (items.length < chunkRows) return
    else place = { ...place, offset: place.offset + chunkRows }
  }
}

async function* chain<Row>(
  first: readonly Row[],
  rest: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  yield first
  yield* rest
}

async function* csvChunks<Row>(csv: Csv<Row>, pages: AsyncGenerator<readonly Row[]>): AsyncGenerator<string> {
  yield csv.head
  for await (const rows of pages) yield csv.linesOf(rows)
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
