import { resolve } from 'node:path'
import { analyse } from 'scslre'
import { describe, expect, test } from 'vitest'
import { findSlowText } from './support/backtracking.ts'
import { readSourcePatterns } from './support/source-patterns.ts'

/**
 * In milliseconds of CPU time, for 50,000 characters. A linear pattern takes a few, a quadratic one takes
 * thousands.
 */
const limitMs = 250

const { patterns, constructed } = readSourcePatterns(resolve(import.meta.dirname, '..'))

// No pattern is exempt, because the next caller may pass untrusted text.
describe('every regular expression of the source', () => {
  test('is a literal, so that these tests find it', () => {
    expect(constructed).toEqual([])
    expect(patterns.length).toBeGreaterThan(250)
  })

  test('cannot take polynomial or exponential time by its structure', () => {
    const slow = patterns.filter(({ pattern }) => analyse(pattern).reports.length > 0)
    expect(slow.map(({ pattern, places }) => `${places.join(', ')}: ${pattern}`)).toEqual([])
  })

  test('handles 50,000 characters chosen to make it backtrack', { timeout: 300_000 }, () => {
    const slow = patterns.flatMap(({ pattern, places }) => {
      const found = findSlowText(pattern, limitMs)
      return found === null
        ? []
        : [`${places.join(', ')}: ${pattern} takes ${found.took} ms for ${found.text.slice(0, 40)}…`]
    })
    expect(slow).toEqual([])
  })
})

describe('a pattern that backtracks', { timeout: 120_000 }, () => {
  test.each([
    // Kept an image process busy for 201 s with '<?xml' × 60.
    /^\uFEFF?\s*(?:<\?xml[^]*?|<!--[^]*?-->\s*)*<svg[\s>]/i,
    // Kept the main thread busy with 'http://' and 19,900 dots.
    /[.,;:!?]+$/,
    /^-+|-+$/g,
    /^\S+@\S+$/,
    /(?=[\w-]*[A-Z])[\w-]{32,}/g,
    /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g,
    /!\[((?:\\.|[^\]\\\n])*)\]\((image:[a-f0-9]{64}|uploading:[\w.-]+)\)/g,
    /^(a+)+$/,
    /x*y/,
  ])('is detected with the text generated for it: %s', (pattern) => {
    expect(findSlowText(pattern, limitMs)).not.toBeNull()
  })
})
