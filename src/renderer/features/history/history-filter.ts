import { historyKinds } from '../../../shared/contracts/desk-history.ts'
import type { HistoryKind } from '../../../shared/contracts/desk-history.ts'

/** Which events are listed and exported; part of the URL. */
export interface HistoryFilter {
  kind: HistoryKind | null
  person: number | null
  /** Dates in UTC, `2026-11-21`; both inclusive. */
  from: string | null
  to: string | null
  q: string
}

export const noFilter: HistoryFilter = { kind: null, person: null, from: null, to: null, q: '' }

export function readHistoryFilter(search: string): HistoryFilter {
  const params = new URLSearchParams(search)
  const person = Number(params.get('person'))
  return {
    kind: historyKinds.find((kind) => kind === params.get('kind')) ?? null,
    person: Number.isSafeInteger(person) && person > 0 ? person : null,
    from: day(params.get('from')),
    to: day(params.get('to')),
    q: (params.get('q') ?? '').slice(0, 100),
  }
}

/** The URL of the audit log with a filter. Defaults are left out. */
export function historyPath(filter: HistoryFilter): string {
  const params = new URLSearchParams(
    Object.entries(historyQuery(filter)).map(([key, value]) => [key, `${value}`]),
  )
  return params.size === 0 ? '/history' : `/history?${params.toString()}`
}

/** The filter as query parameters of the API. */
export function historyQuery({ kind, person, from, to, q }: HistoryFilter) {
  return {
    ...(kind === null ? {} : { kind }),
    ...(person === null ? {} : { person }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(q === '' ? {} : { q }),
  }
}

export function isUnfiltered(filter: HistoryFilter): boolean {
  return Object.keys(historyQuery(filter)).length === 0
}

function day(value: string | null): string | null {
  if (value === null || !/^\d{4}-\d\d-\d\d$/.test(value)) return null
  const at = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value) ? value : null
}
