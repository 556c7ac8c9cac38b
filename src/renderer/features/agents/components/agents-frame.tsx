import { VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { ErrorBoundary } from '../../../components/feedback/error-boundary.tsx'
import { Region } from '../../../components/feedback/region.tsx'
import { AreaSide } from '../../../components/area-side.tsx'
import { ToastArea } from '../../../components/feedback/toast-area.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { isUnreadable, togglePause, useAgentProject } from '../agent-live.ts'
import { agentViews } from '../agent-views.ts'
import classes from './agents-frame.module.css'
import { NoDatabase, NoProject } from '../project/no-project.tsx'
import { ProjectFoot } from '../project/project-foot.tsx'
import { ProjectTrouble } from '../project/project-trouble.tsx'

/** The views of the agents, the one that is open, and which project they are about. */
export function AgentsFrame({ children }: { children: ReactNode }) {
  const project = useAgentProject()
  const [location, navigate] = useLocation()
  const here = location === '/agents/agent' ? '/agents/list' : location
  useActions([
    { id: 'pause', label: 'pause or follow the agents', group: 'Look', keys: ['p'], run: togglePause },
    ...agentViews.map(({ path, label }) => ({
      id: `go-${path}`,
      label: `${label} (agents)`,
      group: 'Go' as const,
      run: () => navigate(path),
    })),
  ])
  const { data } = project
  const wasRead = useQueryClient()
    .getQueryCache()
    .findAll({ queryKey: ['agents'] })
    .some(({ queryKey, state }) => queryKey[1] !== 'project' && state.data !== undefined)
  // An unreadable project's views only show what was read before. If nothing was, the notice says it all.
  const isShown = data?.state !== 'none' && data?.state !== 'missing' && (!isUnreadable(data) || wasRead)
  return (
    <AreaSide
      name="Agents"
      views={agentViews.map(({ path, label, icon, count }) => ({
        path,
        label,
        icon,
        here: here === path,
        count: data === undefined ? null : (count?.(data.counts) ?? null),
      }))}
      foot={data === undefined ? null : <ProjectFoot project={data} />}
    >
      <Region name="sheet" className={classes['view']}>
        <ProjectTrouble project={data} error={project.error} retry={() => void project.refetch()} />
        {data?.state === 'none' && <NoProject project={data} />}
        {data?.state === 'missing' && <NoDatabase folder={data.folder ?? ''} />}
        {isShown ? (
          <ErrorBoundary what="This view" heading="Agents" resetKey={location}>
            {children}
          </ErrorBoundary>
        ) : (
          <VisuallyHidden component="h1">Agents</VisuallyHidden>
        )}
        <div className={classes['toasts']}>
          <ToastArea />
        </div>
      </Region>
    </AreaSide>
  )
}
