import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DomainError } from '../../src/shared/errors.ts'
import { parseManifest } from '../../src/shared/parse-manifest.ts'
import { anyCharacter } from '../support/fixtures/any-character.ts'

type Fields = Record<string, unknown>

// The oracle: the table of section 2.1, implemented again by hand without a schema library.

const count = (text: string): number => Array.from(text).length
const trimmed = (text: string): string => text.replace(/^\s+/, '').replace(/\s+$/, '')
const isWhole = (text: string): boolean =>
  Array.from(text).every((character) => !/^[\ud800-\udfff]$/.test(character))

const isText = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' && count(value) >= min && count(value) <= max && isWhole(value)
const isTrimmedText = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' && isText(trimmed(value), min, max) && showsSomething(value)

/** Whether a text has a visible character; covers the invisible characters that this test generates. */
const showsSomething = (value: string): boolean => /[^\s\p{Cc}\u200b]/u.test(value)

const isName = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length <= 64 &&
  value.split('-').every((word) => /^[a-z0-9]+$/.test(word) && !word.includes('\n')) &&
  value.charAt(0) >= 'a' &&
  value.charAt(0) <= 'z'

const isVersion = (value: unknown): boolean => {
  if (typeof value !== 'string' || value.length > 32) return false
  const numbers = value.split('.')
  return (
    numbers.length === 3 &&
    numbers.every(
      (digits) =>
        digits.length > 0 &&
        Array.from(digits).every((digit) => digit >= '0' && digit <= '9' && digit.length === 1) &&
        (digits === '0' || !digits.startsWith('0')),
    )
  )
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isExample = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  isText(value['input'], 0, 2000) &&
  isText(value['output'], 0, 2000)

const table: Record<string, (value: unknown) => boolean> = {
  schemaVersion: (value) => value === 1,
  name: isName,
  version: isVersion,
  description: (value) => isTrimmedText(value, 10, 500),
  readme: (value) => isTrimmedText(value, 20, 20_000),
  inputs: (value) => isTrimmedText(value, 10, 2000),
  outputs: (value) => isTrimmedText(value, 10, 2000),
  examples: (value) =>
    Array.isArray(value) && value.length >= 1 && value.length <= 3 && value.every(isExample),
  license: (value) => isTrimmedText(value, 1, 100),
  category: (value) =>
    value === 'Validators' ||
    value === 'Parsers' ||
    value === 'Transformers' ||
    value === 'Calculators' ||
    value === 'Data' ||
    value === 'Other',
  runtime: (value) => value === 'wasip1-command',
  entrypoint: (value) => value === '_start',
  pricing: (value) => value === 'free',
}
const trimmedFields = ['description', 'readme', 'inputs', 'outputs', 'license']

/** What the table says about the output of JSON.stringify: the stored manifest, or the error code. */
function expected(text: string): Fields | 'MANIFEST_TOO_LARGE' | 'INVALID_MANIFEST' {
  if (count(text) > 25_000 || Buffer.byteLength(text) > 25_600) return 'MANIFEST_TOO_LARGE'
  const value = JSON.parse(text) as unknown
  if (!isObject(value)) return 'INVALID_MANIFEST'
  const fields = Object.keys(table)
  const complete =
    Object.keys(value).length === fields.length && fields.every((name) => Object.hasOwn(value, name))
  if (!complete || !fields.every((name) => table[name]?.(value[name]))) return 'INVALID_MANIFEST'
  const stored = { ...value }
  for (const name of trimmedFields) stored[name] = trimmed(String(value[name]))
  return stored
}

function actual(text: string): unknown {
  try {
    return parseManifest(text)
  } catch (error) {
    if (error instanceof DomainError) return error.code
    throw error
  }
}

// The manifests: valid ones near the limits, with up to three changes each.

const letter = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'Z', '0', ' ', '.', '\n', '"', '\\', '{', ':', '[') },
  { weight: 2, arbitrary: fc.constantFrom('é', 'ß', '漢', '🦊', '👩‍🚀', '\u0000', '\u2028', '\u00a0') },
)
const text = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .record({
      unit: letter,
      tail: fc.array(letter, { maxLength: 8 }),
      length: fc.oneof(fc.constantFrom(min, min + 1), fc.integer({ min, max: Math.min(max, min + 40) })),
    })
    .map(({ unit, tail, length }) =>
      Array.from(unit.repeat(length) + tail.join(''))
        .slice(0, length)
        .join(''),
    )

/** Texts at a limit and one past it, with and without surrounding whitespace. */
const edgeText = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .record({
      length: fc.constantFrom(Math.max(0, min - 1), min, max, max + 1),
      unit: fc.constantFrom('a', 'é', '🦊', ' ', '\ud83e', '\udd8a'),
      pad: fc.constantFrom('', ' ', '\n\t', '\u00a0', '\ufeff', '\u200b'),
    })
    .map(({ length, unit, pad }) => pad + unit.repeat(length) + pad)

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/)
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('-'))
const number = fc.oneof(fc.constantFrom('0', '1', '10'), fc.nat(1_000_000).map(String))
const version = fc.tuple(number, number, number).map((numbers) => numbers.join('.'))
const example = fc.record({ input: text(0, 40), output: text(0, 40) }, { noNullPrototype: true })
const padded = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  inner.map((middle) => `a${middle.slice(1, -1)}a`.padEnd(middle.length, 'a'))

const valid = fc.record(
  {
    schemaVersion: fc.constant(1),
    name,
    version,
    description: padded(text(12, 500)),
    readme: padded(text(22, 20_000)),
    inputs: padded(text(12, 2000)),
    outputs: padded(text(12, 2000)),
    examples: fc.array(example, { minLength: 1, maxLength: 3 }),
    license: fc.constantFrom('MIT', 'Apache-2.0', ' 0BSD\n', '🦊'.repeat(100)),
    category: fc.constantFrom('Validators', 'Parsers', 'Transformers', 'Calculators', 'Data', 'Other'),
    runtime: fc.constant('wasip1-command'),
    entrypoint: fc.constant('_start'),
    pricing: fc.constant('free'),
  },
  { noNullPrototype: true },
)

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, 1, 2, '', [], {}, [[]], '1', 'free', '_start', 'data', 'Data'),
  fc.jsonValue({ maxDepth: 2 }),
)
const edges: Record<string, fc.Arbitrary<unknown>> = {
  schemaVersion: fc.constantFrom<unknown>(1, 1.5, '1', 2),
  name: fc.oneof(
    fc.stringMatching(/^[a-zA-Z0-9_ -]{0,5}$/),
    fc.constantFrom('a'.repeat(64), 'a'.repeat(65), 'a-', '-a', 'a--b', 'a\n', 'ab-1', '1a', 'é'),
  ),
  version: fc.oneof(
    fc.stringMatching(/^[0-9.]{0,7}$/),
    fc.constantFrom(`1.0.${'9'.repeat(28)}`, `1.0.${'9'.repeat(29)}`, '01.0.0', '1.0.0\n', '1.0.00', '٣.0.0'),
  ),
  description: edgeText(10, 500),
  readme: edgeText(20, 20_000),
  inputs: edgeText(10, 2000),
  outputs: edgeText(10, 2000),
  license: edgeText(1, 100),
  examples: fc.oneof(
    fc.array(example, { maxLength: 5 }),
    fc.array(fc.record({ input: edgeText(0, 2000), output: edgeText(0, 2000) }), { maxLength: 2 }),
    fc.array(fc.record({ input: anything, output: anything, more: anything }, { requiredKeys: [] }), {
      maxLength: 2,
    }),
  ),
  category: fc.constantFrom<unknown>('Data', 'data', 'Other ', 'Tools'),
  runtime: fc.constantFrom<unknown>('wasip1-command', 'wasip2-command', 'wasip1-command '),
  entrypoint: fc.constantFrom<unknown>('_start', 'main', '_start '),
  pricing: fc.constantFrom<unknown>('free', 'FREE', 'paid'),
}

type Change = (manifest: Fields) => unknown
const field = fc.constantFrom(...Object.keys(table))
const put = (manifest: Fields, key: string, value: unknown): Fields =>
  Object.defineProperty({ ...manifest }, key, { value, enumerable: true, configurable: true, writable: true })

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: field.chain((key) =>
      (edges[key] ?? anything).map(
        (value): Change =>
          (manifest) =>
            put(manifest, key, value),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(field, anything).map(
      ([key, value]): Change =>
        (manifest) =>
          put(manifest, key, value),
    ),
  },
  {
    weight: 1,
    arbitrary: field.map(
      (key): Change =>
        (manifest) =>
          Object.fromEntries(Object.entries(manifest).filter(([other]) => other !== key)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('homepage', '__proto__', 'constructor', 'toString', '', 'Name', 'name '),
        anything,
      )
      .map(
        ([key, value]): Change =>
          (manifest) =>
            put(manifest, key, value),
      ),
  },
)

const sent = fc
  .tuple(
    valid,
    fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(change, { maxLength: 3 }) },
    ),
    fc.oneof(fc.constant(0), fc.constantFrom(24_999, 25_000, 25_001)),
  )
  .map(([manifest, changes, length]) =>
    JSON.stringify(changes.reduce<unknown>((now, apply) => apply(now as Fields), manifest)).padEnd(length),
  )

test('random manifests are accepted, refused and stored as the table in 2.1 says', () => {
  const seen = { accepted: 0, refused: 0 }
  fc.assert(
    fc.property(sent, (manifest) => {
      const expectedResult = expected(manifest)
      if (typeof expectedResult === 'string') seen.refused += 1
      else seen.accepted += 1
      expect(actual(manifest)).toEqual(expectedResult)
    }),
    { numRuns: 1500 },
  )
  // A generator that produces only one kind would prove nothing.
  expect(seen.accepted).toBeGreaterThan(150)
  expect(seen.refused).toBeGreaterThan(150)
})

test('no JSON value crashes the parser', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string({ unit: anyCharacter }), fc.string()), (manifest) => {
      expect(actual(manifest)).toBe('INVALID_MANIFEST')
    }),
    { numRuns: 1000 },
  )
})
