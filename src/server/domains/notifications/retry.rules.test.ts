import { describe, expect, test } from 'vitest'
import { nextAttempt, tryForMs } from './retry.rules.ts'

/** The times of all attempts, in seconds, if each fails at once. */
function attemptsOf(random: number): number[] {
  const times = [0]
  for (;;) {
    const now = times.at(-1) ?? 0
    const facts = { attempts: times.length, createdAt: 0, now, notBeforeMs: 0 }
    const next = nextAttempt(facts, { baseMs: 5000, random: () => random })
    if (next === null) return times.map((time) => time / 1000)
    times.push(next)
  }
}

describe('retries', () => {
  test('back off exponentially, up to four hours, for a day', () => {
    expect(attemptsOf(0.5)).toEqual([0, 5, 25, 105, 425, 1705, 6825, 21_225, 35_625, 50_025, 64_425, 78_825])
  })

  test('vary by half in both directions', () => {
    expect(attemptsOf(0).slice(0, 3)).toEqual([0, 2.5, 12.5])
    expect(attemptsOf(0.999_999).slice(0, 3)).toEqual([0, 7.5, 37.5])
  })

  test('wait as long as the receiver asks, but not beyond the day', () => {
    const facts = { attempts: 1, createdAt: 0, now: 1000 }
    const policy = { baseMs: 5000, random: () => 0.5 }
    expect(nextAttempt({ ...facts, notBeforeMs: 60_000 }, policy)).toBe(61_000)
    expect(nextAttempt({ ...facts, notBeforeMs: tryForMs }, policy)).toBe(null)
  })
})
