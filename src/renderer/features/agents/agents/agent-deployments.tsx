import type { EdgeDeployment } from '../../../../shared/contracts/desk-agents-tables.ts'
import { Facts } from '../../../components/facts.tsx'
import { Section } from '../../../components/section.tsx'
import { webAddress } from '../web-address.ts'
import { Utc } from '../components/utc.tsx'

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
            { label: 'Address', value: <Address url={one.url} /> },
            { label: 'Since', value: <Utc at={one.deployedAt} /> },
          ]}
        />
      ))}
    </Section>
  )
}

/** What is no address of the web stays text. */
function Address({ url }: { url: string | null }) {
  if (url === null) return <>unknown</>
  const href = webAddress(url)
  return href === null ? (
    <code>{url}</code>
  ) : (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  )
}
