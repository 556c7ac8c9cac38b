import { IconHelpCircle } from '@tabler/icons-react'
import { Link, Route, Switch } from 'wouter'
import { EmptyState } from '../../components/empty-state.tsx'
import { AgentPage } from './agent-page.tsx'
import { agentViews } from './agent-views.ts'
import { AgentsFrame } from './components/agents-frame.tsx'

/** The area Agents: what the agents of the chosen project do, have done and cost. */
export function AgentsArea() {
  return (
    <AgentsFrame>
      <Switch>
        {agentViews.map(({ path, page }) => (
          <Route key={path} path={path} component={page} />
        ))}
        <Route path="/agents/agent" component={AgentPage} />
        <Route>
          <EmptyState icon={IconHelpCircle} title="There is nothing at this address">
            <Link href="/agents">Go to the overview</Link>
          </EmptyState>
        </Route>
      </Switch>
    </AgentsFrame>
  )
}
