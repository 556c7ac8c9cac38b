import type { FunctionNameSource, FunctionTable } from './functions.ts'
import { functionAt, functionName } from './functions.ts'

const functionSorts = ['size', 'index', 'name'] as const
export type FunctionSort = (typeof functionSorts)[number]

/** A filtered and sorted view of the functions. */
export interface FunctionView {
  sort: FunctionSort
  descending: boolean
  /** Part of a name, an index, or an offset in the file (`0x1f3a0`). */
  filter: string
}

export interface FunctionRow {
  /** Position among the functions with a body. */
  place: number
  index: number
  name: string | null
  source: FunctionNameSource | null
  offset: number
  size: number
}

// Greater than any place and any size, so that both fit into one exact number.
const PLACES = 2 ** 21
const SIZES = 2 ** 25

const filterPlaces = (bytes: Uint8Array, table: FunctionTable, filter: string): Uint32Array => {
  if (filter === '') return Uint32Array.from({ length: table.count }, (_, place) => place)
  if (/^0x[0-9a-f]+$/i.test(filter)) {
    const place = functionAt(table, Number(filter))
    return place === null ? new Uint32Array(0) : Uint32Array.of(place)
  }
  const needle = filter.toLowerCase()
  const index = /^\d+$/.test(filter) ? Number(filter) : -1
  const found: number[] = []
  for (let place = 0; place < table.count; place += 1) {
    const own = table.imported + place
    if (own === index || functionName(bytes, table, own)?.name.toLowerCase().includes(needle) === true)
      found.push(place)
  }
  return Uint32Array.from(found)
}

// Sorting numbers is ten times faster than sorting with a comparison function.
const sortBySize = (table: FunctionTable, places: Uint32Array, descending: boolean): Uint32Array => {
  const keys = new Float64Array(places.length)
  for (const [at, place] of places.entries()) {
    const size = table.sizes[place] ?? 0
    keys[at] = (descending ? SIZES - size : size) * PLACES + place
  }
  keys.sort()
  return places.map((_, at) => (keys[at] ?? 0) % PLACES)
}

const sortByName = (bytes: Uint8Array, table: FunctionTable, places: Uint32Array, descending: boolean) => {
  const names = Array.from(places, (place) => ({
    place,
    name: functionName(bytes, table, table.imported + place)?.name ?? null,
  }))
  // Functions without a name are always last.
  const nameless = names.filter(({ name }) => name === null)
  const named = names.filter((one): one is { place: number; name: string } => one.name !== null)
  named.sort((left, right) =>
    left.name < right.name ? -1 : left.name > right.name ? 1 : left.place - right.place,
  )
  const inOrder = descending ? named.toReversed() : named
  return Uint32Array.from([...inOrder, ...nameless], ({ place }) => place)
}

/** The places of the functions in a view, in order. */
export const arrangeFunctions = (
  bytes: Uint8Array,
  table: FunctionTable,
  view: FunctionView,
): Uint32Array => {
  const places = filterPlaces(bytes, table, view.filter.trim())
  if (view.sort === 'size') return sortBySize(table, places, view.descending)
  if (view.sort === 'name') return sortByName(bytes, table, places, view.descending)
  return view.descending ? places.toReversed() : places
}

export const functionRow = (bytes: Uint8Array, table: FunctionTable, place: number): FunctionRow => {
  const index = table.imported + place
  const known = functionName(bytes, table, index)
  return {
    place,
    index,
    name: known?.name ?? null,
    source: known?.source ?? null,
    offset: table.offsets[place] ?? 0,
    size: table.sizes[place] ?? 0,
  }
}
