import { IconRobotOff } from '@tabler/icons-react'
import { Link, useSearch } from 'wouter'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { listWords } from '../../../lib/format.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { useAgentRead } from '../agent-live.ts'
import classes from './agent-page.module.css'
import { agentQuery } from '../agents.api.ts'
import { AgentBudgetFacts } from './agent-budget.tsx'
import { AgentDeployments } from './agent-deployments.tsx'
import { AgentFacts } from './agent-facts.tsx'
import { AgentModuleFacts } from './agent-module.tsx'
import { AgentSpend } from './agent-spend.tsx'
import { AgentStateSign } from '../components/agent-state.tsx'
import { AgentTimeline } from './agent-timeline.tsx'
import { AgentTrustFacts } from './agent-trust.tsx'
import { AlertList } from '../overview/alert-list.tsx'
import { ReadPage } from '../components/read-page.tsx'

/** All that is known of one agent. */
export function AgentPage() {
  const name = new URLSearchParams(useSearch()).get('name') ?? ''
  useTitle(name, 'Agents')
  const read = useAgentRead(agentQuery(name))
  const { data } = read
  const agent = data?.agent
  return (
    <ReadPage
      title={name}
      label={`Agent ${name}`}
      what="the agent"
      read={read}
      tools={
        <>
          {agent != null && <AgentStateSign state={agent.state} status={agent.status} />}
          <Link href="/agents/list" className={classes['all']}>
            All agents
          </Link>
        </>
      }
    >
      {agent === null && (
        <EmptyState icon={IconRobotOff} title={`There is no agent ${name} in this project`}>
          {data !== undefined && data.namedIn.length > 0 ? (
            <p>These tables still name it: {listWords(data.namedIn)}.</p>
          ) : (
            <p>No table names it.</p>
          )}
          <p>
            <Link href="/agents/list">All agents</Link>
          </p>
        </EmptyState>
      )}
      {agent != null && (
        <>
          {agent.alerts.length > 0 && (
            <AlertList alerts={agent.alerts} total={agent.alerts.length} agent={name} />
          )}
          <div className={classes['columns']}>
            <div className={classes['column']}>
              <AgentFacts agent={agent} />
              <AgentModuleFacts module={agent.module} />
              <AgentBudgetFacts budget={agent.budget} agent={name} />
              <AgentTrustFacts trust={agent.trust} />
              <AgentDeployments deployments={agent.deployments} />
            </div>
            <div className={classes['column']}>
              <AgentSpend agent={agent} />
              <AgentTimeline agent={name} rows={agent.timeline} total={agent.timelineTotal} />
            </div>
          </div>
        </>
      )}
    </ReadPage>
  )
}
