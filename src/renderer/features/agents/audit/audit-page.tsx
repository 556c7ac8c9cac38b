import { Button, NativeSelect } from '@mantine/core'
import {
  IconCircleCheckFilled,
  IconFingerprint,
  IconListCheck,
  IconRobot,
  IconTag,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { auditFiles } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AuditRow, AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import { EmptyState } from '../../../components/feedback/empty-state.tsx'
import type { RowState } from '../../../components/list/virtual-table.tsx'
import { useTitle } from '../../../lib/app/use-title.ts'
import { formatCount, plural } from '../../../lib/format.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { auditFacetsQuery, auditQueryAt } from '../agents.api.ts'
import { DayRange } from '../cost/period-picker.tsx'
import { DataTable } from '../../../components/list/data-table.tsx'
import { DropFilters, FacetPicker } from '../../../components/list/filter-bar.tsx'
import { TableFrame } from '../table/table-frame.tsx'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import type { FilterState } from '../../../lib/list/view-filter.ts'
import { readId, useAddressParam, useAskedRow, useDebouncedEffect } from '../../../lib/app/address.ts'
import { auditColumns, extrasOf, UnderAuditRow } from './audit-columns.tsx'
import { AuditDetail } from './audit-detail.tsx'
import { auditFilter, auditQuery, auditTimes } from './audit-filter.ts'
import type { AuditListFilter } from './audit-filter.ts'
import { AuditSearchLine, AuditState } from './audit-state.tsx'
import classes from './audit.module.css'
import { useAuditList } from './use-audit-list.ts'
import type { AuditList } from './use-audit-list.ts'

/** All that agents have written down, a million rows as well, each with its hash computed again. */
export function AuditPage() {
  useTitle('Audit')
  const state = useViewFilter(auditFilter)
  const { filter, show } = state
  const query = auditQuery(filter, useNow(60_000))
  const { asked, write } = useAskedRow()
  const list = useAuditList(query, asked)
  const { rows, stamp, summary, search } = list
  const [edge, setEdge] = useState<{ view: string; place: number } | null>(null)
  const place = edge?.view === list.view && list.inAddress ? edge.place : null
  useDebouncedEffect(place === 0 ? null : place === null ? undefined : list.rowAt(place)?.id, (id) => {
    if (id !== undefined) write(id)
  })
  const [openedText, setOpened] = useAddressParam('row')
  const opened = readId(openedText)
  const openRow = ({ id }: AuditRow): void => setOpened(String(id))
  const row = useRow(rows, opened)
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set())
  return (
    <TableFrame
      title="Audit"
      what="audit rows"
      list={list}
      head={stamp !== null && summary !== null && <AuditState summary={summary} stamp={stamp} />}
      search={{ q: filter.q, placeholder: 'Detail, agent or event', onSearch: (q) => show({ q }) }}
      controls={<AuditFilters state={state} summary={summary} />}
      count={countWords(list)}
      exports={auditFiles}
      query={query}
      line={search !== null && <AuditSearchLine search={search} />}
      table="audit_log"
      empty={<Nothing filter={filter} list={list} />}
      detail={row !== null && <AuditDetail row={row} onClose={() => setOpened(null)} />}
    >
      <DataTable
        label="Audit"
        rows={{
          ...list,
          look(first, last) {
            setEdge({ view: list.view, place: first })
            list.look?.(first, last)
          },
        }}
        columns={auditColumns(row !== null)}
        extras={extrasOf(rows)}
        state={(one) => stateOf(one, opened, seen, setSeen)}
        onOpen={openRow}
        onWalk={opened === null ? undefined : openRow}
        walkByLetters
        bleed
      />
    </TableFrame>
  )
}

function stateOf(
  row: AuditRow,
  opened: number | null,
  seen: ReadonlySet<number>,
  setSeen: (seen: ReadonlySet<number>) => void,
): RowState {
  return {
    id: row.id,
    tone: row.verified ? undefined : 'bad',
    selected: row.id === opened,
    under: (
      <UnderAuditRow
        // What was begun on a row belongs to it, in any place.
        key={row.id}
        row={row}
        isSeen={seen.has(row.id)}
        onSeen={() => setSeen(new Set([...seen, row.id]))}
      />
    ),
  }
}

/** The row whose details are open, also where it is far from what is in sight. */
function useRow(rows: AuditList['rows'], id: number | null): AuditRow | null {
  const found = rows.find(([, row]) => row.id === id)?.[1]
  const { data } = useQuery({
    ...auditQueryAt({}, { around: id ?? 0 }),
    enabled: id !== null && found === undefined,
  })
  return found ?? data?.items.find((row) => row.id === id) ?? null
}

const timeWords = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7 days': '7 days',
  '30 days': '30 days',
  range: 'Days…',
} as const

/** Agent, event, time in UTC, and whether only trouble is wanted. */
function AuditFilters({
  state: { filter, show, pick },
  summary,
}: {
  state: FilterState<AuditListFilter>
  summary: AuditSummary | null
}) {
  const [opened, setOpened] = useState(false)
  const facets = useQuery({ ...auditFacetsQuery, enabled: opened })
  const open = (): void => setOpened(true)
  const trouble = summary === null ? null : summary.mismatches + summary.gaps
  return (
    <>
      <FacetPicker
        {...pick('agent')}
        icon={IconRobot}
        width={140}
        facets={facets.data?.agents}
        onOpen={open}
      />
      <FacetPicker {...pick('event')} icon={IconTag} width={140} facets={facets.data?.events} onOpen={open} />
      <NativeSelect
        size="sm"
        aria-label="Time, UTC"
        value={filter.time ?? ''}
        onChange={({ currentTarget: { value } }) =>
          show({ time: auditTimes.find((time) => time === value) ?? null, from: null, to: null })
        }
        data={[
          { value: '', label: 'Any time' },
          ...auditTimes.map((time) => ({ value: time, label: timeWords[time] })),
        ]}
      />
      {filter.time === 'range' && <DayRange value={filter} onDays={show} />}
      <Button
        size="sm"
        className={classes['trouble'] ?? ''}
        aria-pressed={filter.trouble}
        leftSection={<IconFingerprint size={16} stroke={1.75} />}
        onClick={() => show({ trouble: !filter.trouble })}
      >
        Mismatches and gaps{trouble !== null && <b>{formatCount(trouble)}</b>}
      </Button>
    </>
  )
}

function countWords({ search, isPending, isWhole, total }: AuditList): string {
  if (search !== null || isPending) return ''
  return isWhole ? plural(total, 'row') : `newest ${plural(total, 'row')}`
}

function Nothing({ filter, list: { search, stamp } }: { filter: AuditListFilter; list: AuditList }) {
  if (search !== null && search.found.state !== 'done') return null
  if (stamp?.counting != null) return null
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
