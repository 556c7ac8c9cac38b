import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import {
  anchorAt,
  distanceOf,
  distanceToShow,
  heightsOf,
  visibleRows,
  scrolled,
  toElement,
  topOf,
} from './tall-scroll.ts'
import type { Anchor, Extent } from './tall-scroll.ts'

const settleMs = 150

interface Position {
  view: string
  origin: number
  anchor: Anchor
  /** The element's scroll distance when the anchor was set; null in a new view that has not been scrolled. */
  at: number | null
}

interface Options {
  scroller: RefObject<HTMLElement | null>
  extent: Extent
  /** Pixels of the scroller that sticky rows cover. */
  covered: number
  /** Identifies the rows. When it changes, the table scrolls to `start`. */
  view: string
  start: number
  /** Grows by the number of places added before the first one. */
  origin: number
}

/** Scrolls a table of any length. The row at the top edge stays there when data about other rows arrives. */
export function useTallScroll({ scroller, extent, covered, view, start, origin }: Options) {
  const [viewHeight, setViewHeight] = useState(0)
  const [stored, setStored] = useState<Position>(() => startOf(view, start, origin))
  const position = stored.view === view ? withOrigin(stored, origin) : startOf(view, start, origin)
  if (position !== stored) setStored(position)
  const heights = heightsOf(extent, viewHeight)
  const y = distanceOf(extent, position.anchor, viewHeight)
  const at = position.at ?? toElement(heights, y)

  // Scroll events may arrive before the result of the previous one has been rendered.
  const latest = useRef({ origin, anchor: position.anchor, at })
  const move = (anchor: Anchor, to: number): void => {
    latest.current = { origin, anchor, at: to }
    setStored({ view, origin, anchor, at: to })
  }
  const goTo = (to: number): void => {
    const element = scroller.current
    if (element === null) return
    const clamped = Math.max(0, Math.min(heights.table, to))
    element.scrollTo({ top: toElement(heights, clamped) })
    move(anchorAt(extent, clamped), element.scrollTop)
  }

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const measure = (): void => setViewHeight(Math.max(0, element.clientHeight - covered))
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    return () => resized.disconnect()
  }, [scroller, covered])

  // Only once the height of the scroller is known.
  const isMeasured = viewHeight > 0
  const begin = useEffectEvent((beganView: string) => {
    const element = scroller.current
    if (element === null || beganView !== position.view) return
    element.scrollTo({ top: at })
    latest.current = { origin, anchor: position.anchor, at: element.scrollTop }
  })
  useLayoutEffect(() => {
    if (isMeasured) begin(view)
  }, [view, isMeasured])

  // While nobody scrolls, move the element to the distance that matches the table. Rows do not move.
  const settle = useEffectEvent((from: number, to: number) => {
    if (!isMeasured) return
    // A small difference matters only at the ends, and correcting it would interrupt a person who starts to scroll.
    const isAtEnd = y === 0 || y === heights.table
    if (Math.abs(to - from) > (isAtEnd ? 1 : viewHeight)) goTo(y)
  })
  const belongsAt = toElement(heights, y)
  useEffect(() => {
    const timer = setTimeout(() => settle(at, belongsAt), settleMs)
    return () => clearTimeout(timer)
  }, [at, belongsAt])

  const onScroll = (): void => {
    const element = scroller.current
    if (element === null || !isMeasured) return
    const { anchor, at: before } = withOrigin(latest.current, origin)
    const to = element.scrollTop
    // The browser itself scrolls a table that has become shorter to its end.
    const from = Math.min(before, heights.element)
    if (to === from) {
      if (position.at === null || from !== before) move(anchor, to)
      return
    }
    const next = scrolled(heights, { from, to, y: distanceOf(extent, anchor, viewHeight), viewHeight })
    const isAtEnd = to <= 0 || to >= heights.element
    // The element is at its end, but the table is not: there is more to scroll.
    if (isAtEnd && Math.abs(toElement(heights, next) - to) > 1) goTo(next)
    else move(anchorAt(extent, next), to)
  }

  return {
    ...visibleRows(extent, y, viewHeight),
    isMeasured,
    /** The height of the element that contains the rows. */
    height: heights.element + viewHeight,
    /** The distance in that element at which the visible rows begin. */
    at,
    /** The position of a row, relative to `at`. */
    topOf: (place: number): number => topOf(extent, place) - y,
    viewHeight,
    onScroll,
    show: (place: number): void => {
      const to = distanceToShow(extent, place, { y, viewHeight })
      if (to !== y) goTo(to)
    },
    goToEnd: (): void => goTo(heights.table),
  }
}

function startOf(view: string, start: number, origin: number): Position {
  return { view, origin, anchor: { place: start, offset: 0 }, at: null }
}

/** The same row is at the top edge after places were added or removed before the first one. */
function withOrigin<Place extends Pick<Position, 'origin' | 'anchor'>>(
  position: Place,
  origin: number,
): Place {
  if (position.origin === origin) return position
  const { place, offset } = position.anchor
  return { ...position, origin, anchor: { place: Math.max(0, place + origin - position.origin), offset } }
}
