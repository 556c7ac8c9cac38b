import type { AgentsReader } from '../agents/agents-reader.ts'
import type { Environment } from '../settings/config.ts'
import type { Database } from '../db/database.ts'
import { createAgentAlerts } from '../domains/agents/agent-alerts.service.ts'
import type { OnAlerts } from '../domains/agents/agent-alerts.service.ts'
import { createAgentExports } from '../domains/agents/agent-exports.service.ts'
import { agentModuleRepository } from '../domains/agents/agents.repository.ts'
import { createAgentProjects } from '../domains/agents/agent-projects.service.ts'
import { createAgentViews } from '../domains/agents/agent-views.service.ts'
import { createAgentWatch } from '../domains/agents/agent-watch.service.ts'
import type { LiveSettings } from '../settings/live-settings.ts'
import type { Logger } from '../operations/logging.ts'
import { given } from '../settings/settings.ts'
import { logTexts } from '../operations/log.texts.ts'

interface AgentsDeskParts {
  agents: AgentsReader
  database: Database
  live: LiveSettings
  environment: Environment
  log: Logger
  /** Called inside the transaction that stores new alerts. */
  onAlerts: OnAlerts
}

/** The services behind the desk's agent views. */
export function createAgentsDesk(parts: AgentsDeskParts) {
  const { agents: reader, database, live, environment, log } = parts
  const alerts = createAgentAlerts(database, parts.onAlerts)
  const modules = agentModuleRepository(database.reader)
  const watch = createAgentWatch({ database, reader, alerts, modules, log })
  const views = createAgentViews({ database, reader, alerts, modules, watch })
  const projects = createAgentProjects({
    database,
    reader,
    fixedBy: () => (given(environment, 'SKILLDOCK_WORKSPACE') === null ? null : 'SKILLDOCK_WORKSPACE'),
    choose: (folder) => live.save({ workspace: folder }),
    facts: () => watch.facts,
    countAlerts: alerts.count,
  })
  const rememberChosen = (): void => {
    projects.rememberChosen().catch((error: unknown) => log.warn({ err: error }, logTexts.projectNotRecorded))
  }
  live.onChange(rememberChosen)
  return {
    alerts,
    views,
    projects,
    exports: createAgentExports(views),
    readVersion: watch.readVersion,
    /** Watches the chosen project until `end`. */
    start(): void {
      rememberChosen()
      watch.start()
    },
    end: watch.end,
  }
}

export type AgentsDesk = ReturnType<typeof createAgentsDesk>
