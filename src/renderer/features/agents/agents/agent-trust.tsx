import { Link } from 'wouter'
import type { AgentTrust } from '../../../../shared/contracts/desk-agents-tables.ts'
import { Facts } from '../../../components/facts.tsx'
import { Section } from '../../../components/section.tsx'
import { pathWith } from '../view-address.ts'
import { Utc } from '../components/utc.tsx'

/** How far it is trusted, and since when that is known. */
export function AgentTrustFacts({ trust }: { trust: AgentTrust | null }) {
  if (trust === null) {
    return (
      <Section title="Trust">
        <p>unknown: there is no record of it.</p>
      </Section>
    )
  }
  return (
    <Section title="Trust" note={<Link href={pathWith('/agents/trust', { q: trust.agent })}>Trust</Link>}>
      <Facts
        facts={[
          { label: 'Tier', value: trust.tier ?? 'unknown' },
          { label: 'Score', value: trust.score === null ? 'unknown' : String(trust.score) },
          { label: 'Rating', value: trust.rating ?? 'unknown' },
          { label: 'Verified', value: <Utc at={trust.verifiedAt} /> },
          { label: 'Status', value: trust.status ?? 'unknown' },
          { label: 'AUID', value: trust.auid === null ? 'unknown' : <code>{trust.auid}</code> },
        ]}
      />
    </Section>
  )
}
