import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { ToastArea } from '../../../components/toast-area.tsx'
import { useActions } from '../../../lib/actions.ts'
import { formatCount } from '../../../lib/format.ts'
import { togglePause, useAgentProject } from '../agent-live.ts'
import { agentViews } from '../agent-views.ts'
import classes from './agents-frame.module.css'
import { NoDatabase, NoProject } from './no-project.tsx'
import { ProjectFoot } from './project-foot.tsx'
import { ProjectTrouble } from './project-trouble.tsx'

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
  return (
    <div className={classes['frame']}>
      <div className={classes['side']} data-region="side" tabIndex={-1}>
        <nav aria-label="Agents">
          {agentViews.map(({ path, label, icon: ViewIcon, count }) => {
            const counted = data === undefined ? null : (count?.(data.counts) ?? null)
            return (
              <Link
                key={path}
                href={path}
                className={classes['row']}
                aria-current={here === path ? 'page' : undefined}
                data-ring="inside"
              >
                <ViewIcon size={16} stroke={1.75} aria-hidden />
                <span>{label}</span>
                {counted !== null && <b>{formatCount(counted)}</b>}
              </Link>
            )
          })}
        </nav>
        {data !== undefined && <ProjectFoot project={data} />}
      </div>
      <div className={classes['view']} data-region="sheet" tabIndex={-1}>
        <ProjectTrouble project={data} error={project.error} retry={() => void project.refetch()} />
        {data?.state === 'none' && <NoProject project={data} />}
        {data?.state === 'missing' && <NoDatabase folder={data.folder ?? ''} />}
        {data?.state !== 'none' && data?.state !== 'missing' && children}
        <div className={classes['toasts']}>
          <ToastArea />
        </div>
      </div>
    </div>
  )
}
