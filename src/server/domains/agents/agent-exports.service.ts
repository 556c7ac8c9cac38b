import {
  agentColumns,
  auditColumns,
  budgetColumns,
  costColumns,
  costEventColumns,
  csvHeadOf,
  csvOf,
  edgeColumns,
  routeColumns,
  supervisorColumns,
  supervisorLines,
  trustColumns,
} from './agent-exports.rules.ts'
import type { Columns } from './agent-exports.rules.ts'
import type { AgentReads } from './agent-reads.service.ts'
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
export function createAgentExports(reads: AgentReads, views: AgentViews) {
  /** `linesOf`: the lines of a CSV file, if they are not the rows. */
  const file =
    <Query, Row, Line = Row>(
      name: string,
      columns: Columns<Line> | ((query: Query) => Columns<Line>),
      pagesOf: (query: Query) => AsyncGenerator<readonly Row[]>,
      linesOf = (rows: readonly Row[]) => rows as unknown as readonly Line[],
    ) =>
    async (ending: ExportEnding, query: Query): Promise<AgentExport> => {
      const pages = pagesOf(query)
      // The first chunk is read at once, so that an error is an error response and not a broken file.
      const first = await pages.next()
      const all = chain(first.done === true ? [] : first.value, pages)
      const own = typeof columns === 'function' ? columns(query) : columns
      return {
        fileName: `skilldock-agents-${name}-${new Date().toISOString().slice(0, 10)}.${ending}`,
        chunks: ending === 'csv' ? csvChunks(own, linesOf, all) : jsonChunks(all),
      }
    }

  return {
    Agents: file('list', agentColumns, byOffset(views.listDeskAgents)),
    Supervisors: file(
      'supervisors',
      supervisorColumns,
      once(() => views.listDeskSupervisors()),
      supervisorLines,
    ),
    AgentCost: file(
      'cost',
      ({ by }: CostQuery) => costColumns(by),
      once((query: CostQuery) => reads.read('deskCostRows', query)),
    ),
    AgentBudgets: file('budgets', budgetColumns, byOffset(views.listAgentBudgets)),
    CostEvents: file('cost-events', costEventColumns, byOffset(views.listCostEvents)),
    Audit: file(
      'audit',
      auditColumns,
      paged(views.listAudit, ({ older }) => (older === null ? null : { before: older })),
    ),
    Trust: file('trust', trustColumns, byOffset(views.listTrust)),
    Edge: file('edge', edgeColumns, byOffset(views.listEdge)),
    Routes: file('routes', routeColumns, byOffset(views.listBrokerRoutes)),
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

const once = <Query, Row>(list: (query: Query) => Promise<Page<Row>>) =>
  async function* (query: Query): AsyncGenerator<readonly Row[]> {
    yield (await list(query)).items
  }

async function* chain<Row>(
  first: readonly Row[],
  rest: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  yield first
  yield* rest
}

async function* csvChunks<Row, Line>(
  columns: Columns<Line>,
  linesOf: (rows: readonly Row[]) => readonly Line[],
  pages: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvHeadOf(columns)
  for await (const rows of pages) yield csvOf(columns, linesOf(rows))
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
