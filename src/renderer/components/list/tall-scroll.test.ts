import { describe, expect, test } from 'vitest'
import {
  anchorAt,
  distanceOf,
  distanceToShow,
  heightOf,
  heightsOf,
  visibleRows,
  scrolled,
  maxElementHeight,
  toElement,
  topOf,
  toTable,
} from './tall-scroll.ts'

const rowHeight = 28
const plain = { total: 1000, rowHeight, extras: [] }
const mixed = {
  total: 1000,
  rowHeight,
  extras: [
    { place: 3, height: 28 },
    { place: 500, height: 84 },
  ],
}

describe('a table with rows of equal height', () => {
  test('is as tall as its rows and their known extras', () => {
    expect(heightOf(plain)).toBe(28_000)
    expect(heightOf(mixed)).toBe(28_000 + 112)
  })

  test('places each row after the extras of the rows before it', () => {
    expect(topOf(mixed, 3)).toBe(3 * 28)
    expect(topOf(mixed, 4)).toBe(4 * 28 + 28)
    expect(topOf(mixed, 501)).toBe(501 * 28 + 112)
  })

  test('finds the row at every distance, even within its extra', () => {
    for (let place = 0; place < mixed.total; place += 1) {
      const top = topOf(mixed, place)
      const height = (place + 1 < mixed.total ? topOf(mixed, place + 1) : heightOf(mixed)) - top
      expect(anchorAt(mixed, top)).toEqual({ place, offset: 0 })
      expect(anchorAt(mixed, top + height - 1)).toEqual({ place, offset: height - 1 })
    }
  })

  test('reports the visible rows', () => {
    expect(visibleRows(plain, 0, 560)).toEqual({ first: 0, end: 21 })
    expect(visibleRows(plain, 27_440, 560)).toEqual({ first: 980, end: 1000 })
    expect(visibleRows({ total: 0, rowHeight, extras: [] }, 0, 560)).toEqual({ first: 0, end: 0 })
  })

  test('keeps the anchor’s row in place when an extra is added above it', () => {
    const anchor = anchorAt(plain, 560 * 28 + 10)
    const before = distanceOf(plain, anchor, 560)
    const after = distanceOf(mixed, anchor, 560)
    expect(topOf(plain, 560) - before).toBe(topOf(mixed, 560) - after)
    expect(after).toBe(before + 112)
  })

  test('never scrolls past its end', () => {
    expect(distanceOf(plain, { place: 999, offset: 20 }, 560)).toBe(28_000 - 560)
    expect(distanceOf({ total: 3, rowHeight, extras: [] }, { place: 2, offset: 0 }, 560)).toBe(0)
  })

  test('scrolls no further than needed to show a row', () => {
    expect(distanceToShow(plain, 10, { y: 0, viewHeight: 560 })).toBe(0)
    expect(distanceToShow(plain, 20, { y: 0, viewHeight: 560 })).toBe(28)
    expect(distanceToShow(plain, 5, { y: 560, viewHeight: 560 })).toBe(140)
  })
})

describe('a table taller than the maximum height of an element', () => {
  const million = { total: 1_000_000, rowHeight, extras: [] }
  const viewHeight = 700
  const heights = heightsOf(million, viewHeight)

  test('scrolls in an element of the maximum height', () => {
    expect(heights).toEqual({ table: 28_000_000 - viewHeight, element: maxElementHeight - viewHeight })
    expect(heightsOf(plain, viewHeight)).toEqual({ table: 27_300, element: 27_300 })
  })

  test('maps every distance to the element and back, in order, including both ends', () => {
    expect(toTable(heights, 0)).toBe(0)
    expect(toTable(heights, heights.element)).toBe(heights.table)
    let last = -1
    for (let y = 0; y <= heights.element; y += 9973) {
      const table = toTable(heights, y)
      expect(table).toBeGreaterThan(last)
      expect(toElement(heights, table)).toBeCloseTo(y, 3)
      last = table
    }
  })

  test('moves by one pixel per pixel of the wheel, at any position', () => {
    for (const y of [0, 50_000, 14_000_000, heights.table - 2000]) {
      const from = toElement(heights, y)
      expect(scrolled(heights, { from, to: from + 100, y, viewHeight })).toBeCloseTo(y + 100, 6)
    }
  })

  test('scales the move when the scroll bar is dragged, and reaches both ends', () => {
    const middle = scrolled(heights, { from: 0, to: heights.element / 2, y: 0, viewHeight })
    expect(middle / rowHeight).toBeCloseTo((1_000_000 - viewHeight / rowHeight) / 2, 0)
    expect(scrolled(heights, { from: 0, to: heights.element, y: 0, viewHeight })).toBe(heights.table)
    expect(scrolled(heights, { from: 3_000_000, to: 0, y: middle, viewHeight })).toBe(0)
  })

  test('does not scroll beyond its ends', () => {
    expect(scrolled(heights, { from: 100, to: 0, y: 40, viewHeight })).toBe(0)
    expect(
      scrolled(heights, {
        from: heights.element - 100,
        to: heights.element,
        y: heights.table - 20,
        viewHeight,
      }),
    ).toBe(heights.table)
  })
})
