import { IconCircleCheckFilled, IconListCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { deskAgentAuditRoutes } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AuditRow } from '../../../../shared/contracts/desk-agents-audit.ts'
import { ReadState } from '../components/read-state.tsx'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import { plural } from '../../../lib/format.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { useTitle } from '../../../lib/app/use-title.ts'
import { auditFilter, auditQuery } from './audit-filter.ts'
import type { AuditListFilter } from './audit-filter.ts'
import classes from './audit-page.module.css'
import { auditRowQuery } from './audit.api.ts'
import { AuditDetail } from './audit-detail.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditSearchLine } from './audit-search-line.tsx'
import { AuditState } from './audit-state.tsx'
import { AuditTable } from './audit-table.tsx'
import { DropFilters } from '../table/drop-filters.tsx'
import { FilterBar } from '../table/filter-bar.tsx'
import { NewsLine } from '../table/news-line.tsx'
import { NoRows } from '../table/no-rows.tsx'
import frame from '../table/table-page.module.css'
import { useViewFilter } from '../table/use-view-filter.ts'
import { ViewHead } from '../components/view-head.tsx'
import { readId, useAskedRow } from '../use-asked-row.ts'
import { useAuditList } from './use-audit-list.ts'
import type { AuditList } from './audit-list.ts'
import { useAddressParam } from '../view-address.ts'

/** All that agents have written down, a million rows as well, each with its hash computed again. */
export function AuditPage() {
  useTitle('Audit')
  const state = useViewFilter(auditFilter)
  const { filter, show } = state
  const query = auditQuery(filter, useNow(60_000))
  const { asked, write } = useAskedRow()
  const list = useAuditList(query, asked)
  const [openedText, setOpened] = useAddressParam('row')
  const opened = readId(openedText)
  const row = useRow(list, opened)
  const { stamp, summary } = list
  return (
    <>
      <ViewHead title="Audit" stamp={stamp}>
        {stamp !== null && summary !== null && <AuditState summary={summary} stamp={stamp} />}
      </ViewHead>
      <FilterBar
        what="audit rows"
        q={filter.q}
        placeholder="Detail, agent or event"
        onSearch={(q) => show({ q })}
        count={countWords(list)}
        exports={{ csv: deskAgentAuditRoutes.exportAuditCsv, json: deskAgentAuditRoutes.exportAuditJson }}
        query={query}
      >
        <AuditFilters state={state} summary={summary} />
      </FilterBar>
      {list.search !== null && <AuditSearchLine search={list.search} />}
      <div className={frame['news']}>
        <NewsLine words={newsWords(list)} onShow={list.showFresh} />
      </div>
      <div className={frame['state']}>
        <ReadState what="the audit" read={list} rows={20} height={28} />
      </div>
      {!list.isPending && list.total === 0 && <Nothing filter={filter} list={list} />}
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
            onPlace={(id) => {
              if (list.inAddress) write(id)
            }}
          />
          {row !== null && <AuditDetail row={row} onClose={() => setOpened(null)} />}
        </div>
      )}
    </>
  )
}

/** The row whose details are open, also where it is far from what is in sight. */
function useRow({ rows }: AuditList, id: number | null): AuditRow | null {
  const found = id === null ? undefined : [...rows.values()].find((row) => row.id === id)
  const read = useQuery({ ...auditRowQuery(id ?? 0), enabled: id !== null && found === undefined })
  return id === null ? null : (found ?? read.data ?? null)
}

function countWords({ search, isPending, isWhole, total }: AuditList): string {
  if (search !== null || isPending) return ''
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
  return (
    <NoRows stamp={stamp} table="audit_log" what="Audit rows">
      <NoneFound filter={filter} />
    </NoRows>
  )
}

function NoneFound({ filter }: { filter: AuditListFilter }) {
  const drops = auditFilter.drops(filter)
  if (drops.length === 0) {
    return (
      <EmptyState icon={IconListCheck} title="The audit has no rows yet">
        <p>They are listed as soon as an agent writes one.</p>
      </EmptyState>
    )
  }
  if (filter.trouble && drops.length === 1) {
    return (
      <EmptyState icon={IconCircleCheckFilled} title="Every row matches its hash, and none is missing">
        <p>
          <Link href={auditFilter.path({})}>Show all rows</Link>
        </p>
      </EmptyState>
    )
  }
  return (
    <DropFilters title="No row for this filter">
      {drops.map(({ label, next }) => (
        <Link key={label} href={auditFilter.path(next)}>
          {label}
        </Link>
      ))}
    </DropFilters>
  )
}
