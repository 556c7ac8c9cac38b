import { maxOffset } from './contracts/common.ts'

/** Rows per page in the desk's lists. */
export const deskPageSize = 100

/** One page of a list. */
export class ListPage<T> {
  readonly body: T
  /** Whether there is a next page. */
  readonly hasMore: boolean

  constructor(body: T, hasMore: boolean) {
    this.body = body
    this.hasMore = hasMore
  }
}

/** The query of a page of a list. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** The filters of a list and where a page begins. */
export type PageQuery = Query & { offset: number }

/** The query of the page after the one at `offset`; null after the last page, or where its offset would be refused. */
export function nextQuery(query: PageQuery, size: number, hasMore: boolean): string | null {
  const offset = query.offset + size
  return hasMore && offset <= maxOffset ? pageQuery({ ...query, offset }) : null
}

/** The query of a page with its `?`; empty for the first page without filters. */
export function pageQuery(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '' && value !== 0) parameters.set(name, String(value))
  return parameters.size === 0 ? '' : `?${parameters.toString()}`
}
