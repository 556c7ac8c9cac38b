import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { ListState } from '../../lib/list/use-paged-list.ts'
import { Loading } from '../feedback/loading.tsx'
import { Region } from '../feedback/region.tsx'
import classes from './list-column.module.css'
import { NewsLine } from './news-line.tsx'
import { SearchField } from './search-field.tsx'

interface Props {
  label: string
  /** Completes "Loading …" and "Couldn't load …". */
  what: string
  views: ReactNode
  menus?: ReactNode
  search: { value: string; placeholder: string; onSearch: (text: string) => void }
  /** What has been added since the rows were last arranged, if anything. */
  news: { text: string | null; onShow: () => void }
  /** Captions for the order of the rows and for their right edge; null if there are no rows. */
  sort: readonly [left: string, right: string] | null
  query: ListState
  /** Shown if there are no rows. */
  empty: ReactNode
  children: ReactNode
}

/** A list on the left with its views, search field and rows; a drawer in narrow windows. */
export function ListColumn(props: Props) {
  const { label, what, views, menus, search, news, sort, query, empty, children } = props
  const column = useRef<HTMLElement>(null)
  useEffect(() => {
    if (column.current?.parentElement?.hasAttribute('data-drawer') === true) column.current.focus()
  })
  return (
    <Region name="list" as="aside" ref={column} className={classes['column']} aria-label={label}>
      <div className={classes['head']}>
        <div className={classes['views']}>
          {views}
          {menus}
        </div>
        <SearchField {...search} />
      </div>
      <NewsLine place="bar" {...news} />
      {sort !== null && (
        <p className={classes['sort']}>
          <span>{sort[0]}</span>
          <span>{sort[1]}</span>
        </p>
      )}
      <Loading query={query} rows={7} height={52} what={what} failed={`Couldn't load ${what}`} />
      {!query.isPending && query.error === null && empty}
      {children}
    </Region>
  )
}
