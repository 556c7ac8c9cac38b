import { IconAward, IconCircleDashed, IconShieldCheck, IconStars } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { agentPlaces } from '../../../../shared/agent-places.ts'
import type { AgentStamp } from '../../../../shared/contracts/desk-agents-common.ts'
import { deskAgentTableRoutes } from '../../../../shared/contracts/desk-agents-tables.ts'
import type { AgentTrust } from '../../../../shared/contracts/desk-agents-tables.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { SearchField } from '../../../components/list/search-field.tsx'
import { VirtualTable } from '../../../components/list/virtual-table.tsx'
import { call } from '../../../lib/server/client.ts'
import { plural } from '../../../lib/format.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { DropFilters } from '../components/drop-filters.tsx'
import { ExportLinks } from '../components/export-links.tsx'
import { FacetPicker } from '../components/facet-picker.tsx'
import filters from '../components/list-filters.module.css'
import { isMissing, MissingTable } from '../components/missing-table.tsx'
import { NewsLine } from '../components/news-line.tsx'
import { Utc } from '../components/utc.tsx'
import { ViewHead } from '../components/view-head.tsx'
import { sortableColumns } from '../list-filter.ts'
import type { SortableHead } from '../list-filter.ts'
import classes from '../table-page.module.css'
import { allTrust, isTrustNarrowed, readTrustFilter, trustPath, trustQuery } from './trust-filter.ts'
import type { TrustListFilter, TrustSort } from './trust-filter.ts'
import { newsWords, useAgentList } from '../agents/use-agent-list.ts'
import { inDesk, useTablePlace } from '../view-address.ts'

const heads: readonly SortableHead<TrustSort>[] = [
  { key: 'agent', label: 'Agent', sort: 'agent' },
  { key: 'tier', label: 'Tier', sort: 'tier' },
  { key: 'score', label: 'Score', sort: 'score', numeric: true, descends: true },
  { key: 'rating', label: 'Rating', sort: 'rating' },
  { key: 'verified', label: 'Verified, UTC', sort: 'verified', descends: true },
  { key: 'status', label: 'Status', sort: 'status' },
]
const widths = 'minmax(140px, 1.4fr) minmax(90px, 1fr) 72px minmax(72px, 0.8fr) 132px minmax(90px, 1fr)'

/** How far each agent is trusted, and since when that is known. */
export function TrustPage() {
  useTitle('Trust')
  const [, navigate] = useLocation()
  const filter = readTrustFilter(useSearch())
  const query = trustQuery(filter)
  const view = JSON.stringify(filter)
  const place = useTablePlace(view)
  const list = useAgentList({
    key: ['agents', 'trust', filter],
    read: (offset, signal) => call(deskAgentTableRoutes.listTrust, { query: { ...query, offset }, signal }),
    keyOf: ({ agent, auid }: AgentTrust) => `${auid ?? ''} ${agent}`,
    start: place.start,
  })
  const { head } = list
  const show = (next: TrustListFilter): void => navigate(trustPath(next), { replace: true })
  const cells = (at: number): readonly ReactNode[] | null => {
    const row = list.rowAt(at)
    return row === undefined ? null : cellsOf(row)
  }
  return (
    <>
      <ViewHead title="Trust" stamp={head?.stamp ?? null} />
      <div className={filters['bar']}>
        <div className={filters['filters']} role="search" aria-label="Filter the trust records">
          <div className={filters['search']}>
            <SearchField
              value={filter.q}
              placeholder="Agent or AUID"
              onSearch={(q) => show({ ...filter, q })}
            />
          </div>
          <FacetPicker
            label="Tier"
            any="Any tier"
            icon={IconAward}
            width={124}
            facets={head?.tiers}
            value={filter.tier}
            onValue={(tier) => show({ ...filter, tier })}
          />
          <FacetPicker
            label="Rating"
            any="Any rating"
            icon={IconStars}
            width={124}
            facets={head?.ratings}
            value={filter.rating}
            onValue={(rating) => show({ ...filter, rating })}
          />
          <FacetPicker
            label="Status"
            any="Any status"
            icon={IconCircleDashed}
            width={128}
            facets={head?.statuses}
            value={filter.status}
            onValue={(status) => show({ ...filter, status })}
          />
        </div>
        <div className={filters['end']}>
          <span>{!list.loading && plural(list.total, 'record')}</span>
          <ExportLinks
            csv={deskAgentTableRoutes.exportTrustCsv}
            json={deskAgentTableRoutes.exportTrustJson}
            query={query}
            what="trust records"
          />
        </div>
      </div>
      <div className={classes['news']}>
        <NewsLine words={newsWords(list.news, 'record')} onShow={list.showNews} />
      </div>
      {list.error !== null && (
        <div className={classes['trouble']}>
          <ReadFailure error={list.error} what="The trust records cannot be read" retry={list.retry} />
        </div>
      )}
      {list.loading && list.error === null && <ReadBones rows={12} height={32} what="the trust records" />}
      {!list.loading && list.total === 0 && <Nothing filter={filter} stamp={head?.stamp} />}
      {list.total > 0 && (
        <div className={classes['table']}>
          <VirtualTable
            label="Trust records"
            columns={sortableColumns(heads, filter, (sorting) => show({ ...filter, ...sorting }))}
            widths={widths}
            total={list.total}
            rowHeight={32}
            cells={cells}
            view={view}
            start={place.start}
            onVisible={(first, last) => {
              place.look(first)
              list.look(first, last)
            }}
            onOpen={(at) => {
              const row = list.rowAt(at)
              if (row !== undefined) navigate(inDesk(agentPlaces.agent(row.agent)))
            }}
          />
        </div>
      )}
    </>
  )
}

function cellsOf({
  agent,
  known,
  tier,
  score,
  rating,
  verifiedAt,
  status,
}: AgentTrust): readonly ReactNode[] {
  const unknown = <span className={classes['quiet']}>unknown</span>
  return [
    <span key="agent">
      <Link href={inDesk(agentPlaces.agent(agent))} className={classes['name']} tabIndex={-1} title={agent}>
        {agent}
      </Link>
      {!known && <span className={classes['quiet']}> no such agent</span>}
    </span>,
    tier ?? unknown,
    score ?? unknown,
    rating ?? unknown,
    <span key="verified" className={classes['quiet']}>
      <Utc at={verifiedAt} />
    </span>,
    status ?? unknown,
  ]
}

function Nothing({ filter, stamp }: { filter: TrustListFilter; stamp: AgentStamp | undefined }) {
  if (isMissing(stamp, 'trust_records')) return <MissingTable table="trust_records" what="Trust records" />
  if (!isTrustNarrowed(filter)) {
    return (
      <EmptyState icon={IconShieldCheck} title="There are no trust records yet">
        <p>They are listed as soon as the database holds one.</p>
      </EmptyState>
    )
  }
  const { q, tier, rating, status, sort, order } = filter
  const drops = [
    { on: q !== '', label: `Drop “${q}”`, href: trustPath({ ...filter, q: '' }) },
    { on: tier !== null, label: `Any tier, not only ${tier}`, href: trustPath({ ...filter, tier: null }) },
    {
      on: rating !== null,
      label: `Any rating, not only ${rating}`,
      href: trustPath({ ...filter, rating: null }),
    },
    {
      on: status !== null,
      label: `Any status, not only ${status}`,
      href: trustPath({ ...filter, status: null }),
    },
  ].filter(({ on }) => on)
  return (
    <DropFilters
      title="No record for this filter"
      drops={drops}
      all={trustPath({ ...allTrust, sort, order })}
    />
  )
}
