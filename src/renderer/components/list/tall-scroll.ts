/** More content under a row, which makes it higher than the others. */
export interface Extra {
  place: number
  height: number
}

/** How long a table is: rows of one height in pixels, and the known extras of some, by place. */
export interface Extent {
  total: number
  rowHeight: number
  extras: readonly Extra[]
}

/** The row at the upper edge, and how much of it is out of sight. It stays there whatever becomes known about others. */
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

/** The row at a distance from the beginning of the table. */
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

/** The distance at which an anchor's row stands at the upper edge; the table does not end above the lower one. */
export function distanceOf(extent: Extent, { place, offset }: Anchor, sight: number): number {
  const furthest = Math.max(0, heightOf(extent) - sight)
  return Math.max(0, Math.min(furthest, topOf(extent, place) + offset))
}

/** The rows that can be seen from a distance on, the last one not included. */
export function rowsInSight(extent: Extent, y: number, sight: number): { first: number; end: number } {
  if (extent.total === 0) return { first: 0, end: 0 }
  return { first: anchorAt(extent, y).place, end: anchorAt(extent, y + sight).place + 1 }
}

/** The nearest distance from which a row is in sight. */
export function distanceToShow(
  extent: Extent,
  place: number,
  { y, sight }: { y: number; sight: number },
): number {
  const top = topOf(extent, place)
  if (top < y) return Math.min(top, Math.max(0, heightOf(extent) - sight))
  return Math.max(y, top + extent.rowHeight - sight)
}

/** No browser makes an element of any height: what is higher than this is scrolled in a shorter one. */
export const tallest = 6_000_000
/** So near to both ends a pixel is a pixel, so that one comes to them as usual. */
const edge = 200_000

/** How high a table is, and how high the element is that is scrolled. */
export interface Heights {
  table: number
  element: number
}

export function heightsOf(extent: Extent, sight: number): Heights {
  const height = heightOf(extent)
  return { table: Math.max(0, height - sight), element: Math.max(0, Math.min(height, tallest) - sight) }
}

/** The distance in the table that belongs to one in the element. */
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

/** Further than so many times what is in sight is a jump: it goes by the whole table's length. */
const jump = 3

/** Where one is in the table after the element was scrolled from one distance to another. */
export function scrolled(
  heights: Heights,
  { from, to, y, sight }: { from: number; to: number; y: number; sight: number },
): number {
  if (to <= 0 && from > jump * sight) return 0
  const next = Math.abs(to - from) > jump * sight ? toTable(heights, to) : y + to - from
  return Math.max(0, Math.min(heights.table, next))
}
