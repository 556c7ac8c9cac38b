import { useLocation, useSearch } from 'wouter'
import { maxFacetCharacters } from '../../../shared/contracts/desk-agents-common.ts'
import { upperFirst } from '../format.ts'
import { pathWith } from '../app/page-address.ts'

/** One parameter of a view's address. */
export interface Field<Value> {
  default: Value
  /** Null for text that the view does not know. */
  read: (text: string) => Value | null
  /** For a field that hides rows: the label of the link that clears it. */
  drop?: ((text: string) => string) | undefined
}

/** A wider filter, with one or all of the fields cleared. */
interface Drop<Filter> {
  label: string
  next: Filter
}

/** The filter of a view, as encoded in its address. Exports use the same. */
export interface ViewFilter<Filter> {
  /** The filter of an address without parameters. */
  defaults: Filter
  read: (search: string) => Filter
  /** The address of a filter, or of one of its rows; defaults are left out. */
  path: (filter: Partial<Filter>, id?: number | null) => string
  /** The query parameters of a request: all of them, or those that an endpoint knows. */
  query: (filter: Partial<Filter>, keys?: readonly (keyof Filter)[]) => Record<string, string>
  /** One entry per field that hides rows, and one for all of them if there are several. */
  drops: (filter: Filter) => Drop<Filter>[]
}

/**
 * Declares the filter of a view. `settle` resolves fields that exclude each other, and sets those that are not given if
 * their default depends on others.
 */
export function viewFilter<Filter extends object>(
  path: string,
  fields: { [Key in keyof Filter]: Field<Filter[Key]> },
  settle: (filter: NoInfer<Filter>, given: Partial<NoInfer<Filter>>) => NoInfer<Filter> = (filter) => filter,
): ViewFilter<Filter> {
  const names = Object.keys(fields) as (keyof Filter & string)[]
  const defaults = Object.fromEntries(names.map((name) => [name, fields[name].default])) as Filter
  const settled = (given: Partial<Filter>): Filter => settle({ ...defaults, ...given }, given)
  const without = (filter: Filter, left: string): Filter =>
    settled(Object.fromEntries(Object.entries(filter).filter(([name]) => name !== left)) as Partial<Filter>)
  const shown = names.filter((name) => fields[name].drop !== undefined)
  return {
    defaults,
    read(search) {
      const params = new URLSearchParams(search)
      const given = names.flatMap((name) => {
        const text = params.get(name)
        const value = text === null ? null : fields[name].read(text)
        return value === null ? [] : [[name, value] as const]
      })
      return settled(Object.fromEntries(given) as Partial<Filter>)
    },
    path(filter, id = null) {
      const all = settled(filter)
      return pathWith(
        id === null ? path : `${path}/${id}`,
        Object.fromEntries(
          names.map((name) => [name, all[name] === without(all, name)[name] ? null : textOf(all[name])]),
        ),
      )
    },
    query(filter, keys = names) {
      const all = settled(filter)
      const texts = names.map((name) => [name, keys.includes(name) ? textOf(all[name]) : null] as const)
      return Object.fromEntries(
        texts.filter((entry): entry is [(typeof entry)[0], string] => entry[1] !== null),
      )
    },
    drops(filter) {
      const dropped = shown.filter((name) => filter[name] !== defaults[name])
      const drops = dropped.map((name) => ({
        label: fields[name].drop?.(textOf(filter[name]) ?? '') ?? name,
        next: settled({ ...filter, [name]: defaults[name] }),
      }))
      if (drops.length < 2) return drops
      const rest = Object.fromEntries(shown.map((name) => [name, defaults[name]])) as Partial<Filter>
      return [...drops, { label: 'Clear filters', next: settled({ ...filter, ...rest }) }]
    },
  }
}

/** The fields of a filter that hold one name or none. */
type NamedKey<Filter> = keyof Filter &
  { [Key in keyof Filter]: string | null extends Filter[Key] ? Key : never }[keyof Filter]

/** The filter in the current address, and functions that change it. */
export function useViewFilter<Filter>(view: ViewFilter<Filter>) {
  const [, navigate] = useLocation()
  const filter = view.read(useSearch())
  const pathTo = (change: Partial<Filter>): string => view.path({ ...filter, ...change })
  const show = (change: Partial<Filter>): void => navigate(pathTo(change), { replace: true })
  return {
    view,
    filter,
    /** The address of the filter with a change. */
    pathTo,
    show,
    /** For a FacetPicker that chooses this field. */
    pick: (key: NamedKey<Filter> & string) => ({
      label: upperFirst(key),
      value: filter[key] as string | null,
      onValue: (value: string | null): void => show({ [key]: value } as Partial<Filter>),
    }),
  }
}

export type FilterState<Filter> = ReturnType<typeof useViewFilter<Filter>>

/** The value of a parameter; null if it is not set. */
function textOf(value: unknown): string | null {
  if (value === true) return 'true'
  return typeof value === 'string' && value !== '' ? value : null
}

/** A search text. */
export const searched: Field<string> = {
  default: '',
  read: (text) => text.slice(0, 100),
  drop: (text) => `Clear search “${text}”`,
}

/** One of the values that rows have, of at most `maxLength` characters. */
export const named = (maxLength: number, drop?: (name: string) => string): Field<string | null> => ({
  default: null,
  read: (text) => (text === '' ? null : text.slice(0, maxLength)),
  drop,
})

/** The label of the link that shows all values of a column: `Any tier, not just gold`. */
export const notJust = (column: string) => (value: string) => `Any ${column}, not just ${value}`

/** One of the values of a column with few of them. */
export const facet = (column: string): Field<string | null> => named(maxFacetCharacters, notJust(column))

export const choice = <const Value extends string, const Default extends Value | null>(
  values: readonly Value[],
  fallback: Default,
  drop?: (value: string) => string,
): Field<Value | Default> => ({
  default: fallback,
  read: (text) => values.find((value) => value === text) ?? null,
  drop,
})

export const flag = (drop?: string): Field<boolean> => ({
  default: false,
  read: (text) => text === 'true',
  drop: drop === undefined ? undefined : () => drop,
})

/** A day in UTC: `2026-11-21`. */
export const day: Field<string | null> = {
  default: null,
  read(text) {
    if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null
    const at = new Date(`${text}T00:00:00Z`)
    return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text ? text : null
  },
}

/** The sort order of a table; by default the first of `sorts`, ascending. */
export const sorted = <const Sort extends string>(sorts: readonly [Sort, ...Sort[]]) => ({
  sort: choice<Sort, Sort>(sorts, sorts[0]),
  order: choice(['asc', 'desc'], 'asc'),
})
