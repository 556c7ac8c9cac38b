import { expect, test } from 'vitest'
import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { memoryWords, moduleWords, startWords } from './module-words.ts'

const memory = (minPages: number, maxPages: number | null): string =>
  memoryWords({ memory: { minPages, maxPages } })

test('memory is said in pages and in MiB', () => {
  expect(memory(17, 256)).toBe('17 to 256 pages (1.1 to 16 MiB)')
  expect(memory(1, 64)).toBe('1 to 64 pages (64 KiB to 4 MiB)')
  expect(memory(2, 2)).toBe('2 pages (128 KiB), fixed')
  expect(memory(1, null)).toBe('from 1 page (64 KiB), without a limit of its own')
})

const facts: ModuleFacts = {
  imports: [],
  exports: [],
  exportCount: 0,
  memory: { minPages: 1, maxPages: 1 },
  functionCount: 412,
  hasStart: false,
  sections: [
    { name: 'code', size: 10 },
    { name: 'name', size: 5 },
    { name: 'producers', size: 5 },
  ],
  details: {
    tables: [{ elementType: 'funcref', min: 3, max: 8 }],
    start: null,
    producers: [
      { field: 'language', name: 'Rust', version: '' },
      { field: 'processed-by', name: 'rustc', version: '1.91.0' },
    ],
    targetFeatures: ['bulk-memory', 'sign-ext'],
    namedFunctions: 410,
    debugBytes: 31_288,
  },
}

test('what a module says of itself', () => {
  expect(moduleWords(facts)).toEqual({
    built: 'Built by rustc 1.91.0, from Rust.',
    tables: 'funcref, 3 to 8 entries',
    names: '410 of 412 functions have names, 31,288 bytes of names and debug data',
    customSections: 'name, producers',
    targetFeatures: 'bulk-memory, sign-ext',
  })
  expect(startWords(facts)).toBe('No start function.')
})

test('what was not read is unknown, and what is not there is none', () => {
  expect(moduleWords({ ...facts, details: null })).toMatchObject({
    tables: expect.stringMatching(/^unknown/),
    names: expect.stringMatching(/^unknown/),
    targetFeatures: expect.stringMatching(/^unknown/),
    built: 'What built it is unknown.',
  })
  const bare = {
    ...facts,
    sections: [],
    details: {
      tables: [],
      start: 4,
      producers: [],
      targetFeatures: [],
      namedFunctions: 0,
      debugBytes: 0,
    },
  }
  expect(moduleWords(bare)).toMatchObject({
    tables: 'none',
    built: 'It does not say what built it.',
    customSections: 'none',
    targetFeatures: 'none named',
  })
  expect(startWords({ ...bare, hasStart: true })).toBe('A start function, number 4, runs before its entry.')
  expect(startWords({ hasStart: true, details: null })).toBe('A start function runs before its entry.')
})
