import { expect, test } from 'vitest'
import { atLeast, untargeted } from './figures.ts'
import { drawTable, plot, replaceTable } from './history.ts'
import type { Entry } from './history.ts'

const entry = (commit: string, releases: number, figures: Record<string, number>): Entry => ({
  at: '2026-11-23T10:00:00.000Z',
  commit,
  releases,
  machine: { cpu: 'Some CPU', cores: 2 },
  versions: { node: '24.0.0', v8: '13' },
  figures: Object.fromEntries(
    Object.entries(figures).map(([name, median]) => [name, { median, spread: 0.01 }]),
  ),
})

const goals = { 'metadata/hot': atLeast(0.6), health: untargeted }

test('the table shows the newest run with the most releases, and a bar for each run of that size', () => {
  const table = drawTable(
    [
      entry('aaa', 100_000, { 'metadata/hot': 0.3 }),
      entry('bbb', 1000, { 'metadata/hot': 0.9 }),
      entry('ccc', 100_000, { 'metadata/hot': 0.6, health: 0.15 }),
    ],
    goals,
  )
  expect(table.split('\n')).toEqual([
    '100,000 releases, commit ccc, 2026-11-23, Some CPU (2 cores), Node 24.0.0. The last column has a bar for each run.',
    '',
    '| Case | Figure | Target | | Runs |',
    '| --- | --- | --- | --- | --- |',
    '| metadata/hot | 0.60 ± 0.010 of peer | ≥ 0.60 | met | `▅█` |',
    '| health | 0.15 ± 0.010 of peer |  |  | ` █` |',
    '',
  ])
})

test('bars are relative to the largest value', () => {
  expect(plot([0, 0.5, 1, undefined, -1])).toBe('▁▅█ ▁')
  expect(plot([0, 0])).toBe('▁▁')
})

test('the rest of the document stays the same', () => {
  const text = 'before\n<!-- results -->\nold\n<!-- end of results -->\nafter\n'
  const replaced = replaceTable(text, 'new\n')
  expect(replaced).toBe('before\n<!-- results -->\n\nnew\n\n<!-- end of results -->\nafter\n')
  expect(replaceTable(replaced, 'new\n')).toBe(replaced)
  expect(() => replaceTable('no table', 'new')).toThrow('<!-- results -->')
})
