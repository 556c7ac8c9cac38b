/** How a table is ordered. */
export interface Sorting<Sort extends string> {
  sort: Sort
  order: 'asc' | 'desc'
}

export interface SortableHead<Sort extends string> {
  key: string
  label: string
  sort: Sort
  numeric?: boolean
  mono?: boolean
  /** Begins with the most, or the newest. */
  descends?: boolean
}

interface SortableColumn {
  key: string
  label: string
  numeric: boolean
  mono: boolean
  sort: 'ascending' | 'descending' | 'none'
  onSort: () => void
}

/** The heads of a table, each of which orders it; pressed once more it turns the order round. */
export function sortableColumns<Sort extends string>(
  heads: readonly SortableHead<Sort>[],
  now: Sorting<Sort>,
  onSort: (sorting: Sorting<Sort>) => void,
): readonly SortableColumn[] {
  return heads.map(({ key, label, sort, numeric = false, mono = false, descends = false }) => {
    const isSorted = now.sort === sort
    const first = descends ? 'desc' : 'asc'
    const turned = now.order === 'asc' ? 'desc' : 'asc'
    return {
      key,
      label,
      numeric,
      mono,
      sort: isSorted ? (now.order === 'asc' ? 'ascending' : 'descending') : 'none',
      onSort: () => onSort({ sort, order: isSorted ? turned : first }),
    }
  })
}

/** A text of an address, as long as the server takes it; null where there is none. */
export function readText(params: URLSearchParams, key: string, most = 200): string | null {
  const text = params.get(key)
  return text === null || text === '' ? null : text.slice(0, most)
}

/** Without what is null or empty. */
export function withoutNothing(values: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === null || value === '' ? [] : [[key, value]])),
  )
}
