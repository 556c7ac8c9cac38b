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
export function createAgentExports(views: AgentViews) {
  const file =
    <Query, Row>(
      name: string,
      csv: Csv<Row> | ((query: Query) => Csv<Row>),
      pagesOf: (query: Query) => AsyncGenerator<readonly Row[]>,
    ) =>
    async (ending: ExportEnding, query: Query): Promise<AgentExport> => {
      const pages = pagesOf(query)
      // The first chunk is read at once, so that an error is an error response and not a broken file.
      const first = await pages.next()
      const all = chain(first.done === true ? [] : first.value, pages)
      const own = typeof csv === 'function' ? csv(query) : csv
      return {
        fileName: `skilldock-agents-${name}-${new Date().toISOString().slice(0, 10)}.${ending}`,
        chunks: ending === 'csv' ? csvChunks(own, all) : jsonChunks(all),
      }
    }

  return {
    Agents: file('list', agentCsv, byOffset(views.listDeskAgents)),
    Supervisors: file(
      'supervisors',
      supervisorCsv,
      once(() => views.listDeskSupervisors()),
    ),
    AgentCost: file(
      'cost',
      ({ by }: CostQuery) => costCsv(by),
      once((query: CostQuery) => views.exportAgentCost(query)),
    ),
    AgentBudgets: file('budgets', budgetCsv, byOffset(views.listAgentBudgets)),
    CostEvents: file('cost-events', costEventCsv, byOffset(views.listCostEvents)),
    Audit: file(
      'audit',
      auditCsv,
      paged(views.listAudit, ({ older }) => (older === null ? null : { before: older })),
    ),
    Trust: file('trust', trustCsv, byOffset(views.listTrust)),
    Edge: file('edge', edgeCsv, byOffset(views.listEdge)),
    Routes: file('routes', routeCsv, byOffset(views.listBrokerRoutes)),
  }
}

export type AgentExports = ReturnType<typeof createAgentExports>

type CostQuery = Parameters<AgentViews['getAgentCost']>[0]

interface Place {
  offset?: number
  before?: number
}
interface Page<Row> {
  items: readonly Row[]
}

/** All pages of a list; `next` returns where the following page begins. */
function paged<Query, Row, Answer extends Page<Row>>(
  list: (query: Query) => Promise<Answer & Page<Row>>,
  next: (page: Answer, place: Place) => Place | null,
) {
  return async function* (filter: Omit<Query, 'offset' | 'limit'>): AsyncGenerator<readonly Row[]> {
    for (let place: Place | null = {}; place !== null;) {
      const query = { ...filter, offset: 0, ...place, limit: chunkRows }
      // oxlint-disable-next-line no-await-in-loop
      const page: Answer & Page<Row> = await list(query as unknown as Query)
      yield page.items
      place = next(page, place)
    }
  }
}

const byOffset = <Query, Row>(list: (query: Query) => Promise<Page<Row>>) =>
  paged<Query, Row, Page<Row>>(list, ({ items }, { offset = 0 }) =>
    items.length < chunkRows ? null : { offset: offset + chunkRows },
  )

const once = <Query, Row>(list: (query: Query) => Promise<Page<Row>>) => paged(list, () => null)

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
