import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import {
  anchorAt,
  distanceOf,
  distanceToShow,
  heightsOf,
  rowsInSight,
  scrolled,
  toElement,
  topOf,
} from './tall-scroll.ts'
import type { Anchor, Extent } from './tall-scroll.ts'

const restMs = 150

interface Position {
  view: string
  anchor: Anchor
  /** How far the element was scrolled when the anchor was taken; null until it has been, in a new view. */
  at: number | null
}

interface Options {
  scroller: RefObject<HTMLElement | null>
  extent: Extent
  /** What always covers the upper edge of the scroller. */
  covered: number
  /** Another view begins at `start`. */
  view: string
  start: number
}

/** Scrolls a table of any length; the row at the upper edge stays there whatever becomes known about others. */
export function useTallScroll({ scroller, extent, covered, view, start }: Options) {
  const [sight, setSight] = useState(0)
  const [stored, setStored] = useState<Position>(() => beginningOf(view, start))
  const position = stored.view === view ? stored : beginningOf(view, start)
  if (position !== stored) setStored(position)
  const heights = heightsOf(extent, sight)
  const y = distanceOf(extent, position.anchor, sight)
  const at = position.at ?? toElement(heights, y)

  // Scrolling may go on before what it has led to is on the screen.
  const latest = useRef({ anchor: position.anchor, at })
  const move = (anchor: Anchor, to: number): void => {
    latest.current = { anchor, at: to }
    setStored({ view, anchor, at: to })
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
    const measure = (): void => setSight(Math.max(0, element.clientHeight - covered))
    measure()
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    return () => resized.disconnect()
  }, [scroller, covered])

  // Once it is known how much can be seen.
  const isMeasured = sight > 0
  const begin = useEffectEvent((begun: string) => {
    const element = scroller.current
    if (element === null || begun !== position.view) return
    element.scrollTo({ top: at })
    latest.current = { anchor: position.anchor, at: element.scrollTop }
  })
  useLayoutEffect(() => {
    if (isMeasured) begin(view)
  }, [view, isMeasured])

  // Where the element has come to is put right when nobody scrolls it, and no row moves by that.
  const settle = useEffectEvent((from: number, to: number) => {
    if (!isMeasured) return
    // A little makes no difference, except at the ends; and whoever begins to scroll now would be stopped by it.
    const isAtEnd = y === 0 || y === heights.table
    if (Math.abs(to - from) > (isAtEnd ? 1 : sight)) goTo(y)
  })
  const belongsAt = toElement(heights, y)
  useEffect(() => {
    const timer = setTimeout(() => settle(at, belongsAt), restMs)
    return () => clearTimeout(timer)
  }, [at, belongsAt])

  const onScroll = (): void => {
    const element = scroller.current
    if (element === null || !isMeasured) return
    const { anchor, at: before } = latest.current
    const to = element.scrollTop
    // A table that has become lower is scrolled by the browser, as far as its end.
    const from = Math.min(before, heights.element)
    if (to === from) {
      if (position.at === null || from !== before) move(anchor, to)
      return
    }
    const next = scrolled(heights, { from, to, y: distanceOf(extent, anchor, sight), sight })
    const isAtEnd = to <= 0 || to >= heights.element
    // The element has ended before the table has: there is more to scroll.
    if (isAtEnd && Math.abs(toElement(heights, next) - to) > 1) goTo(next)
    else move(anchorAt(extent, next), to)
  }

  return {
    ...rowsInSight(extent, y, sight),
    isMeasured,
    /** The height of the element that holds the rows. */
    height: heights.element + sight,
    /** Where in that element what is in sight begins. */
    at,
    /** Where a row is, from there on. */
    topOf: (place: number): number => topOf(extent, place) - y,
    sight,
    onScroll,
    show: (place: number): void => {
      const to = distanceToShow(extent, place, { y, sight })
      if (to !== y) goTo(to)
    },
    goToEnd: (): void => goTo(heights.table),
  }
}

function beginningOf(view: string, start: number): Position {
  return { view, anchor: { place: start, offset: 0 }, at: null }
}
