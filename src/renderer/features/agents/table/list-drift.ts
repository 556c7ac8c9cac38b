import type { ListPage, ListPlaces } from './list-places.ts'

// A list to which rows are only added before its first one: its rows keep their places although the server counts
// every one of them further on.

/** By how many places the server counts further on. */
export function driftOf<Row>({ total, listedTotal, counting }: ListPlaces<Row>): number {
  return counting ? 0 : Math.max(0, listedTotal - total)
}

/** Whether a page holds the rows that it was read for: one that was on its way while rows came does not. */
export function isInPlace<Row>(
  places: ListPlaces<Row>,
  offset: number,
  { total }: ListPage<Row>,
  drift: number,
): boolean {
  return offset === 0 || places.shown.size === 0 || total === null || total - places.total === drift
}

/** Puts the first page where it is listed now; the others are read again, without a drift. */
export function settleNewest<Row>(places: ListPlaces<Row>): ListPlaces<Row> {
  const first = places.listed.get(0)
  const pages = new Map(first === undefined ? [] : [[0, first]])
  return { ...places, shown: pages, listed: pages, total: places.listedTotal }
}
