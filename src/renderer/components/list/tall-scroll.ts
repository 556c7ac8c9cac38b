/** Content below a row, which makes the row taller than the others. */
export interface Extra {
  place: number
  height: number
}

/** The size of a table: rows of equal height in pixels, and the known extras, sorted by place. */
export interface Extent {
  total: number
  rowHeight: number
  extras: readonly Extra[]
}

/** The row at the top edge, and how many pixels of it are scrolled out. It stays there when extras of others are added. */
export interface Anchor {
  place: number
  offset: number
}

export function heightOf({ total, rowHeight, extras }: Extent): number {
  return total * rowHeight + extras.reduce((sum, { height }) => sum + height, 0)
}

export function topOf({ rowHeight, extras }: Extent, place: number): number {
  let top = place * rowHeight
  for (const extra of extras) {
    if (extra.place >= place) break
    top += extra.height
  }
  return top
}

/** The row at a distance from the top of the table. */
export function anchorAt({ total, rowHeight, extras }: Extent, y: number): Anchor {
  let above = 0
  for (const { place, height } of extras) {
    const top = place * rowHeight + above
    if (top > y) break
    if (y < top + rowHeight + height) return { place, offset: y - top }
    above += height
  }
  const place = Math.max(0, Math.min(total - 1, Math.floor((y - above) / rowHeight)))
  return { place, offset: Math.max(0, y - above - place * rowHeight) }
}

/** The scroll distance that puts an anchor's row at the top edge, at most the one that shows the end of the table. */
export function distanceOf(extent: Extent, { place, offset }: Anchor, viewHeight: number): number {
  const furthest = Math.max(0, heightOf(extent) - viewHeight)
  return Math.max(0, Math.min(furthest, topOf(extent, place) + offset))
}

/** The visible rows at a scroll distance, `end` not included. */
export function visibleRows(extent: Extent, y: number, viewHeight: number): { first: number; end: number } {
  if (extent.total === 0) return { first: 0, end: 0 }
  return { first: anchorAt(extent, y).place, end: anchorAt(extent, y + viewHeight).place + 1 }
}

/** The nearest scroll distance at which a row is visible. */
export function distanceToShow(
  extent: Extent,
  place: number,
  { y, viewHeight }: { y: number; viewHeight: number },
): number {
  const top = topOf(extent, place)
  if (top < y) return Math.min(top, Math.max(0, heightOf(extent) - viewHeight))
  return Math.max(y, top + extent.rowHeight - viewHeight)
}

/** Browsers limit the height of an element, so a taller table scrolls in an element of this height. */
export const maxElementHeight = 6_000_000
/** Within this distance of both ends, positions are not scaled, so that scrolling there is exact. */
const edge = 200_000

/** The scrollable heights of the table and of the element that scrolls it. */
interface Heights {
  table: number
  element: number
}

export function heightsOf(extent: Extent, viewHeight: number): Heights {
  const height = heightOf(extent)
  return {
    table: Math.max(0, height - viewHeight),
    element: Math.max(0, Math.min(height, maxElementHeight) - viewHeight),
  }
}

/** Converts a scroll distance of the element into one of the table. */
export function toTable({ table, element }: Heights, y: number): number {
  if (table === element || y <= edge) return Math.min(y, table)
  if (y >= element - edge) return table - (element - y)
  return edge + ((y - edge) / (element - 2 * edge)) * (table - 2 * edge)
}

export function toElement({ table, element }: Heights, y: number): number {
  if (table === element || y <= edge) return Math.min(y, element)
  if (y >= table - edge) return element - (table - y)
  return edge + ((y - edge) / (table - 2 * edge)) * (element - 2 * edge)
}

/** A move of more than this many screens counts as a jump, which is scaled to the table's height. */
const jumpScreens = 3

/** The table's new scroll distance after the element was scrolled `from` one distance `to` another. */
export function scrolled(
  heights: Heights,
  { from, to, y, viewHeight }: { from: number; to: number; y: number; viewHeight: number },
): number {
  if (to <= 0 && from > jumpScreens * viewHeight) return 0
  const next = Math.abs(to - from) > jumpScreens * viewHeight ? toTable(heights, to) : y + to - from
  return Math.max(0, Math.min(heights.table, next))
}
