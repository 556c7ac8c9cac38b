import { expect, test } from 'vitest'
import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { formatMemory, formatModuleFacts, formatStart } from './format-module-facts.ts'

const memory = (minPages: number, maxPages: number | null): string =>
  formatMemory({ memory: { minPages, maxPages } })

test('memory is given in pages and MiB', () => {
  expect(memory(17, 256)).toBe('17 to 256 pages (1.1 to 16 MiB)')
  expect(memory(1, 64)).toBe('1 to 64 pages (64 KiB to 4 MiB)')
  expect(memory(2, 2)).toBe('2 pages (128 KiB), fixed')
  expect(memory(1, null)).toBe('from 1 page (64 KiB), no maximum')
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

test('the facts of a module are described', () => {
  expect(formatModuleFacts(facts)).toEqual({
    built: 'Built with rustc 1.91.0 from Rust.',
    tables: 'funcref, 3 to 8 entries',
    names: '410 of 412 functions named, 31,288 bytes of names and debug data',
    customSections: 'name, producers',
    targetFeatures: 'bulk-memory, sign-ext',
  })
  expect(formatStart(facts)).toBe('No start function.')
})

test('facts that were not recorded are shown as unknown, and absent ones as none', () => {
  expect(formatModuleFacts({ ...facts, details: null })).toMatchObject({
    tables: expect.stringMatching(/^unknown/),
    names: expect.stringMatching(/^unknown/),
    targetFeatures: expect.stringMatching(/^unknown/),
    built: 'Build tools unknown.',
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
  expect(formatModuleFacts(bare)).toMatchObject({
    tables: 'none',
    built: 'No build tools recorded in the module.',
    customSections: 'none',
    targetFeatures: 'none listed',
  })
  expect(formatStart({ ...bare, hasStart: true })).toBe('Start function 4 runs before the entry point.')
  expect(formatStart({ hasStart: true, details: null })).toBe('A start function runs before the entry point.')
})
