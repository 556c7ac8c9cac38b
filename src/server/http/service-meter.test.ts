import { expect, test } from 'vitest'
import { createServiceMeter } from './service-meter.ts'

const meterAt = (start: number) => {
  let now = start
  return { meter: createServiceMeter(() => now), at: (ms: number) => (now = ms) }
}

test('counts answers per whole second', () => {
  const { meter, at } = meterAt(1_000_000)
  expect(meter.read()).toEqual({ requests: Array(120).fill(0), requestsLastMinute: 0, medianMs: null })
  meter.count()
  meter.count()
  at(1_001_500)
  meter.count()
  at(1_003_000)
  const { requests, requestsLastMinute } = meter.read()
  expect(requests.slice(-4)).toEqual([0, 2, 1, 0])
  expect(requestsLastMinute).toBe(3)
})

test('forgets older seconds, even when their slot in the ring is reused', () => {
  const { meter, at } = meterAt(5000)
  meter.count()
  at(5000 + 61_000)
  expect(meter.read()).toMatchObject({ requestsLastMinute: 0 })
  expect(meter.read().requests).toContain(1)
  // One round later, the same slot belongs to another second.
  at(5000 + 121_000)
  expect(meter.read().requests).toEqual(Array(120).fill(0))
  meter.count()
  at(5000 + 122_000)
  expect(meter.read().requests.at(-1)).toBe(1)
})

test('takes the median of the latest 1,024 answers within the last minute', () => {
  const { meter, at } = meterAt(0)
  meter.time(1000)
  at(70_000)
  for (const ms of [1, 9, 2]) meter.time(ms)
  at(71_000)
  expect(meter.read().medianMs).toBe(2)
  for (let n = 0; n < 1024; n += 1) meter.time(7)
  at(72_000)
  expect(meter.read().medianMs).toBe(7)
})

test('the count and the median of the last minute are of the same seconds', () => {
  const { meter, at } = meterAt(1500)
  meter.count()
  meter.time(12)
  const figures = (ms: number) => {
    at(ms)
    const { requestsLastMinute, medianMs } = meter.read()
    return [requestsLastMinute, medianMs]
  }
  expect(figures(1900)).toEqual([0, null])
  expect(figures(2000)).toEqual([1, 12])
  expect(figures(61_900)).toEqual([1, 12])
  expect(figures(62_000)).toEqual([0, null])
})
