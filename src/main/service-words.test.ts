import { expect, test } from 'vitest'
import type { ShellState } from '../shared/services-messages.ts'
import { describePending, describeServices } from './service-words.ts'

const service = (name: 'registry' | 'dashboard', state: ShellState['services'][number]['state']) => ({
  name,
  url: 'http://127.0.0.1:4280',
  state,
  error: state === 'failed' ? 'It cannot start.' : null,
})

const describe = (change: Partial<ShellState>): string[] =>
  describeServices({
    phase: 'running',
    sentence: null,
    retryInSeconds: null,
    services: [],
    taken: [],
    ...change,
  })

test('each service has its own state', () => {
  expect(describe({ services: [service('registry', 'stopped'), service('dashboard', 'running')] })).toEqual([
    'Registry: stopped',
    'Desk and dashboard: running',
  ])
})

test('a taken port is told with its number, and anything else that has failed as not running', () => {
  const services = [service('registry', 'failed'), service('dashboard', 'failed')]
  const taken = [{ service: 'registry', port: 4280, suggestion: 4281 } as const]
  expect(describe({ services, taken })).toEqual([
    'Registry: port 4280 taken',
    'Desk and dashboard: not running',
  ])
})

test.each([
  ['starting', 'starting'],
  ['restarting', 'starting again'],
  ['stopping', 'stopping'],
  ['stopped', 'stopped'],
  ['failed', 'not running'],
] as const)('without a process they are what the app is about to do: %s', (phase, word) => {
  expect(describe({ phase })).toEqual([`Registry: ${word}`, `Desk and dashboard: ${word}`])
})

test('what waits is counted in words', () => {
  expect([0, 1, 2].map(describePending)).toEqual([
    'No release waits for review',
    '1 release waits for review',
    '2 releases wait for review',
  ])
})
