import { useTitle } from '../../../lib/app/use-title.ts'
import { useAgentRead } from '../agent-live.ts'
import { agentOverviewQuery } from '../agents.api.ts'
import { AlertList } from './alert-list.tsx'
import { ReadPage } from '../components/read-page.tsx'
import classes from '../components/read-page.module.css'
import { LastEvents } from './last-events.tsx'
import { OverviewFigures } from './overview-figures.tsx'
import { SpendChartFigure } from '../cost/spend-chart.tsx'

/** What needs a person, worst first, and how the agents do. */
export function OverviewPage() {
  useTitle('Agents')
  const read = useAgentRead(agentOverviewQuery)
  const { data } = read
  return (
    <ReadPage title="Overview" what="the overview" read={read}>
      {data !== undefined && (
        <>
          <AlertList
            alerts={data.alerts}
            total={data.alertsTotal}
            known={data.stamp.counting === null && data.stamp.missingTables.length === 0}
          />
          <OverviewFigures overview={data} />
          <div className={classes['columns']}>
            {data.chart === null ? (
              <p className={classes['none']}>
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
    </ReadPage>
  )
}
