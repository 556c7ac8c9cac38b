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

test('a supervisor with many agents is closed until something is wrong, it is searched, or somebody opens it', () => {
  const few = supervisor('few', [child('a'), child('b')])
  const crowd = supervisor('crowd', many)
  const count = (all: Supervisor[], toggled: string[] = [], searched = false): number =>
    visibleRows(treeRows(all), new Set(toggled), searched).length
  expect(count([few, crowd])).toBe(1 + 2 + 1)
  expect(count([few, crowd], ['few', 'crowd'])).toBe(1 + 1 + 14)
  expect(count([{ ...crowd, trouble: true }])).toBe(15)
  expect(count([crowd], [], true)).toBe(15)
})

test('a search finds a supervisor by its name and by those of its agents', () => {
  const all = [supervisor('ingest', [child('mail-sorter')]), supervisor('pricing', [], { trouble: true })]
  const names = (q: string, trouble = false): string[] =>
    filterTree(all, { q, trouble }).map(({ name }) => name)
  expect(names('MAIL')).toEqual(['ingest'])
  expect(names('in')).toEqual(['ingest', 'pricing'])
  expect(names('in', true)).toEqual(['pricing'])
})

test('an agent that is the last of its supervisor ends the line, and a supervisor without agents cannot be opened', () => {
  const all = [supervisor('a', [child('x'), child('y')]), supervisor('b', [])]
  const rows = visibleRows(treeRows(all), new Set(), false)
  expect(rows.map(({ key, open, last }) => [key, open, last])).toEqual([
    ['s a', true, false],
    ['c a x', true, false],
    ['c a y', true, true],
    ['s b', false, true],
  ])
})

test('what is not known is said, and never 0', () => {
  const one = supervisor('s', [child('a', null)], { missing: 1 })
  expect(restartLabel(one)).toBe('unknown of 3 within 60 s')
  expect(restartLabel({ ...one, maxRestarts: null, windowSeconds: null })).toBe(
    'unknown of unknown within an unknown time',
  )
  expect(childNote(child('a', null))).toBe('named as child, never registered')
  expect(lastChange(one)).toBeNull()
  expect(childrenSummary(one)).toBe('1 agent, 1 not there')
})

test('a supervisor has given up where its limit was reached and an agent is down', () => {
  const restarts = { inWindow: 3, limitReached: true, lastAt: null }
  const one = supervisor('s', [child('a')], { restarts })
  expect(hasGivenUp(one)).toBe(false)
  expect(hasGivenUp({ ...one, counts: { ...one.counts, crashed: 1 } })).toBe(true)
})
