import { Link } from 'wouter'
import type { AgentPage } from '../../../../shared/contracts/desk-agents.ts'
import { Facts } from '../../../components/facts.tsx'
import { Section } from '../../../components/section.tsx'
import { pathWith } from '../view-address.ts'
import { AgentStateSign } from '../components/agent-state.tsx'
import { Utc } from '../components/utc.tsx'

/** What its own table tells, and who looks after it. */
export function AgentFacts({ agent }: { agent: NonNullable<AgentPage['agent']> }) {
  const { supervisors } = agent
  return (
    <Section title="Agent" note="times in UTC">
      <Facts
        facts={[
          { label: 'State', value: <AgentStateSign state={agent.state} status={agent.status} /> },
          {
            label: supervisors.length > 1 ? 'Supervisors' : 'Supervisor',
            value:
              supervisors.length === 0
                ? 'none'
                : supervisors.map(({ name }, index) => (
                    <span key={name}>
                      {index > 0 && ', '}
                      <Link href={pathWith('/agents/supervisors', { q: name })}>{name}</Link>
                    </span>
                  )),
          },
          { label: 'Template', value: agent.template ?? 'unknown' },
          { label: 'Process', value: agent.pid === null ? 'none' : String(agent.pid) },
          { label: 'Last activity', value: <Utc at={agent.lastActivityAt} /> },
          { label: 'Updated', value: <Utc at={agent.updatedAt} /> },
          { label: 'Created', value: <Utc at={agent.createdAt} /> },
        ]}
      />
    </Section>
  )
}
