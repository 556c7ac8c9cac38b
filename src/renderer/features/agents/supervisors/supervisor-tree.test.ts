import { expect, test } from 'vitest'
import type { AgentState } from '../../../../shared/contracts/desk-agents-common.ts'
import type { Supervisor, SupervisorChild } from '../../../../shared/contracts/desk-agents.ts'
import {
  childNote,
  childrenSummary,
  filterTree,
  hasGivenUp,
  lastChange,
  restartLabel,
  treeRows,
  visibleRows,
} from './supervisor-tree.ts'

const child = (agent: string, state: AgentState | null = 'running'): SupervisorChild => ({
  agent,
  position: 0,
  state,
  status: state,
  lastEvent: null,
  note: null,
})

const supervisor = (
  name: string,
  children: SupervisorChild[],
  change: Partial<Supervisor> = {},
): Supervisor => ({
  id: name,
  name,
  state: 'running',
  status: 'running',
  strategy: 'one-for-one',
  maxRestarts: 3,
  windowSeconds: 60,
  createdAt: null,
  restarts: null,
  trouble: false,
  counts: { crashed: 0, paused: 0, stopped: 0, running: children.length, unknown: 0 },
  missing: 0,
  children,
  ...change,
})

const many = Array.from({ length: 14 }, (_, index) => child(`digest-${index}`))

test('a supervisor with many agents is collapsed unless it has problems, matches a search, or is expanded', () => {
  const few = supervisor('few', [child('a'), child('b')])
  const large = supervisor('large', many)
  const count = (all: Supervisor[], toggled: string[] = [], searched = false): number =>
    visibleRows(treeRows(all), new Set(toggled), searched).length
  expect(count([few, large])).toBe(1 + 2 + 1)
  expect(count([few, large], ['few', 'large'])).toBe(1 + 1 + 14)
  expect(count([{ ...large, trouble: true }])).toBe(15)
  expect(count([large], [], true)).toBe(15)
})

test('a search matches the names of supervisors and of their agents', () => {
  const all = [supervisor('ingest', [child('mail-sorter')]), supervisor('pricing', [], { trouble: true })]
  const names = (q: string, trouble = false): string[] =>
    filterTree(all, { q, trouble }).map(({ name }) => name)
  expect(names('MAIL')).toEqual(['ingest'])
  expect(names('in')).toEqual(['ingest', 'pricing'])
  expect(names('in', true)).toEqual(['pricing'])
})

test('the last agent of a supervisor is marked, and a supervisor without agents cannot be expanded', () => {
  const all = [supervisor('a', [child('x'), child('y')]), supervisor('b', [])]
  const rows = visibleRows(treeRows(all), new Set(), false)
  expect(rows.map(({ key, open, last }) => [key, open, last])).toEqual([
    ['s a', true, false],
    ['c a x', true, false],
    ['c a y', true, true],
    ['s b', false, true],
  ])
})

test('unknown counts are “unknown”, never 0', () => {
  const one = supervisor('s', [child('a', null)], { missing: 1 })
  expect(restartLabel(one)).toBe('unknown of 3 within 60 s')
  expect(restartLabel({ ...one, maxRestarts: null, windowSeconds: null })).toBe(
    'unknown of unknown within an unknown time',
  )
  expect(childNote(child('a', null))).toBe('listed by its supervisor, never registered')
  expect(lastChange(one)).toBeNull()
  expect(childrenSummary(one)).toBe('1 agent, 1 missing')
})

test('a supervisor has given up if its limit was reached and an agent is down', () => {
  const restarts = { inWindow: 3, limitReached: true, lastAt: null }
  const one = supervisor('s', [child('a')], { restarts })
  expect(hasGivenUp(one)).toBe(false)
  expect(hasGivenUp({ ...one, counts: { ...one.counts, crashed: 1 } })).toBe(true)
})
