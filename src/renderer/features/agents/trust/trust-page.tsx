import { IconAward, IconCircleDashed, IconShieldCheck, IconStars } from '@tabler/icons-react'
import { trustTable, trustSorts } from '../../../../shared/contracts/desk-agents-tables.ts'
import { FacetPicker } from '../../../components/list/filter-bar.tsx'
import { facet, searched, sorted, viewFilter } from '../../../lib/list/view-filter.ts'
import { AgentLink, Quiet, utcCell } from '../components/values.tsx'
import { tablePage } from '../table/table-page.tsx'
import { names, texts } from '../agents.texts.ts'

/** The trust records of the agents. */
export const TrustPage = tablePage({
  texts: texts.trust,
  table: 'trust_records',
  routes: trustTable,
  view: viewFilter('/agents/trust', {
    q: searched,
    tier: facet('tier'),
    rating: facet('rating'),
    status: facet('status'),
    ...sorted(trustSorts),
  }),
  controls: ({ pick, answer }) => (
    <>
      <FacetPicker {...pick('tier')} icon={IconAward} width={124} facets={answer?.tiers} />
      <FacetPicker {...pick('rating')} icon={IconStars} width={124} facets={answer?.ratings} />
      <FacetPicker {...pick('status')} icon={IconCircleDashed} width={128} facets={answer?.statuses} />
    </>
  ),
  columns: [
    {
      label: names.agent,
      width: [140, 1.4],
      sort: 'agent',
      cell: ({ agent, known }) => (
        <>
          <AgentLink name={agent} tabIndex={-1} />
          {!known && <Quiet> {texts.values.noSuchAgent}</Quiet>}
        </>
      ),
    },
    { label: names.tier, width: [90, 1], sort: 'tier', cell: 'tier' },
    { label: names.score, width: 72, sort: 'score', numeric: true, descends: true, cell: 'score' },
    { label: names.rating, width: [72, 0.8], sort: 'rating', cell: 'rating' },
    {
      label: texts.utc(names.verified),
      width: 132,
      sort: 'verified',
      descends: true,
      quiet: true,
      cell: utcCell('verifiedAt'),
    },
    { label: names.status, width: [90, 1], sort: 'status', cell: 'status' },
  ],
  keyOf: ({ agent, auid }) => `${auid ?? ''} ${agent}`,
  agentOf: ({ agent }) => agent,
  icon: IconShieldCheck,
})
