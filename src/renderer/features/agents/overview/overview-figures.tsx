import { IconAlertOctagonFilled, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { agentStates } from '../../../../shared/contracts/desk-agents-common.ts'
import type { StateCounts } from '../../../../shared/contracts/desk-agents-common.ts'
import type { AgentOverview } from '../../../../shared/contracts/desk-agents.ts'
import { formatCount } from '../../../lib/format.ts'
import { agentFilter } from '../agents/agent-filter.ts'
import { auditChecked, auditTrouble, brokerShares, spentLines } from './overview-words.ts'
import { formatCents } from '../cost/money.ts'
import { AgentStateSign } from '../components/agent-state.tsx'
import classes from './overview-figures.module.css'

/** How the agents do in four figures; each leads to its view. */
export function OverviewFigures({ overview }: { overview: AgentOverview }) {
  const { agents, spent, audit, broker } = overview
  const trouble = audit === null ? null : auditTrouble(audit)
  return (
    <div className={classes['figures']}>
      <Figure label="Agents" href="/agents/list" value={agents === null ? null : formatCount(agents.total)}>
        {agents !== null && (
          <>
            <StateBar counts={agents.counts} />
            <ul className={classes['states']}>
              {agentStates
                .filter((state) => agents.counts[state] > 0)
                .map((state) => (
                  <li key={state}>
                    <Link href={agentFilter.path({ state })}>
                      <AgentStateSign state={state}>
                        {formatCount(agents.counts[state])} {state}
                      </AgentStateSign>
                    </Link>
                  </li>
                ))}
            </ul>
          </>
        )}
      </Figure>
      <Figure
        label="Spent today"
        href="/agents/cost"
        value={spent === null ? null : formatCents(spent.today.cents)}
      >
        {spent !== null && spentLines(spent).map((line) => <p key={line}>{line}</p>)}
      </Figure>
      <Figure
        label="Audit rows today"
        href="/agents/audit"
        value={audit === null || audit.today === null ? null : formatCount(audit.today)}
      >
        {audit !== null && (
          <>
            {trouble === null ? (
              <p className={classes['good']}>
                {audit.checked > 0 && (
                  <>
                    <IconCircleCheck size={14} stroke={1.75} aria-hidden /> all that were checked match
                  </>
                )}
              </p>
            ) : (
              <p className={classes['bad']}>
                <IconAlertOctagonFilled size={14} aria-hidden /> {trouble}
              </p>
            )}
            <p>{auditChecked(audit)}</p>
          </>
        )}
      </Figure>
      <Figure
        label="Broker, last hour"
        href="/agents/broker"
        value={
          broker === null
            ? null
            : broker.together.p95 === null
              ? 'p95 unknown'
              : `p95 ${formatCount(broker.together.p95)} ms`
        }
      >
        {broker !== null && brokerShares(broker).map((line) => <p key={line}>{line}</p>)}
      </Figure>
    </div>
  )
}

function Figure({
  label,
  href,
  value,
  children,
}: {
  label: string
  href: string
  value: string | null
  children: ReactNode
}) {
  return (
    <section aria-label={label}>
      <Link href={href} className={classes['label']}>
        {label}
      </Link>
      <p className={classes['value']}>{value ?? 'unknown'}</p>
      {children}
    </section>
  )
}

/** The same numbers as the words below it, as lengths. */
function StateBar({ counts }: { counts: StateCounts }) {
  return (
    <div className={classes['bar']} aria-hidden>
      {agentStates
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <i key={state} data-state={state} style={{ flexGrow: counts[state] }} />
        ))}
    </div>
  )
}
