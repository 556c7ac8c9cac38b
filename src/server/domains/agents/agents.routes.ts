import { Readable } from 'node:stream'
import { agentPageSize } from '../../../shared/contracts/desk-agents-common.ts'
import type { deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import type { Handlers } from '../../http/mount.ts'
import type { FileReply } from '../../http/replies.ts'
import type { AgentAlerts } from './agent-alerts.service.ts'
import type { AgentExport, AgentExports, ExportEnding } from './agent-exports.service.ts'
import type { AgentProjects } from './agent-projects.service.ts'
import type { AgentReads } from './agent-reads.service.ts'
import type { AgentViews } from './agent-views.service.ts'

export interface AgentServices {
  projects: AgentProjects
  views: AgentViews
  reads: AgentReads
  alerts: AgentAlerts
  exports: AgentExports
}

type Routes = typeof deskAgentRoutes
type ExportKey = Extract<keyof Routes, `export${string}`>

/** The views of agents in the desk. */
export function agentHandlers(services: AgentServices): Handlers<Routes> {
  return {
    ...projectHandlers(services),
    ...viewHandlers(services),
    ...tableHandlers(services),
    ...exportHandlers(services),
  }
}

function projectHandlers({
  projects,
  alerts,
}: AgentServices): Handlers<
  Pick<
    Routes,
    'getAgentProject' | 'chooseAgentProject' | 'retryAgentProject' | 'forgetAgentProject' | 'markAlertSeen'
  >
> {
  return {
    getAgentProject: () => projects.getProject(),
    chooseAgentProject: ({ body }) => projects.choose(body.folder),
    retryAgentProject: () => projects.retry(),
    forgetAgentProject: ({ body }) => projects.forget(body.folder),
    async markAlertSeen({ caller, params }) {
      await alerts.markSeen(caller, params.id)
      return { success: true }
    },
  }
}

function viewHandlers({
  views,
}: AgentServices): Handlers<
  Pick<Routes, 'getAgentOverview' | 'listDeskAgents' | 'getDeskAgent' | 'listDeskSupervisors' | 'listAudit'>
> {
  return {
    getAgentOverview: (call) => views.getOverview(call.untilGone()),
    listDeskAgents: (call) => views.listAgents(call.query, call.untilGone()),
    getDeskAgent: (call) => views.getAgent(call.query.name, call.untilGone()),
    listDeskSupervisors: (call) => views.listSupervisors(call.untilGone()),
    listAudit: (call) => views.listAudit(call.query, call.untilGone()),
  }
}

type TableKey =
  | 'getSupervisorRestarts'
  | 'getAgentCost'
  | 'listAgentBudgets'
  | 'listCostEvents'
  | 'getAuditFacets'
  | 'listTrust'
  | 'listEdge'
  | 'getAgentBroker'
  | 'listBrokerRoutes'

function tableHandlers({ reads }: AgentServices): Handlers<Pick<Routes, TableKey>> {
  const limit = agentPageSize
  const flat = async <Value extends object, Stamp>(asked: Promise<{ stamp: Stamp; value: Value }>) => {
    const { stamp, value } = await asked
    return { stamp, ...value }
  }
  return {
    getSupervisorRestarts: (call) => flat(reads.read('deskRestarts', call.query, call.untilGone())),
    getAgentCost: (call) => flat(reads.read('deskCost', call.query, call.untilGone())),
    listAgentBudgets: (call) => flat(reads.read('deskBudgets', { ...call.query, limit }, call.untilGone())),
    listCostEvents: (call) => flat(reads.read('deskCostEvents', { ...call.query, limit }, call.untilGone())),
    getAuditFacets: (call) => flat(reads.read('deskAuditFacets', null, call.untilGone())),
    listTrust: (call) => flat(reads.read('deskTrust', { ...call.query, limit }, call.untilGone())),
    listEdge: (call) => flat(reads.read('deskEdge', { ...call.query, limit }, call.untilGone())),
    getAgentBroker: (call) => flat(reads.read('deskBroker', call.query, call.untilGone())),
    listBrokerRoutes: (call) =>
      flat(reads.read('deskRoutesList', { ...call.query, limit }, call.untilGone())),
  }
}

function exportHandlers({ exports }: AgentServices): Handlers<Pick<Routes, ExportKey>> {
  return {
    exportAgentsCsv: ({ query }) => replyWith('csv', exports.exportAgents('csv', query)),
    exportAgentsJson: ({ query }) => replyWith('json', exports.exportAgents('json', query)),
    exportSupervisorsCsv: () => replyWith('csv', exports.exportSupervisors('csv')),
    exportSupervisorsJson: () => replyWith('json', exports.exportSupervisors('json')),
    exportAgentCostCsv: ({ query }) => replyWith('csv', exports.exportCost('csv', query)),
    exportAgentCostJson: ({ query }) => replyWith('json', exports.exportCost('json', query)),
    exportAgentBudgetsCsv: ({ query }) => replyWith('csv', exports.exportBudgets('csv', query)),
    exportAgentBudgetsJson: ({ query }) => replyWith('json', exports.exportBudgets('json', query)),
    exportCostEventsCsv: ({ query }) => replyWith('csv', exports.exportCostEvents('csv', query)),
    exportCostEventsJson: ({ query }) => replyWith('json', exports.exportCostEvents('json', query)),
    exportAuditCsv: ({ query }) => replyWith('csv', exports.exportAudit('csv', query)),
    exportAuditJson: ({ query }) => replyWith('json', exports.exportAudit('json', query)),
    exportTrustCsv: ({ query }) => replyWith('csv', exports.exportTrust('csv', query)),
    exportTrustJson: ({ query }) => replyWith('json', exports.exportTrust('json', query)),
    exportEdgeCsv: ({ query }) => replyWith('csv', exports.exportEdge('csv', query)),
    exportEdgeJson: ({ query }) => replyWith('json', exports.exportEdge('json', query)),
    exportRoutesCsv: ({ query }) => replyWith('csv', exports.exportRoutes('csv', query)),
    exportRoutesJson: ({ query }) => replyWith('json', exports.exportRoutes('json', query)),
  }
}

const mediaTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

/** Its size is known when it is sent. */
async function replyWith(ending: ExportEnding, asked: Promise<AgentExport>): Promise<FileReply> {
  const { fileName, pieces } = await asked
  return {
    mediaType: mediaTypes[ending],
    size: null,
    headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
    stream: () => Readable.from(pieces, { objectMode: false, highWaterMark: 65_536 }),
    close: () => Promise.resolve(),
  }
}
