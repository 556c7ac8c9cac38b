import { expect, test } from 'vitest'
import type { AgentBroker } from '../../../../shared/contracts/desk-agents-tables.ts'
import { brokerFigures, formatLatency, latencyChart, routeChart, formatShare } from './broker-figures.ts'

const now = Date.parse('2026-11-20T10:42:07Z')
const sum = (routes: number, cents: number | null = null) => ({ routes, cents, p50: 38, p95: 412.4 })

const broker = (change: Partial<AgentBroker> = {}): AgentBroker => ({
  stamp: {
    folder: '/projects/one',
    state: 'ready',
    sentence: null,
    changedAt: null,
    readAt: '2026-11-20T10:42:07.000Z',
    missingTables: [],
    counting: null,
  },
  time: { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' },
  together: sum(2118, 4200),
  byType: [
    { type: 'skill', sum: sum(1292) },
    { type: 'wasm', sum: sum(572) },
    { type: 'llm', sum: sum(254, 4200) },
    { type: 'other', sum: { routes: 0, cents: 0, p50: null, p95: null } },
  ],
  byHandler: { items: [], total: 0 },
  saved: { cents: 30_800, allLlmCents: 35_000, llmRouteCents: 16.5, llmRoutes: 254 },
  bucket: 'hour',
  buckets: [
    {
      from: '2026-11-20T09:00:00.000Z',
      to: '2026-11-20T10:00:00.000Z',
      skill: 3,
      wasm: 2,
      llm: 1,
      other: 0,
      p50: 38,
      p95: 412,
    },
    {
      from: '2026-11-20T10:00:00.000Z',
      to: '2026-11-20T11:00:00.000Z',
      skill: 0,
      wasm: 0,
      llm: 0,
      other: 0,
      p50: null,
      p95: null,
    },
  ],
  skills: [],
  ...change,
})

test('the figures include the assumption behind the savings', () => {
  expect(brokerFigures(broker(), 'today', now)).toEqual([
    { label: 'Routes today', value: '2,118', note: '61% skill, 27% WASM and 12% LLM' },
    { label: 'Cost', value: '$42.00', note: 'of routes with a known cost' },
    {
      label: 'Saved vs. all-LLM',
      value: '$308.00',
      note: '$350.00 if every route cost $0.165, the mean of 254 LLM routes',
    },
    { label: 'Latency', value: 'p95 412 ms', note: 'p50 38 ms' },
  ])
})

test('unknown values are “unknown”, never 0', () => {
  const values = (change: Partial<AgentBroker>) =>
    brokerFigures(broker(change), 'today', now).map(({ value }) => value)
  expect(values({ together: null })).toEqual(['unknown', 'unknown', 'unknown', 'unknown'])
  const silent = { routes: 2, cents: null, p50: null, p95: null }
  expect(values({ together: silent, saved: null })).toEqual(['2', 'unknown', 'unknown', 'unknown'])
  const none = { routes: 0, cents: 0, p50: null, p95: null }
  expect(values({ together: none, saved: null, byType: [] })).toEqual(['0', '$0.00', 'unknown', 'unknown'])
})

test('a small share is never 0%, and a large one never 100%', () => {
  expect([formatShare(1, 1000), formatShare(999, 1000), formatShare(1000, 1000)]).toEqual([
    '<1%',
    '>99%',
    '100%',
  ])
})

test('latency has a unit', () => {
  expect([0.44, 38, 412.4, 2118, 12_480, null].map(formatLatency)).toEqual([
    '0.4 ms',
    '38 ms',
    '412 ms',
    '2,118 ms',
    '12.5 s',
    'unknown',
  ])
})

test('the charts have a series per type, and no latency where there was no route', () => {
  const routes = routeChart(broker(), now)
  expect(routes.series.map(({ name }) => name)).toEqual(['skill', 'WASM', 'LLM'])
  expect(routes.points.map(({ title, values }) => [title, values])).toEqual([
    ['09:00 to 10:00', [3, 2, 1]],
    ['10:00 to 11:00', [0, 0, 0]],
  ])
  expect(latencyChart(broker(), now).points.map(({ values }) => values)).toEqual([
    [38, 412],
    [null, null],
  ])
  const [first] = broker().buckets
  if (first === undefined) throw new Error('Expected a bucket')
  const withOther = routeChart(broker({ buckets: [{ ...first, other: 4 }] }), now)
  expect(withOther.series.at(-1)).toEqual({ name: 'other', color: 'c5' })
})
