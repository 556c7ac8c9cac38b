import { expect, test } from 'vitest'
import type { SkillManifest } from '../../../../shared/contracts/manifest.ts'
import { compareManifests } from './manifest-diff.ts'

const manifest = (change: Partial<SkillManifest> = {}): SkillManifest => ({
  schemaVersion: 1,
  name: 'csv-to-json',
  version: '1.0.0',
  description: 'Turns CSV into JSON.',
  readme: '# csv-to-json',
  inputs: 'CSV in UTF-8.',
  outputs: 'A JSON array.',
  examples: [
    { input: 'a', output: 'A' },
    { input: 'b', output: 'B' },
  ],
  license: 'MIT',
  category: 'Transformers',
  runtime: 'wasip1-command',
  entrypoint: '_start',
  pricing: 'free',
  ...change,
})

test('changed fields have both texts, the others are listed by name', () => {
  const diff = compareManifests(
    manifest(),
    manifest({ version: '1.1.0', license: 'Apache-2.0', inputs: 'TSV.' }),
  )
  expect(diff.fields).toEqual([
    { field: 'inputs', before: 'CSV in UTF-8.', after: 'TSV.' },
    { field: 'license', before: 'MIT', after: 'Apache-2.0' },
  ])
  expect(diff.unchanged).toEqual([
    'description',
    'outputs',
    'readme',
    'category',
    'name',
    'runtime',
    'entrypoint',
    'pricing',
    'schemaVersion',
    'examples',
  ])
})

test('compared with nothing, every field and example is new', () => {
  const diff = compareManifests(null, manifest())
  expect(diff.unchanged).toEqual([])
  expect(diff.fields.map(({ field }) => field)).toEqual([
    'description',
    'inputs',
    'outputs',
    'readme',
    'license',
    'category',
    'name',
    'version',
    'runtime',
    'entrypoint',
    'pricing',
    'schemaVersion',
  ])
  expect(diff.fields.every(({ before, after }) => before === '' && after !== '')).toBe(true)
  expect(diff.examples.map(({ kind, number }) => [kind, number])).toEqual([
    ['added', 1],
    ['added', 2],
  ])
})

const examples = (before: [string, string][], after: [string, string][]) => {
  const list = (pairs: [string, string][]) => pairs.map(([input, output]) => ({ input, output }))
  const diff = compareManifests(manifest({ examples: list(before) }), manifest({ examples: list(after) }))
  return {
    unchanged: diff.unchangedExamples,
    changes: diff.examples.map(({ kind, number }) => `${kind} ${number}`),
  }
}

test('an example that only moved is unchanged', () => {
  expect(
    examples(
      [
        ['a', 'A'],
        ['b', 'B'],
      ],
      [
        ['b', 'B'],
        ['a', 'A'],
      ],
    ),
  ).toEqual({ unchanged: 2, changes: [] })
  expect(
    examples(
      [['a', 'A']],
      [
        ['c', 'C'],
        ['a', 'A'],
      ],
    ),
  ).toEqual({ unchanged: 1, changes: ['added 1'] })
})

test('an example with the same input and another output is changed', () => {
  expect(
    examples(
      [
        ['a', 'A'],
        ['b', 'B'],
      ],
      [
        ['b', 'b'],
        ['a', 'A'],
      ],
    ),
  ).toEqual({ unchanged: 1, changes: ['changed 1'] })
})

test('an example at the position of another replaces it, and a surplus one was removed', () => {
  expect(
    examples(
      [
        ['a', 'A'],
        ['b', 'B'],
        ['c', 'C'],
      ],
      [
        ['x', 'X'],
        ['b', 'B'],
      ],
    ),
  ).toEqual({
    unchanged: 1,
    changes: ['changed 1', 'removed 3'],
  })
})

test('duplicate examples count twice', () => {
  expect(
    examples(
      [['a', 'A']],
      [
        ['a', 'A'],
        ['a', 'A'],
      ],
    ),
  ).toEqual({ unchanged: 1, changes: ['added 2'] })
})
