import {
  IconCircleCheckFilled,
  IconFingerprint,
  IconListCheck,
  IconRobot,
  IconTag,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auditFiles } from '../../../../shared/contracts/desk-agents-audit.ts'
import type { AuditRow, AuditSummary } from '../../../../shared/contracts/desk-agents-audit.ts'
import { deskAgentRoutes } from '../../../../shared/contracts/desk-agents.ts'
import { ActionButton } from '../../../components/form/action-button.tsx'
import { formatCount, plural, upperFirst } from '../../../lib/format.ts'
import { useNow } from '../../../lib/time/use-now.ts'
import { agentRead } from '../agents.api.ts'
import { DayRange } from '../cost/period-picker.tsx'
import { DataTable } from '../../../components/list/data-table.tsx'
import type { RowState } from '../../../components/list/data-table.tsx'
import { FacetPicker, SelectFilter } from '../../../components/list/filter-bar.tsx'
import { TableFrame } from '../table/table-page.tsx'
import { useViewFilter } from '../../../lib/list/view-filter.ts'
import type { FilterState } from '../../../lib/list/view-filter.ts'
import { readId, useAddressParam } from '../../../lib/app/page-address.ts'
import { auditFilter, auditQuery, auditTimes } from './audit-filter.ts'
import type { AuditListFilter } from './audit-filter.ts'
import { AuditDetail, auditColumns, extrasOf, UnderAuditRow } from './audit-rows.tsx'
import { AuditSearchLine, AuditState } from './audit-state.tsx'
import { names, texts } from '../agents.texts.ts'
import classes from './audit.module.css'
import { auditQueryAt, useAuditList } from './use-audit-list.ts'
import type { AuditList } from './use-audit-list.ts'

/** The audit log of the agents, a million rows or more, each with its hash recomputed. */
export function AuditPage() {
  const state = useViewFilter(auditFilter)
  const { filter } = state
  const query = auditQuery(filter, useNow(60_000))
  const list = useAuditList(query)
  const { rows, stamp, summary, search } = list
  const [openedText, setOpened] = useAddressParam('row')
  const opened = readId(openedText)
  const openRow = ({ id }: AuditRow): void => setOpened(String(id))
  const row = useRow(rows, opened)
  const isWell = filter.trouble && auditFilter.drops(filter).length === 1
  return (
    <TableFrame
      texts={texts.audit}
      state={state}
      list={list}
      head={stamp !== null && summary !== null && <AuditState summary={summary} stamp={stamp} />}
      controls={<AuditFilters state={state} summary={summary} />}
      count={countLabel(list)}
      exports={auditFiles}
      query={query}
      line={search === null ? undefined : <AuditSearchLine search={search} />}
      table="audit_log"
      icon={IconListCheck}
      noMatches={
        isWell
          ? { icon: IconCircleCheckFilled, title: texts.audit.noProblems }
          : { title: texts.list.noMatches('rows') }
      }
      isPartial={(search !== null && search.found.state !== 'done') || stamp?.counting != null}
      detail={row !== null && <AuditDetail row={row} onClose={() => setOpened(null)} />}
    >
      <DataTable
        label={texts.audit.title}
        rows={list}
        columns={auditColumns(row !== null)}
        extras={extrasOf(rows)}
        state={(one) => stateOf(one, opened)}
        onOpen={openRow}
        onSelect={opened === null ? undefined : (place) => setOpened(String(list.rowAt(place)?.id ?? opened))}
        walk={texts.audit.walk}
        bleed
      />
    </TableFrame>
  )
}

function stateOf(row: AuditRow, opened: number | null): RowState {
  const { id, verified } = row
  // Keyed by the row, so that its state moves with it.
  const under = <UnderAuditRow key={id} row={row} />
  return { id, tone: verified ? undefined : 'bad', selected: id === opened, under }
}

/** The row whose details are open, even if it is far from the visible rows. */
function useRow(rows: AuditList['rows'], id: number | null): AuditRow | null {
  const found = rows.find(([, row]) => row.id === id)?.[1]
  const { data } = useQuery({
    ...auditQueryAt({}, { around: id ?? 0 }),
    enabled: id !== null && found === undefined,
  })
  return found ?? data?.items.find((row) => row.id === id) ?? null
}

interface FilterProps {
  state: FilterState<AuditListFilter>
  summary: AuditSummary | null
}

/** Filters by agent, by event, by time in UTC, and for mismatches and gaps. */
function AuditFilters({ state: { filter, show, pick }, summary }: FilterProps) {
  const [opened, setOpened] = useState(false)
  const facets = useQuery({ ...agentRead(deskAgentRoutes.getAuditFacets), enabled: opened })
  const open = (): void => setOpened(true)
  const problems = summary === null ? null : summary.mismatches + summary.gaps
  const labels = texts.audit.filters
  return (
    <>
      <FacetPicker {...pick('agent')} icon={IconRobot} facets={facets.data?.agents} onOpen={open} />
      <FacetPicker {...pick('event')} icon={IconTag} facets={facets.data?.events} onOpen={open} />
      <SelectFilter
        label={texts.utc(names.time)}
        options={[
          [null, labels.anyTime],
          ...auditTimes.map(
            (time) => [time, time === 'range' ? texts.cost.period.segments.range : upperFirst(time)] as const,
          ),
        ]}
        value={filter.time}
        onValue={(time) => show({ time, from: null, to: null })}
      />
      {filter.time === 'range' && <DayRange value={filter} onDays={show} />}
      <ActionButton
        size="sm"
        className={classes['problems'] ?? ''}
        aria-pressed={filter.trouble}
        icon={IconFingerprint}
        onClick={() => show({ trouble: !filter.trouble })}
      >
        {labels.problems}
        {problems !== null && <b>{formatCount(problems)}</b>}
      </ActionButton>
    </>
  )
}

function countLabel({ search, isPending, isWhole, total }: AuditList): string {
  if (search !== null || isPending) return ''
  const count = plural(total, texts.audit.noun)
  return isWhole ? count : texts.audit.newest(count)
}
