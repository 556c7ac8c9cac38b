import { IconRobotOff } from '@tabler/icons-react'
import { Link, useSearch } from 'wouter'
import { ReadBones } from '../components/read-bones.tsx'
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
import { AgentStateSign } from './agent-state.tsx'
import { AgentTimeline } from './agent-timeline.tsx'
import { AgentTrustFacts } from './agent-trust.tsx'
import { AlertList } from '../overview/alert-list.tsx'
import { Counting } from '../audit/counting.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { ViewHead } from '../components/view-head.tsx'

/** All that is known of one agent. */
export function AgentPage() {
  const name = new URLSearchParams(useSearch()).get('name') ?? ''
  useTitle(name, 'Agents')
  const read = useAgentRead(agentQuery(name))
  const { data } = read
  const agent = data?.agent
  return (
    <>
      <ViewHead title={name} stamp={data?.stamp ?? null}>
        {agent !== undefined && agent !== null && (
          <AgentStateSign state={agent.state} status={agent.status} />
        )}
        <Link href="/agents/list" className={classes['all']}>
          All agents
        </Link>
      </ViewHead>
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['page']} tabIndex={0} role="region" aria-label={`Agent ${name}`}>
        {read.error !== null && (
          <ReadFailure error={read.error} what="The agent cannot be read" retry={() => void read.refetch()} />
        )}
        {data === undefined && read.error === null && <ReadBones rows={10} height={40} what="the agent" />}
        {data !== undefined && agent === null && (
          <EmptyState icon={IconRobotOff} title={`There is no agent ${name} in this project`}>
            {data.namedIn.length > 0 ? (
              <p>These tables still name it: {listWords(data.namedIn)}.</p>
            ) : (
              <p>No table names it.</p>
            )}
            <p>
              <Link href="/agents/list">All agents</Link>
            </p>
          </EmptyState>
        )}
        {data !== undefined && agent !== undefined && agent !== null && (
          <>
            <Counting stamp={data.stamp} />
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
      </div>
    </>
  )
}
