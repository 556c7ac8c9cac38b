import { VisuallyHidden } from '@mantine/core'
import {
  IconBinaryTree2,
  IconCoins,
  IconLayoutDashboard,
  IconListCheck,
  IconRobot,
  IconRoute,
  IconShieldCheck,
  IconWorld,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ComponentType } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import type { AgentProject } from '../../../shared/contracts/desk-agents-project.ts'
import { AreaSide } from '../../components/area-side.tsx'
import { ErrorBoundary } from '../../components/feedback/error-boundary.tsx'
import { NotFound } from '../../components/feedback/not-found.tsx'
import { Region } from '../../components/feedback/region.tsx'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import { isUnreadable, togglePause, useAgentProject } from './agents.api.ts'
import { AgentPage } from './agents/agent-page.tsx'
import { AgentsPage } from './agents/agents-page.tsx'
import { AuditPage } from './audit/audit-page.tsx'
import { BrokerPage } from './broker/broker-page.tsx'
import { texts } from './agents.texts.ts'
import classes from './components/view-parts.module.css'
import { CostPage } from './cost/cost-page.tsx'
import { EdgePage } from './edge/edge-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { NoProject, ProjectFoot, ProjectNotice } from './project/project.tsx'
import { SupervisorsPage } from './supervisors/supervisors-page.tsx'
import { TrustPage } from './trust/trust-page.tsx'

interface AgentView {
  path: string
  label: string
  icon: Icon
  page: ComponentType
  /** The count shown next to its name in the side column. */
  count?: keyof AgentProject['counts']
}

/** The views in the order of the side column. */
const agentViews: readonly AgentView[] = [
  { path: '/agents', label: texts.overview.title, icon: IconLayoutDashboard, page: OverviewPage },
  { path: '/agents/list', label: texts.agents.title, icon: IconRobot, page: AgentsPage, count: 'agents' },
  {
    path: '/agents/supervisors',
    label: texts.supervisors.title,
    icon: IconBinaryTree2,
    page: SupervisorsPage,
    count: 'supervisors',
  },
  { path: '/agents/cost', label: texts.cost.title, icon: IconCoins, page: CostPage },
  { path: '/agents/audit', label: texts.audit.title, icon: IconListCheck, page: AuditPage },
  { path: '/agents/trust', label: texts.trust.title, icon: IconShieldCheck, page: TrustPage },
  { path: '/agents/broker', label: texts.broker.title, icon: IconRoute, page: BrokerPage },
  { path: '/agents/edge', label: texts.edge.title, icon: IconWorld, page: EdgePage, count: 'deployments' },
]

/** The Agents area: the state, history and cost of the agents of the selected project. */
export function AgentsArea() {
  const { data } = useAgentProject()
  const projects = useProjectsShown(data?.folder)
  const [location, navigate] = useLocation()
  const here = location === '/agents/agent' ? '/agents/list' : location
  useActions([
    { id: 'pause', label: texts.area.actions.pause, group: 'Look', keys: ['p'], run: togglePause },
    ...agentViews.map(({ path, label }) => ({
      id: `go-${path}`,
      label: texts.area.actions.open(label),
      group: 'Go' as const,
      run: () => navigate(path),
    })),
  ])
  const wasRead = useQueryClient()
    .getQueryCache()
    .findAll({ queryKey: ['agents'] })
    .some(({ queryKey, state }) => queryKey[1] !== 'project' && state.data !== undefined)
  // The views of an unreadable project only show what was read before. If nothing was, the notice is enough.
  const isShown = data?.state !== 'none' && data?.state !== 'missing' && (!isUnreadable(data) || wasRead)
  return (
    <AreaSide
      name={texts.area.title}
      views={agentViews.map(({ path, label, icon, count }) => ({
        path,
        label,
        icon,
        here: here === path,
        count: data === undefined || count === undefined ? null : data.counts[count],
      }))}
      foot={data === undefined ? null : <ProjectFoot project={data} />}
    >
      <Region name="sheet" className={classes['view']}>
        <ProjectNotice />
        {(data?.state === 'none' || data?.state === 'missing') && <NoProject project={data} />}
        {isShown ? (
          <ErrorBoundary what={texts.area.view} heading={texts.area.title} resetKey={location}>
            {/* Each project has views of its own, so that no rows of one appear in another. */}
            <Switch key={projects}>
              {agentViews.map(({ path, page }) => (
                <Route key={path} path={path} component={page} />
              ))}
              <Route path="/agents/agent" component={AgentPage} />
              <Route>
                <NotFound home="/agents" />
              </Route>
            </Switch>
          </ErrorBoundary>
        ) : (
          <VisuallyHidden component="h1">{texts.area.title}</VisuallyHidden>
        )}
        <div className={classes['toasts']}>
          <ToastArea />
        </div>
      </Region>
    </AreaSide>
  )
}

/** Increases when another project is chosen; not when the project becomes known, which may be later than its rows. */
function useProjectsShown(folder: string | null | undefined): number {
  const [shown, setShown] = useState({ folder, count: 0 })
  if (folder !== undefined && folder !== shown.folder)
    setShown({ folder, count: shown.folder === undefined ? shown.count : shown.count + 1 })
  return shown.count
}
