import type { HistoryEntry } from '../../../shared/contracts/desk-history.ts'

export interface HistoryRead {
  from: number
  items: readonly HistoryEntry[]
  total: number
}

/** What is known of the history: nothing in it ever changes, and what is new stands before all the rest. */
export interface HistoryPlaces {
  /** How many there were when the places were given. */
  baseline: number
  /** How many there are by now. */
  latest: number
  entries: ReadonlyMap<number, HistoryEntry>
}

export function firstPlaces(read: HistoryRead): HistoryPlaces {
  return addRead({ baseline: read.total, latest: read.total, entries: new Map() }, read)
}

/** Puts what was read into its places: each read says by its own total how far it is moved on. */
export function addRead(places: HistoryPlaces, { from, items, total }: HistoryRead): HistoryPlaces {
  const entries = new Map(places.entries)
  for (const [index, item] of items.entries()) {
    const place = from + index - (total - places.baseline)
    if (place >= 0) entries.set(place, item)
  }
  return { ...places, latest: Math.max(places.latest, total), entries }
}

const step = 100
const margin = 30

/** The pages to be read for what is in sight and not known, by their offsets. */
export function pagesFor({ baseline, latest, entries }: HistoryPlaces, first: number, end: number): number[] {
  const from = Math.max(0, first - margin)
  const to = Math.min(baseline, end + margin)
  const shift = latest - baseline
  const pages = new Set<number>()
  for (let place = from; place < to; place += 1) {
    if (!entries.has(place)) pages.add(Math.floor((place + shift) / step) * step)
  }
  return [...pages]
}
