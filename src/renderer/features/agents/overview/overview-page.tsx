import { ReadBones } from '../components/read-bones.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentOverviewQuery } from '../agents.api.ts'
import { AlertList } from './alert-list.tsx'
import { Counting } from '../audit/counting.tsx'
import { LastEvents } from './last-events.tsx'
import { OverviewFigures } from './overview-figures.tsx'
import { SpendChartFigure } from '../cost/spend-chart.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { ViewHead } from '../components/view-head.tsx'
import classes from './overview-page.module.css'

/** What needs a person, worst first, and how the agents do. */
export function OverviewPage() {
  useTitle('Agents')
  const read = useAgentRead(agentOverviewQuery)
  const { data } = read
  return (
    <>
      <ViewHead title="Overview" stamp={data?.stamp ?? null} />
      {/* It scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes['page']} tabIndex={0} role="region" aria-label="Overview">
        {read.error !== null && (
          <ReadFailure
            error={read.error}
            what="The overview cannot be read"
            retry={() => void read.refetch()}
          />
        )}
        {data === undefined ? (
          read.error === null && <ReadBones rows={12} height={40} what="the overview" />
        ) : (
          <>
            <Counting stamp={data.stamp} />
            <AlertList
              alerts={data.alerts}
              total={data.alertsTotal}
              known={data.stamp.counting === null && data.stamp.missingTables.length === 0}
            />
            <OverviewFigures overview={data} />
            <div className={classes['halves']}>
              {data.chart === null ? (
                <p className={classes['unknown']}>
                  {data.stamp.missingTables.includes('cost_events')
                    ? 'Spend is unknown: the database has no table cost_events.'
                    : 'Spend is being counted.'}
                </p>
              ) : (
                <SpendChartFigure chart={data.chart} title="Spend by hour, today (UTC)" />
              )}
              <LastEvents events={data.events} />
            </div>
          </>
        )}
      </div>
    </>
  )
}
