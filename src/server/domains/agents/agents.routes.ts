import type { deskAgentRoutes } from '../../../shared/contracts/desk-agents.ts'
import { replyWithExport } from '../../http/downloads.ts'
import type { Handlers } from '../../http/mount.ts'
import type { FileReply } from '../../http/replies.ts'
import type { AgentAlerts } from './agent-alerts.service.ts'
import type { AgentExports, ExportEnding } from './agent-exports.service.ts'
import type { AgentProjects } from './agent-projects.service.ts'
import type { AgentViews } from './agent-views.service.ts'

interface AgentServices {
  projects: AgentProjects
  views: AgentViews
  alerts: AgentAlerts
  exports: AgentExports
}

/** The views of agents in the desk. */
export function agentHandlers(services: AgentServices): Handlers<typeof deskAgentRoutes> {
  const { projects, views, alerts, exports } = services
  return {
    getAgentProject: () => projects.getProject(),
    chooseAgentProject: ({ body }) => projects.choose(body.folder),
    retryAgentProject: () => projects.retry(),
    forgetAgentProject: ({ body }) => projects.forget(body.folder),
    markAlertSeen: ({ caller, params }) => alerts.acknowledge(caller, params.id),
    ...views,
    ...exportHandlers(exports),
  }
}

/** Two handlers per export, under their route names. */
const exportHandlers = (exports: AgentExports) =>
  Object.fromEntries(
    Object.entries(exports).flatMap(([name, write]) =>
      (['csv', 'json'] as const).map((ending) => [
        `export${name}${ending === 'csv' ? 'Csv' : 'Json'}`,
        async ({ query }: { query: never }) => replyWithExport(ending, await write(ending, query)),
      ]),
    ),
  ) as {
    [Key in keyof AgentExports as `export${Key}${Capitalize<ExportEnding>}`]: (call: {
      query: Parameters<AgentExports[Key]>[1]
    }) => Promise<FileReply>
  }
