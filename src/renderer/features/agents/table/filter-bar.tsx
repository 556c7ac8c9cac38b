import type { ReactNode } from 'react'
import { SearchField } from '../../../components/list/search-field.tsx'
import { ExportLinks } from './export-links.tsx'
import type { ExportRoutes } from './export-links.tsx'
import classes from './filter-bar.module.css'

interface Props {
  /** What is listed: `trust records`. */
  what: string
  q: string
  placeholder: string
  onSearch: (q: string) => void
  /** How many rows there are, in words. */
  count: string
  exports: ExportRoutes
  /** What the exports are asked for. */
  query: Record<string, string>
  /** The other filters. */
  children: ReactNode
}

/** Search and filters of a list, how many rows they find, and the exports of these rows. */
export function FilterBar({ what, q, placeholder, onSearch, count, exports, query, children }: Props) {
  return (
    <div className={classes['bar']}>
      <div className={classes['filters']} role="search" aria-label={`Filter the ${what}`}>
        <div className={classes['search']}>
          <SearchField value={q} placeholder={placeholder} onSearch={onSearch} />
        </div>
        {children}
      </div>
      <div className={classes['end']}>
        <span>{count}</span>
        <ExportLinks routes={exports} query={query} what={what} />
      </div>
    </div>
  )
}
