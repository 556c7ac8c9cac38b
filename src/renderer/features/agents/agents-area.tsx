import { Route, Switch } from 'wouter'
import { NotFound } from '../../components/feedback/not-found.tsx'
import { AgentPage } from './agents/agent-page.tsx'
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
          <NotFound home="/agents" />
        </Route>
      </Switch>
    </AgentsFrame>
  )
}
