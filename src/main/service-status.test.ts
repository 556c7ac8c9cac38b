import { expect, test } from 'vitest'
import type { ShellState } from '../shared/services-messages.ts'
import { texts } from './app.texts.ts'
import { describeServices } from './service-status.ts'

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

test('each service has its own status', () => {
  expect(describe({ services: [service('registry', 'stopped'), service('dashboard', 'running')] })).toEqual([
    'Registry: stopped',
    'Local services: running',
  ])
})

test('a port in use is shown with its number, and any other failure as not running', () => {
  const services = [service('registry', 'failed'), service('dashboard', 'failed')]
  const taken = [{ service: 'registry', port: 4280, suggestion: 4281 } as const]
  expect(describe({ services, taken })).toEqual(['Registry: port 4280 in use', 'Local services: not running'])
})

test.each([
  ['starting', 'starting'],
  ['restarting', 'restarting'],
  ['stopping', 'stopping'],
  ['stopped', 'stopped'],
  ['failed', 'not running'],
] as const)('without a process, the phase of the app is shown: %s', (phase, status) => {
  expect(describe({ phase })).toEqual([`Registry: ${status}`, `Local services: ${status}`])
})

test('pending releases are counted', () => {
  expect([0, 1, 2].map(texts.menu.pending)).toEqual([
    'No releases to review',
    '1 release to review',
    '2 releases to review',
  ])
})
