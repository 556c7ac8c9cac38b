import { IconCircleCheckFilled, IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from 'wouter'
import { deskAgentAuditRoutes } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { ReadBones } from '../components/read-bones.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { ReadFailure } from '../project/read-failure.tsx'
import { useActions } from '../../../lib/keys/actions.ts'
import { plural } from '../../../lib/format.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { auditPath, auditQuery, isAuditNarrowed, readAuditFilter, wholeAudit } from './audit-filter.ts'
import type { AuditListFilter } from './audit-filter.ts'
import classes from './audit-page.module.css'
import { auditRowQuery } from './audit.api.ts'
import { AuditDetail } from './audit-detail.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditSearchLine } from './audit-search-line.tsx'
import { AuditState } from './audit-state.tsx'
import { AuditTable } from './audit-table.tsx'
import { DropFilters } from '../components/drop-filters.tsx'
import { ExportLinks } from '../components/export-links.tsx'
import { isMissing, MissingTable } from '../components/missing-table.tsx'
import { NewsLine } from '../components/news-line.tsx'
import { ViewHead } from '../components/view-head.tsx'
import { readId, useAskedRow } from '../use-asked-row.ts'
import { useAuditList } from './use-audit-list.ts'
import type { AuditList } from './audit-list.ts'
import { useAddressParam } from '../view-address.ts'

/** All that agents have written down, a million rows as well, each with its hash computed again. */
export function AuditPage() {
  useTitle('Audit')
  const [, navigate] = useLocation()
  const filter = readAuditFilter(useSearch())
  const query = auditQuery(filter, useNow(60_000))
  const { asked, write } = useAskedRow()
  const list = useAuditList(query, asked)
  const [openedText, setOpened] = useAddressParam('row')
  const opened = readId(openedText)
  const row = useRow(list, opened)
  const show = (next: AuditListFilter): void => navigate(auditPath(next), { replace: true })
  useActions(
    opened === null
      ? []
      : [
          {
            id: 'close',
            label: 'close the details',
            group: 'Look',
            keys: ['Escape'],
            run: () => setOpened(null),
          },
        ],
  )
  const { stamp, summary } = list
  return (
    <>
      <ViewHead title="Audit" stamp={stamp}>
        {stamp !== null && summary !== null && <AuditState summary={summary} stamp={stamp} />}
      </ViewHead>
      <AuditFilters filter={filter} summary={summary} onFilter={show}>
        <span>{countWords(list)}</span>
        <ExportLinks
          csv={deskAgentAuditRoutes.exportAuditCsv}
          json={deskAgentAuditRoutes.exportAuditJson}
          query={query}
          what="audit rows"
        />
      </AuditFilters>
      {list.search !== null && <AuditSearchLine search={list.search} />}
      <div className={classes['news']}>
        <NewsLine words={newsWords(list)} onShow={list.showFresh} />
      </div>
      {list.error !== null && (
        <div className={classes['trouble']}>
          <ReadFailure error={list.error} what="The audit cannot be read" retry={list.retry} />
        </div>
      )}
      {list.isLoading && list.error === null && <ReadBones rows={20} height={28} what="the audit" />}
      {!list.isLoading && list.total === 0 && <Nothing filter={filter} list={list} />}
      {list.total > 0 && (
        <div
          className={classes['body']}
          data-opened={row === null ? undefined : ''}
          data-old={list.error === null ? undefined : ''}
        >
          <AuditTable
            list={list}
            opened={opened}
            onOpen={(id) => setOpened(String(id))}
            onPlace={list.search === null ? write : noPlace}
          />
          {row !== null && <AuditDetail row={row} onClose={() => setOpened(null)} />}
        </div>
      )}
    </>
  )
}

/** What a search has found is found anew each time: it has no places to come back to. */
function noPlace(): void {}

/** The row whose details are open, also where it is far from what is in sight. */
function useRow({ rows }: AuditList, id: number | null): AuditRow | null {
  const found = id === null ? undefined : [...rows.values()].find((row) => row.id === id)
  const read = useQuery({ ...auditRowQuery(id ?? 0), enabled: id !== null && found === undefined })
  return id === null ? null : (found ?? read.data ?? null)
}

function countWords({ search, isLoading, isWhole, total }: AuditList): string {
  if (search !== null || isLoading) return ''
  return isWhole ? plural(total, 'row') : `newest ${plural(total, 'row')}`
}

function newsWords({ fresh, isFreshMore }: AuditList): string | null {
  if (fresh === 0) return null
  const words = plural(fresh, 'new row')
  return isFreshMore ? `${words} and more` : words
}

function Nothing({ filter, list: { search, stamp } }: { filter: AuditListFilter; list: AuditList }) {
  if (search !== null && search.found.state !== 'done') return null
  if (stamp?.counting != null) return null
  if (isMissing(stamp, 'audit_log')) return <MissingTable table="audit_log" what="Audit rows" />
  if (!isAuditNarrowed(filter)) {
    return (
      <EmptyState icon={IconListCheck} title="The audit has no rows yet">
        <p>They are listed as soon as an agent writes one.</p>
      </EmptyState>
    )
  }
  const drops = [
    { on: filter.q !== '', label: `Drop “${filter.q}”`, href: auditPath({ ...filter, q: '' }) },
    {
      on: filter.agent !== null,
      label: `Not only ${filter.agent}`,
      href: auditPath({ ...filter, agent: null }),
    },
    {
      on: filter.event !== null,
      label: `Not only ${filter.event}`,
      href: auditPath({ ...filter, event: null }),
    },
    {
      on: filter.time !== null,
      label: 'Any time',
      href: auditPath({ ...filter, time: null, from: null, to: null }),
    },
    { on: filter.trouble, label: 'Also rows that match', href: auditPath({ ...filter, trouble: false }) },
  ].filter(({ on }) => on)
  if (filter.trouble && drops.length === 1) {
    return (
      <EmptyState icon={IconCircleCheckFilled} title="Every row matches its hash, and none is missing">
        <p>
          <Link href={auditPath({ ...filter, trouble: false })}>Show all rows</Link>
        </p>
      </EmptyState>
    )
  }
  return <DropFilters title="No row for this filter" drops={drops} all={auditPath(wholeAudit)} />
}
