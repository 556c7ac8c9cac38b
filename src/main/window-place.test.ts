import { expect, test, vi } from 'vitest'
import { findPlace } from './window-place.ts'

const area = vi.hoisted(() => ({ x: 0, y: 0, width: 0, height: 0 }))

vi.mock('electron', () => ({ screen: { getDisplayMatching: () => ({ workArea: area }) } }))

const at = (x: number, y: number, width = 1200, height = 800) =>
  findPlace({ x, y, width, height, isMaximized: false })
const screenOf = (x: number, y: number, width: number, height: number): void =>
  void Object.assign(area, { x, y, width, height })

test('at the first start, the system chooses the position', () => {
  expect(findPlace(null)).toEqual({ width: 1280, height: 800 })
})

test('a position on the screen is restored', () => {
  screenOf(0, 0, 1920, 1080)
  expect(at(100, 50)).toEqual({ x: 100, y: 50, width: 1200, height: 800 })
})

test.each([
  [[5000, 50], { x: 720, y: 50, width: 1200, height: 800 }],
  [[-3000, 50], { x: 0, y: 50, width: 1200, height: 800 }],
  [[100, 4000], { x: 100, y: 280, width: 1200, height: 800 }],
  [[100, -20], { x: 100, y: 0, width: 1200, height: 800 }],
] as const)('a position off the screen at %j is moved onto it', ([x, y], place) => {
  screenOf(0, 0, 1920, 1080)
  expect(at(x, y)).toEqual(place)
})

test('on a second screen, its own edges apply', () => {
  screenOf(1920, 200, 1600, 900)
  expect(at(1900, 0)).toEqual({ x: 1920, y: 200, width: 1200, height: 800 })
})

test('on a smaller screen the window shrinks, but not below the minimum size of the desk', () => {
  screenOf(0, 0, 1100, 700)
  expect(at(0, 0, 1600, 1000)).toEqual({ x: 0, y: 0, width: 1100, height: 700 })
  screenOf(0, 0, 800, 600)
  expect(at(0, 0, 1600, 1000)).toEqual({ x: 0, y: 0, width: 960, height: 640 })
})
