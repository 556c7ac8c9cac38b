import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forecastSpend, paceFrom, wholeDays } from './forecast.ts'
import { dayMs, hourMs } from './times.ts'

const today = Date.UTC(2026, 10, 20)
const minuteMs = 60_000

const cases = fc
  .record({
    days: fc.integer({ min: 2, max: 14 }),
    minute: fc.nat({ max: 24 * 60 - 1 }),
    spent: fc.array(fc.record({ hour: fc.nat({ max: 14 * 24 - 1 }), cents: fc.nat({ max: 1000 }) }), {
      maxLength: 40,
    }),
  })
  .map(({ days, minute, spent }) => {
    const from = today - days * dayMs
    return {
      days: { from, to: today, days },
      now: today + minute * minuteMs,
      hours: spent
        .filter(({ hour }) => hour < days * 24)
        .map(({ hour, cents }) => ({ at: from + hour * hourMs, cents })),
    }
  })
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0)

/** Minute by minute. */
function naive({ days, now, hours }: Case, begin: number, end: number): number {
  const centsWhere = (isIt: (at: number) => boolean): number =>
    sum(hours.filter(({ at }) => isIt(at)).map(({ cents }) => cents))
  const ofHour = Array.from(
    { length: 24 },
    (_, hour) => centsWhere((at) => (at % dayMs) / hourMs === hour) / days.days / 60,
  )
  const ofWeekday = Array.from({ length: 7 }, (_, day) =>
    days.days < 14
      ? centsWhere(() => true) / days.days / (24 * 60)
      : centsWhere((at) => Math.floor((at - days.from) / dayMs) % 7 === day) / 2 / (24 * 60),
  )
  let all = 0
  for (let at = Math.max(begin, now); at < end; at += minuteMs) {
    all +=
      at < today + dayMs
        ? (ofHour[Math.floor((at - today) / hourMs)] ?? 0)
        : (ofWeekday[Math.floor((at - days.from) / dayMs) % 7] ?? 0)
  }
  return all
}

test('the forecast is the average cost of the same hours, and later of the same weekdays', () => {
  fc.assert(
    fc.property(cases, fc.nat({ max: 3000 }), fc.nat({ max: 12_000 }), (one, begin, length) => {
      const from = today + begin * minuteMs
      const to = from + length * minuteMs
      const pace = paceFrom(one.hours, one.days, one.now)
      expect(pace.between(from, to)).toBeCloseTo(naive(one, from, to), 6)
    }),
  )
})

test('the forecast of two consecutive periods is that of both combined', () => {
  fc.assert(
    fc.property(cases, fc.nat({ max: 10 * dayMs }), fc.nat({ max: 10 * dayMs }), (one, first, second) => {
      const pace = paceFrom(one.hours, one.days, one.now)
      const [middle, end] = [one.now + first, one.now + first + second]
      const parts = pace.between(one.now, middle) + pace.between(middle, end)
      expect(parts).toBeCloseTo(pace.between(one.now, end), 6)
    }),
  )
})

test('the range surrounds the forecast, is never below the spending so far, and is narrow if all days are alike', () => {
  fc.assert(
    fc.property(cases, fc.nat({ max: 10_000 }), (one, cents) => {
      const pace = paceFrom(one.hours, one.days, one.now)
      const until = today + dayMs
      const expected = forecastSpend(pace, { cents, calls: 1, unpriced: 0 }, one.now, until)
      expect(expected).not.toBeNull()
      const { lowCents = 0, cents: middle = 0, highCents = 0 } = expected ?? {}
      expect(lowCents).toBeGreaterThanOrEqual(cents)
      expect(middle).toBeGreaterThanOrEqual(lowCents)
      expect(highCents).toBeGreaterThanOrEqual(middle)
      const byDay = Array.from({ length: one.days.days }, (_, day) =>
        sum(
          one.hours
            .filter(({ at }) => Math.floor((at - one.days.from) / dayMs) === day)
            .map((hour) => hour.cents),
        ),
      )
      const mean = sum(byDay) / byDay.length
      const variance = sum(byDay.map((day) => (day - mean) ** 2)) / (byDay.length - 1)
      expect(highCents - middle).toBeCloseTo(1.28 * Math.sqrt((variance * (until - one.now)) / dayMs), 5)
    }),
  )
})

test('there is no forecast for the past, for an unknown sum or without a pace', () => {
  const pace = paceFrom([], { from: today - 2 * dayMs, to: today, days: 2 }, today)
  const spent = { cents: 1, calls: 1, unpriced: 0 }
  expect(forecastSpend(pace, spent, today, today)).toBeNull()
  expect(forecastSpend(pace, { ...spent, cents: null }, today, today + 1)).toBeNull()
  expect(forecastSpend(null, spent, today, today + 1)).toBeNull()
})

test('a forecast needs two whole days and uses at most two weeks', () => {
  expect(wholeDays(null, today)).toBeNull()
  fc.assert(
    fc.property(fc.nat({ max: 40 * dayMs }), fc.nat({ max: dayMs - 1 }), (ago, ms) => {
      const now = today + ms
      const first = now - ago
      // Midnights after the first call, up to the last one: between any two of them is a whole day.
      const midnights = Array.from({ length: 60 }, (_, n) => today - n * dayMs).filter((at) => at > first)
      const days = Math.min(14, midnights.length - 1)
      expect(wholeDays(first, now)?.days ?? null).toBe(days >= 2 ? days : null)
    }),
  )
})
