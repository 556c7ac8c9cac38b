import { useLocation, useSearch } from 'wouter'
import type { ViewFilter } from './view-filter.ts'

/** The fields of a filter that hold one name or none. */
type NamedKey<Filter> = keyof Filter &
  { [Key in keyof Filter]: string | null extends Filter[Key] ? Key : never }[keyof Filter]

/** What the address says, and the ways to change it. */
export function useViewFilter<Filter>(declared: ViewFilter<Filter>) {
  const [, navigate] = useLocation()
  const filter = declared.read(useSearch())
  const show = (change: Partial<Filter>): void =>
    navigate(declared.path({ ...filter, ...change }), { replace: true })
  return {
    filter,
    show,
    /** For a FacetPicker that chooses this field. */
    pick: (key: NamedKey<Filter> & string) => ({
      label: `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`,
      value: filter[key] as string | null,
      onValue: (value: string | null): void => show({ [key]: value } as Partial<Filter>),
    }),
  }
}

export type FilterState<Filter> = ReturnType<typeof useViewFilter<Filter>>
