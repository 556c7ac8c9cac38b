import type { EdgeDeployment } from '../../../../shared/contracts/desk-agents-tables.ts'
import { Facts } from '../../../components/facts.tsx'
import { Section } from '../../../components/section.tsx'
import { Utc } from '../components/utc.tsx'
import { WebLink } from '../components/web-link.tsx'

/** Where it has been deployed. */
export function AgentDeployments({ deployments }: { deployments: readonly EdgeDeployment[] }) {
  return (
    <Section title={deployments.length > 1 ? 'Deployments' : 'Deployment'}>
      {deployments.length === 0 && <p>It is not deployed.</p>}
      {deployments.map((one) => (
        <Facts
          key={`${one.worker} ${one.region}`}
          facts={[
            { label: 'Worker', value: one.worker ?? 'unknown' },
            { label: 'Region', value: one.region ?? 'unknown' },
            { label: 'Status', value: one.status ?? 'unknown' },
            { label: 'Address', value: <WebLink url={one.url} /> },
            { label: 'Since', value: <Utc at={one.deployedAt} /> },
          ]}
        />
      ))}
    </Section>
  )
}
