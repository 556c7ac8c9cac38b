import { IconFilter, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import { Loading } from '../../components/feedback/loading.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { FilterBar } from '../../components/list/filter-bar.tsx'
import { NewsLine } from '../../components/list/news-line.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import { focusSoon } from '../../lib/keys/regions.ts'
import { newestFirst } from '../../lib/list/paged-list.ts'
import { usePagedList } from '../../lib/list/use-paged-list.ts'
import { useViewFilter } from '../../lib/list/view-filter.ts'
import { useViewState } from '../../lib/state/use-view-state.ts'
import { peopleQuery } from '../people/people.api.ts'
import { AuditLogDetail } from './components/audit-log-detail.tsx'
import { AuditLogFilters } from './components/audit-log-filters.tsx'
import { AuditLogTable } from './components/audit-log-table.tsx'
import { auditLogFilter, isUnfiltered } from './audit-log-filter.ts'
import type { AuditLogFilter } from './audit-log-filter.ts'
import { auditLogExports, auditLogPageQuery } from './audit-log.api.ts'
import { texts } from './audit-log.texts.ts'
import classes from './audit-log-page.module.css'

/** The audit log: when, who, what, about what, why or which values, from where, and the evidence of decisions. */
export function AuditLogPage() {
  const { filter, show } = useViewFilter(auditLogFilter)
  const events = usePagedList({
    page: (offset) => auditLogPageQuery(filter, offset),
    placement: newestFirst,
    keyOf: ({ id }) => id,
  })
  const people = useQuery(peopleQuery)
  // When new events are shown, the rows have other places.
  const view = JSON.stringify([filter, events.total])
  const [selected, select] = useViewState(view, 0)
  const showNews = (): void => {
    events.showNews()
    focusSoon(() => document.querySelector<HTMLElement>('[role="grid"]'))
  }
  useActions(
    isUnfiltered(filter)
      ? []
      : [
          {
            id: 'drop-filters',
            label: texts.clearCommand,
            group: 'Look',
            run: () => show(auditLogFilter.defaults),
          },
        ],
  )
  const entry = events.rowAt(selected)
  return (
    <Region name="sheet" className={classes['page']}>
      <PageHead title={texts.title} />
      <FilterBar
        what={texts.noun}
        q={filter.q}
        placeholder={texts.filters.search}
        onSearch={(q) => show({ q })}
        count={events.isPending ? '' : texts.events(events.total)}
        exports={auditLogExports}
        query={auditLogFilter.query(filter)}
      >
        <AuditLogFilters filter={filter} people={people.data?.items ?? []} onFilter={show} />
      </FilterBar>
      <NewsLine
        place="bar"
        text={events.news === 0 ? null : texts.newEvents(events.news)}
        onShow={showNews}
      />
      <Loading query={events} rows={12} height={32} what={texts.what} failed={texts.loadFailed} />
      {!events.isPending && events.total === 0 && <Nothing filter={filter} />}
      {events.total > 0 && (
        <AuditLogTable events={events} view={view} selected={selected} onSelect={select} />
      )}
      <Region name="dock" as="section" className={classes['foot']} aria-label={texts.selected}>
        <ToastArea />
        {entry !== undefined && <AuditLogDetail entry={entry} />}
      </Region>
    </Region>
  )
}

function Nothing({ filter }: { filter: AuditLogFilter }) {
  if (isUnfiltered(filter)) return <EmptyState icon={IconHistory} title={texts.noEvents} />
  return (
    <EmptyState icon={IconFilter} title={texts.noMatch}>
      {filter.q !== '' && <Link href={auditLogFilter.path({ ...filter, q: '' })}>{texts.clearSearch}</Link>}{' '}
      {(filter.from !== null || filter.to !== null) && (
        <Link href={auditLogFilter.path({ ...filter, from: null, to: null })}>{texts.clearDates}</Link>
      )}{' '}
      <Link href={auditLogFilter.path({})}>{texts.clearFilters}</Link>
    </EmptyState>
  )
}
