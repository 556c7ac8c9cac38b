import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isNear, mergeRead, openWindow, rangeToRead, trimWindow, wantedPlaces } from './list-window.ts'
import type { ListWindow, Places, RowsRead } from './list-window.ts'

/** What a list needs to know to be shown: rows in their places, of which those in sight are read. */
export interface WindowedList<Row> {
  /** How many places there are for the filter, with those whose rows have not been read. */
  total: number
  /** As on the screen: rows keep their places until somebody asks for the news. */
  rowAt(place: number): Row | undefined
  /** The place of a row, of those that have been read. */
  placeOf(id: number | null): number | null
  /** What follows after all places, under a head of its own. */
  recent: readonly Row[]
  /** Moves on by as many places as were added before the first one; negative where some were given up. */
  origin: number
  /** Tells which places are in sight, so that their rows are read. */
  look(places: Places): void
}

type AnyRead = RowsRead<{ id: number }>
type RowOf<Read extends AnyRead> = Read['rows'][number]

interface Options<Read extends AnyRead, Key extends QueryKey> {
  /** Another filter is another list. */
  filter: string
  /** Reads the rows from one place to another. */
  range: (from: number, to: number) => UseQueryOptions<Read, Error, Read, Key>
  /** A number that only grows by what is new to this list. */
  count: (read: Read) => number
}

interface Shown<Read extends AnyRead> {
  filter: string
  window: ListWindow<RowOf<Read>>
  /** What was read last, and is in the window already as far as it was wanted. */
  read: Read
  wanted: Places
  /** What the news are counted against; another one each time that the rows are put in place. */
  baseline: { counted: number }
}

const top: Places = { first: 0, end: 1 }

/** A long list of which the rows around what is looked at are read, and in which nothing moves by itself. */
export function useListWindow<Read extends AnyRead, Key extends QueryKey>({
  filter,
  range: rangeOf,
  count,
}: Options<Read, Key>) {
  const [sight, setSight] = useState({ filter, places: top })
  const [shown, setShown] = useState<Shown<Read> | null>(null)
  const inSight = sight.filter === filter ? sight.places : top

  let current = shown?.filter === filter ? shown : null
  const wanted = wantedPlaces(inSight, current?.window.total ?? 0)
  const isJump = current !== null && !isNear(current.window, wanted)
  const drift = current === null ? 0 : driftAt(current.window, wanted)
  const range =
    current === null || isJump
      ? rangeToRead(null, { first: wanted.first - drift, end: wanted.end - drift })
      : rangeToRead(trimWindow(current.window, wanted), wanted)
  const query = useQuery(rangeOf(range.from, range.to))
  const read = query.data
  const isOpening = current === null || isJump
  const isMerged = read === current?.read && isSame(wanted, current?.wanted)
  // What is put in place anew is read anew; what is kept from before may be old.
  if (read !== undefined && !isMerged && !(isOpening && query.isFetching)) {
    current = {
      filter,
      window:
        current === null || isJump
          ? openWindow(read, drift, current?.window.origin)
          : trimWindow(mergeRead(current.window, read), wanted),
      read,
      wanted,
      baseline: current?.baseline ?? { counted: count(read) },
    }
    setShown(current)
  }
  const known = current
  const counted = known === null ? 0 : count(known.read)

  return {
    /** Null until the first rows have been read. */
    current: known,
    inSight,
    look: (places: Places): void => setSight({ filter, places }),
    /** What is new since the rows were put in place. */
    news: known === null ? 0 : Math.max(0, counted - known.baseline.counted),
    showNews(): void {
      if (known === null) return
      setShown({ ...known, window: openWindow(known.read, 0, known.window.origin), baseline: { counted } })
    },
    /** Puts the rows that have been read in another order, until they are put in place anew. */
    arrange(rows: readonly RowOf<Read>[]): void {
      if (known !== null) setShown({ ...known, window: { ...known.window, rows } })
    },
    error: query.error,
    isFetching: query.isFetching,
    /** Milliseconds; when the rows were read last. */
    readAt: query.dataUpdatedAt,
    retry: (): void => void query.refetch(),
  }
}

interface Followed {
  readAt: number
  isFetching: boolean
  showNews(): void
}

/** Gives what reads a list again and puts its rows in place anew: for what was changed from here. */
export function useFollow({ readAt, isFetching, showNews }: Followed, readAgain: () => unknown): () => void {
  const [since, setSince] = useState<number | null>(null)
  if (since !== null && readAt >= since && !isFetching) {
    setSince(null)
    showNews()
  }
  return () => {
    setSince(Date.now())
    void readAgain()
  }
}

function isSame(a: Places, b: Places | undefined): boolean {
  return a.first === b?.first && a.end === b.end
}

/** By how much the places of a part of the list that is not near are further on than the server counts them. */
function driftAt<Row>({ start, drift }: ListWindow<Row>, wanted: Places): number {
  return wanted.first < start ? drift.head : drift.tail
}
