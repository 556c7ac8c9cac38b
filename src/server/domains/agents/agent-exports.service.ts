import type { AuditFilter } from '../../../shared/contracts/desk-agents-audit.ts'
import type { BudgetFilter, CostEventFilter, CostFilter } from '../../../shared/contracts/desk-agents-cost.ts'
import type { EdgeFilter, RouteFilter, TrustFilter } from '../../../shared/contracts/desk-agents-tables.ts'
import type { AgentFilter } from '../../../shared/contracts/desk-agents.ts'
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
  trustColumns,
} from './agent-exports.rules.ts'
import type { ChildRow, Columns } from './agent-exports.rules.ts'
import type { AgentReads } from './agent-reads.service.ts'
import type { AgentViews } from './agent-views.service.ts'

export type ExportEnding = 'csv' | 'json'

export interface AgentExport {
  /** Safe in a header. */
  fileName: string
  /** Pieces of the file, each made when it is asked for. */
  pieces: AsyncIterable<string>
}

/** Rows of one piece. */
const pieceRows = 2000

/** Files of what the lists show, all rows of a filter; the worker goes on with the next piece when it is asked for. */
export function createAgentExports(reads: AgentReads, views: AgentViews, clock = (): Date => new Date()) {
  /** The first piece is read at once, so that a refusal is an answer and no broken file. */
  const toFile = async <Row>(
    name: string,
    ending: ExportEnding,
    columns: Columns<Row>,
    pages: AsyncGenerator<readonly Row[]>,
  ): Promise<AgentExport> => {
    const first = await pages.next()
    const all = chain(first.done === true ? [] : first.value, pages)
    return {
      fileName: `skilldock-agents-${name}-${clock().toISOString().slice(0, 10)}.${ending}`,
      pieces: ending === 'csv' ? csvPieces(columns, all) : jsonPieces(all),
    }
  }

  return {
    exportAgents: (ending: ExportEnding, query: AgentFilter) =>
      toFile(
        'list',
        ending,
        agentColumns,
        byOffset(
          async ({ offset, limit }) => (await views.listAgents({ ...query, offset }, undefined, limit)).items,
        ),
      ),

    async exportSupervisors(ending: ExportEnding) {
      const { items } = await views.listSupervisors()
      if (ending === 'json') return toFile('supervisors', ending, [], once(items))
      const rows = items.flatMap((supervisor): ChildRow[] =>
        supervisor.children.length === 0
          ? [{ supervisor, child: null }]
          : supervisor.children.map((child) => ({ supervisor, child })),
      )
      return toFile('supervisors', ending, supervisorColumns, once(rows))
    },

    async exportCost(ending: ExportEnding, query: CostFilter) {
      const { value } = await reads.read('deskCostRows', query)
      return toFile('cost', ending, costColumns(query.by), once(value))
    },

    exportBudgets: (ending: ExportEnding, query: BudgetFilter) =>
      toFile(
        'budgets',
        ending,
        budgetColumns,
        byOffset((page) => itemsOf(reads.read('deskBudgets', { ...query, ...page }))),
      ),
    exportCostEvents: (ending: ExportEnding, query: CostEventFilter) =>
      toFile(
        'cost-events',
        ending,
        costEventColumns,
        byOffset((page) => itemsOf(reads.read('deskCostEvents', { ...query, ...page }))),
      ),
    exportTrust: (ending: ExportEnding, query: TrustFilter) =>
      toFile(
        'trust',
        ending,
        trustColumns,
        byOffset((page) => itemsOf(reads.read('deskTrust', { ...query, ...page }))),
      ),
    exportEdge: (ending: ExportEnding, query: EdgeFilter) =>
      toFile(
        'edge',
        ending,
        edgeColumns,
        byOffset((page) => itemsOf(reads.read('deskEdge', { ...query, ...page }))),
      ),
    exportRoutes: (ending: ExportEnding, query: RouteFilter) =>
      toFile(
        'routes',
        ending,
        routeColumns,
        byOffset((page) => itemsOf(reads.read('deskRoutesList', { ...query, ...page }))),
      ),

    exportAudit: (ending: ExportEnding, query: AuditFilter) =>
      toFile('audit', ending, auditColumns, auditPages(query)),
  }

  async function* auditPages(query: AuditFilter) {
    let before: number | null = null
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const page: Awaited<ReturnType<AgentViews['listAuditRows']>> = await views.listAuditRows({
        ...query,
        before,
        limit: pieceRows,
      })
      yield page.items
      if (page.next === null) return
      before = page.next
    }
  }
}

export type AgentExports = ReturnType<typeof createAgentExports>

const itemsOf = async <Row>(asked: Promise<{ value: { items: readonly Row[] } }>): Promise<readonly Row[]> =>
  (await asked).value.items

async function* once<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows
}

async function* byOffset<Row>(
  read: (page: { offset: number; limit: number }) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; ; offset += pieceRows) {
    // oxlint-disable-next-line no-await-in-loop
    const rows = await read({ offset, limit: pieceRows })
    yield rows
    if (rows.length < pieceRows) return
  }
}

async function* chain<Row>(
  first: readonly Row[],
  rest: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  yield first
  yield* rest
}

async function* csvPieces<Row>(
  columns: Columns<Row>,
  pages: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvHeadOf(columns)
  for await (const rows of pages) yield csvOf(columns, rows)
}

async function* jsonPieces<Row>(pages: AsyncGenerator<readonly Row[]>): AsyncGenerator<string> {
  let before = '['
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield `${before}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`
    before = ','
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}
