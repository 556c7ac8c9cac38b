import { IconFilter, IconHistory } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Region } from '../../components/feedback/region.tsx'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ExportButton } from '../../components/form/export-button.tsx'
import { Failure } from '../../components/feedback/failure.tsx'
import { NewsLine } from '../../components/list/news-line.tsx'
import { ToastArea } from '../../components/feedback/toast-area.tsx'
import { useActions } from '../../lib/keys/actions.ts'
import { newestFirst } from '../../lib/list/paged-list.ts'
import { usePagedList } from '../../lib/list/use-paged-list.ts'
import { useViewFilter } from '../../lib/list/view-filter.ts'
import { useTitle } from '../../lib/app/use-title.ts'
import { peopleQuery } from '../people/people.api.ts'
import { HistoryDetail } from './components/history-detail.tsx'
import { HistoryFilters } from './components/history-filters.tsx'
import { HistoryTable } from './components/history-table.tsx'
import { historyFilter, isUnfiltered } from './history-filter.ts'
import type { HistoryFilter } from './history-filter.ts'
import { historyExports, historyPageQuery } from './history.api.ts'
import { texts } from './history.texts.ts'
import classes from './history-page.module.css'

/** The audit log: when, who, what, about what, why or which values, from where, and the evidence of decisions. */
export function HistoryPage() {
  useTitle(texts.title)
  const { filter, show } = useViewFilter(historyFilter)
  const history = usePagedList({
    page: (offset) => historyPageQuery(filter, offset),
    placement: newestFirst,
  })
  const people = useQuery(peopleQuery)
  const [selected, setSelected] = useState(0)
  const [focusTable, setFocusTable] = useState(false)
  const showFiltered = (change: Partial<HistoryFilter>): void => {
    setSelected(0)
    show(change)
  }
  // New events are listed first, so the selection moves there.
  const showNews = (): void => {
    setSelected(0)
    setFocusTable(true)
    history.showNews()
  }
  const save = (format: 'csv' | 'ndjson') => ({
    id: `export-${format}`,
    label: texts.exportCommand(format.toUpperCase()),
    group: 'Look' as const,
    run: () => document.querySelector<HTMLElement>(`[data-export="history.${format}"]`)?.click(),
  })
  useActions([
    save('csv'),
    save('ndjson'),
    ...(isUnfiltered(filter)
      ? []
      : [
          {
            id: 'drop-filters',
            label: texts.clearCommand,
            group: 'Look' as const,
            run: () => showFiltered(historyFilter.defaults),
          },
        ]),
  ])
  const entry = history.rowAt(selected)
  return (
    <Region name="sheet" className={classes['page']}>
      <header className={classes['head']}>
        <h1>{texts.title}</h1>
        <span className={classes['count']}>{!history.loading && texts.events(history.total)}</span>
        {(['csv', 'ndjson'] as const).map((format) => (
          <ExportButton
            key={format}
            route={historyExports[format]}
            query={historyFilter.query(filter)}
            what="history"
            format={format}
          />
        ))}
      </header>
      <HistoryFilters filter={filter} people={people.data?.items ?? []} onFilter={showFiltered} />
      <NewsLine
        place="bar"
        text={history.news === 0 ? null : texts.newEvents(history.news)}
        onShow={showNews}
      />
      {history.error !== null && (
        <div className={classes['problem']}>
          <Failure error={history.error} what={texts.loadFailed} retry={history.retry} />
        </div>
      )}
      {history.loading && history.error === null && <Skeleton rows={12} height={32} what={texts.what} />}
      {!history.loading && history.total === 0 && <Nothing filter={filter} />}
      {history.total > 0 && (
        <HistoryTable
          history={history}
          selected={selected}
          focused={focusTable}
          onSelect={setSelected}
          key={`${JSON.stringify(filter)} ${history.total}`}
        />
      )}
      <Region name="dock" as="section" className={classes['foot']} aria-label={texts.selected}>
        <ToastArea />
        {entry !== undefined && <HistoryDetail entry={entry} />}
      </Region>
    </Region>
  )
}

function Nothing({ filter }: { filter: HistoryFilter }) {
  if (isUnfiltered(filter)) return <EmptyState icon={IconHistory} title={texts.noEvents} />
  return (
    <EmptyState icon={IconFilter} title={texts.noMatch}>
      {filter.q !== '' && <Link href={historyFilter.path({ ...filter, q: '' })}>{texts.clearSearch}</Link>}{' '}
      {(filter.from !== null || filter.to !== null) && (
        <Link href={historyFilter.path({ ...filter, from: null, to: null })}>{texts.clearDates}</Link>
      )}{' '}
      <Link href={historyFilter.path({})}>{texts.clearFilters}</Link>
    </EmptyState>
  )
}
