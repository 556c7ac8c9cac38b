import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { namePattern } from '../contracts/manifest.ts'
import { namesNear, nearnessOf, skeletonOf } from './near-name.ts'

describe('similar names', () => {
  test.each([
    ['csv-to-json', 'csv-to-jsom', 'letter'],
    ['csv-to-json', 'cvs-to-json', 'transposed'],
    ['csv-to-json', 'csvv-to-json', 'letter'],
    ['csv-to-json', 'csvtojson', 'hyphens'],
    ['csv-to-json', 'csv-tojson', 'hyphens'],
    ['word-count', 'words-count', 'plural'],
    ['word-count', 'words-counts', 'plural'],
    ['modern', 'modem', 'look-alike'],
    ['oils', '0il5', 'look-alike'],
    ['words-count', 'word-c0unt', 'look-alike'],
    ['word-count', 'count-word', 'order'],
  ])('%s and %s: %s', (name, other, nearness) => {
    expect(nearnessOf(name, other)).toBe(nearness)
    expect(nearnessOf(other, name)).toBe(nearness)
  })

  test.each([
    ['csv-to-json', 'csv-to-json'],
    ['csv-to-json', 'json-to-csv'],
    ['json-from-csv', 'csv-from-json'],
    ['csv-to-json', 'csv-to-yaml'],
    ['cat', 'car'],
    ['crc32', 'crc64'],
    ['pass', 'pa'],
  ])('do not include %s and %s', (name, other) => {
    expect(nearnessOf(name, other)).toBeNull()
    expect(nearnessOf(other, name)).toBeNull()
  })
})

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'i', '1', '0', 'o', 's', 'm', 'r', 'n'),
  minLength: 1,
  maxLength: 6,
})
const name = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .map((words) => words.join('-'))
  .filter((text) => namePattern.test(text))

describe('names to look up', () => {
  it('include every similar name with a different skeleton', () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        if (nearnessOf(a, b) === null) return
        expect(skeletonOf(a) === skeletonOf(b) || namesNear(a).includes(b)).toBe(true)
      }),
      { numRuns: 5000, seed: 20_261_121 },
    )
  })

  it('include every name that differs by one letter', () => {
    const edits = fc.tuple(name, fc.nat(30), fc.constantFrom('', 'x', '7'), fc.boolean())
    fc.assert(
      fc.property(edits, ([from, at, letter, replaces]) => {
        const place = at % from.length
        const edited = from.slice(0, place) + letter + from.slice(place + (replaces ? 1 : 0))
        if (edited === from || !namePattern.test(edited)) return
        expect(namesNear(from)).toContain(edited)
      }),
      { numRuns: 5000, seed: 20_261_122 },
    )
  })

  it('leave out only what is not in the list, and stay in order', () => {
    fc.assert(
      fc.property(name, fc.array(name, { maxLength: 20 }), fc.nat(400), (from, others, at) => {
        const list = [...others, ...namesNear(from).slice(at, at + 3), from]
        const lettersAfter = (prefix: string): string =>
          list.map((one) => (one.startsWith(prefix) ? one.charAt(prefix.length) : '')).join('')
        const found = namesNear(from, lettersAfter)
        const all = namesNear(from).filter((one) => list.includes(one))
        expect(found.filter((one) => list.includes(one))).toEqual(all)
        expect(found.length).toBeLessThan(namesNear(from).length)
      }),
      { numRuns: 1000, seed: 20_261_123 },
    )
  })

  it('are a few thousand for the longest name', () => {
    expect(namesNear('a-'.repeat(31) + 'bc').length).toBeLessThan(6000)
    expect(namesNear('one-two-three-four')).toContain('four-three-two-one')
    expect(namesNear('one-two-three-four-five')).not.toContain('five-four-three-two-one')
  })
})
