import { NativeSelect, Select } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { EmptyState } from '../feedback/empty-state.tsx'
import { ExportButton, exportFormats } from '../form/export-button.tsx'
import type { ExportFormat } from '../form/export-button.tsx'
import { SearchField } from './search-field.tsx'
import { formatCount } from '../../lib/format.ts'
import { useActions } from '../../lib/keys/actions.ts'
import type { ViewFilter } from '../../lib/list/view-filter.ts'
import type { DownloadRoute } from '../../lib/server/use-download.ts'
import classes from './filter-bar.module.css'

export interface FilterBarProps {
  /** What is listed: `trust records`. */
  what: string
  q: string
  placeholder: string
  onSearch: (q: string) => void
  /** How many rows there are, in words. */
  count?: string
  exports: ExportRoutes
  /** Query parameters of the exports. */
  query?: Record<string, string>
  /** The other filters. */
  children: ReactNode
}

/** Search field, filters, number of matching rows and export buttons of a list. */
export function FilterBar(bar: FilterBarProps) {
  const { what, q, placeholder, onSearch, count, exports, query = {}, children } = bar
  return (
    <div className={classes['bar']}>
      <div className={classes['filters']} role="search" aria-label={`Filter ${what}`}>
        <div className={classes['search']}>
          <SearchField value={q} placeholder={placeholder} onSearch={onSearch} />
        </div>
        {children}
      </div>
      <div className={classes['end']} data-text="note">
        <span>{count}</span>
        <ExportLinks routes={exports} query={query} what={what} />
      </div>
    </div>
  )
}

/** The exports of the same rows, by format; the routes of a table also include its list. */
export type ExportRoutes = Partial<Record<ExportFormat, DownloadRoute>>

interface ExportProps {
  routes: ExportRoutes
  /** The filter of the list. */
  query?: Record<string, string>
  /** What the files hold: `agents`. */
  what: string
}

/** The export buttons of a list, also available as actions. */
export function ExportLinks({ routes, query = {}, what }: ExportProps) {
  const exports = exportFormats.flatMap((format) => {
    const route = routes[format]
    return route === undefined ? [] : [{ format, route }]
  })
  useActions(
    exports.map(({ format }) => ({
      id: `export-${what}-${format}`,
      label: `export ${what} as ${format.toUpperCase()}`,
      group: 'Look' as const,
      run: () => document.querySelector<HTMLElement>(`[data-export="${what}.${format}"]`)?.click(),
    })),
  )
  return (
    <span className={classes['exports']}>
      {exports.map(({ format, route }) => (
        <ExportButton key={format} route={route} query={query} what={what} format={format} />
      ))}
    </span>
  )
}

/** Shared by all filter pickers. */
export const pickerProps = {
  size: 'sm',
  searchable: true,
  clearable: true,
  maxDropdownHeight: 280,
  comboboxProps: {
    width: 280,
    position: 'bottom-start',
    transitionProps: { duration: 0 },
    // Inside the page's landmark, so that screen readers find it there.
    withinPortal: false,
  },
  onFocus: ({ currentTarget }: { currentTarget: HTMLInputElement }) => currentTarget.select(),
} as const

/** The options, including the selected one even if no row has it now. */
export const offered = (names: readonly string[], value: string | null): string[] =>
  value === null || names.includes(value) ? [...names] : [value, ...names]

interface PickerProps {
  /** `Tier`; without a selection the picker shows `Any tier`. */
  label: string
  icon: Icon
  width?: number
  facets: readonly { name: string; rows: number }[] | undefined
  value: string | null
  onValue: (value: string | null) => void
  /** For options that are loaded when the picker is opened. */
  onOpen?: () => void
}

/** Picks one of the values that rows have; each option shows how many rows have it. */
export function FacetPicker(picker: PickerProps) {
  const { label, icon: FacetIcon, width = 140, facets, value, onValue, onOpen } = picker
  const any = `Any ${label.toLowerCase()}`
  const rows = new Map(facets?.map((facet) => [facet.name, facet.rows]))
  return (
    <Select
      {...pickerProps}
      w={width}
      aria-label={label}
      placeholder={any}
      leftSection={<FacetIcon size={14} stroke={1.75} />}
      clearButtonProps={{ 'aria-label': any }}
      withCheckIcon={false}
      // Typing finds options beyond the first 50.
      limit={50}
      nothingFoundMessage={facets === undefined ? 'Loading…' : 'No matches'}
      data={offered([...rows.keys()], value)}
      renderOption={({ option }) => (
        <span className={classes['option']}>
          <span>{option.label}</span>
          <span>{formatCount(rows.get(option.value) ?? 0)}</span>
        </span>
      )}
      value={value}
      onChange={onValue}
      {...(onOpen !== undefined && { onDropdownOpen: onOpen })}
    />
  )
}

interface SelectProps<Value extends string> {
  label: string
  options: readonly (readonly [value: Value | null, label: string])[]
  value: Value | null
  onValue: (value: Value | null) => void
  /** Maximum, in pixels. */
  width?: number
}

/** Picks one of a few values. */
export function SelectFilter<Value extends string>({
  label,
  options,
  value,
  onValue,
  width,
}: SelectProps<Value>) {
  return (
    <NativeSelect
      size="sm"
      aria-label={label}
      {...(width !== undefined && { maw: width })}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onValue(options.find(([one]) => one === currentTarget.value)?.[0] ?? null)
      }
      data={options.map(([one, text]) => ({ value: one ?? '', label: text }))}
    />
  )
}

export interface NoMatchesProps<Filter> {
  icon?: Icon | undefined
  title: string
  view: ViewFilter<Filter>
  filter: Filter
  /** Rendered after a link's label, such as the number of rows of that filter. */
  renderMore?: (next: Filter) => ReactNode
}

/** The empty state of a filtered list, with links that remove parts of the filter. */
export function NoMatches<Filter>(props: NoMatchesProps<Filter>) {
  const { icon = IconFilter, title, view, filter, renderMore } = props
  return (
    <EmptyState icon={icon} title={title}>
      <p className={classes['drops']}>
        {view.drops(filter).map(({ label, next }) => (
          <Link key={label} href={view.path(next)}>
            {label}
            {renderMore?.(next)}
          </Link>
        ))}
      </p>
    </EmptyState>
  )
}
