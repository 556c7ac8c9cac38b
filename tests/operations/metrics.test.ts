import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricsRepository } from '../../src/server/domains/operations/metrics.repository.ts'
import { withDatabase } from '../support/desk/desk-client.ts'
import { requireProgram, skipWithout } from '../support/programs.ts'
import { call } from '../support/server/publish.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { plansOf } from '../support/server/query-plans.ts'

let app: TestRegistry
beforeAll(async () => {
  // Workers report their requests four times a second.
  app = await startTestRegistry({ workerCount: 2 })
  await app.release({ name: 'decided' }, 'approved')
  await app.submit({ name: 'waiting' })
})
afterAll(() => app.stop())

const read = async (): Promise<{ text: string; value(sample: string): number | undefined }> => {
  const text = await (await fetch(`${app.dashboard}/metrics`)).text()
  const values = new Map(text.split('\n').map((line) => [line.replace(/ \S+$/, ''), line.split(' ').at(-1)]))
  return { text, value: (sample) => (values.has(sample) ? Number(values.get(sample)) : undefined) }
}

const requests = (labels: string): string => `skilldock_http_requests_total{listener="registry",${labels}}`
const buckets = (labels: string): string =>
  `skilldock_http_request_duration_seconds_bucket{listener="registry",${labels}}`

test('requests are counted once by route and status, whichever process answers them', async () => {
  await Promise.all([
    ...Array.from({ length: 20 }, () => call(`${app.registry}/api/skilldock/jwks.json`)),
    ...Array.from({ length: 5 }, (_, n) => call(`${app.registry}/api/marketplace/skills/absent-${n}/1.0.0`)),
    ...Array.from({ length: 7 }, (_, n) => call(`${app.registry}/no/such/path-${n}`)),
  ])
  const keys = 'method="GET",route="/api/skilldock/jwks.json"'
  const missing = 'method="GET",route="/api/marketplace/skills/{name}/{version}",status="404"'
  // Each process reports its counts by itself.
  await expect
    .poll(
      async () => {
        const { value } = await read()
        return [`${keys},status="200"`, missing, 'method="any",route="unmatched",status="404"'].map(
          (labels) => value(requests(labels)),
        )
      },
      { timeout: 10_000 },
    )
    .toEqual([20, 5, 7])
  const { text, value } = await read()
  expect(value(buckets(`${keys},le="+Inf"`))).toBe(20)
  expect(value(buckets(`${keys},le="10"`))).toBe(20)
  // No value that a client chooses becomes a label.
  expect(text).not.toMatch(/absent-|path-/)
})

test('the queue, the storage, the checks and the process are described', async () => {
  const { value } = await read()
  expect(value('skilldock_queue_releases')).toBe(1)
  expect(value('skilldock_queue_oldest_seconds')).toBeLessThan(600)
  expect(value('skilldock_held_decisions')).toBe(0)
  expect(value('skilldock_releases')).toBe(2)
  expect(value('skilldock_package_bytes')).toBe(app.wasm.length)
  expect(value('skilldock_images')).toBe(0)
  expect(value('skilldock_database_up')).toBe(1)
  expect(value('skilldock_database_bytes')).toBeGreaterThan(4096)
  expect(value('skilldock_database_wal_bytes')).toBeGreaterThan(0)
  expect(value('skilldock_disk_free_bytes')).toBeGreaterThan(0)
  expect(value('skilldock_listener_up{listener="registry"}')).toBe(1)
  expect(value('skilldock_health_check{check="freeSpace"}')).toBe(1)
  expect(value('skilldock_agent_alerts{kind="budget"}')).toBe(0)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  expect(value('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(value('nodejs_eventloop_lag_p99_seconds')).toBeLessThan(60)
})

describe.skipIf(skipWithout('promtool'))('promtool', () => {
  const promtool = (args: string[], input?: string) => {
    const { status, stdout, stderr } = spawnSync(requireProgram('promtool') ?? '', args, {
      ...(input === undefined ? {} : { input }),
      cwd: join(import.meta.dirname, '../..'),
      encoding: 'utf8',
    })
    return { status, output: stdout + stderr }
  }

  test('finds nothing wrong with the metrics', async () => {
    const { text } = await read()
    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' })
  })

  test('accepts the example alerts, and each fires when it should', () => {
    expect(promtool(['check', 'rules', 'docs/alerts.example.yml'])).toMatchObject({ status: 0 })
    expect(promtool(['test', 'rules', 'tests/operations/alerts.test.yml'])).toMatchObject({ status: 0 })
  })

  test('the alerts use only metrics that exist', async () => {
    const { text } = await read()
    const rules = await readFile(join(import.meta.dirname, '../../docs/alerts.example.yml'), 'utf8')
    const used = new Set(rules.match(/\bskilldock_\w+/g))
    expect(used.size).toBeGreaterThan(5)
    expect([...used].filter((name) => !text.includes(`\n${name}`))).toEqual([])
  })
})

test('only programs on this computer can read them', async () => {
  expect((await fetch(`${app.registry}/metrics`)).status).toBe(404)
  const foreign = await fetch(`${app.dashboard}/metrics`, { headers: { Origin: 'https://example.com' } })
  expect(foreign.status).toBe(403)
  const crossSite = await fetch(`${app.dashboard}/metrics`, { headers: { 'Sec-Fetch-Site': 'cross-site' } })
  expect(crossSite.status).toBe(403)
  const own = await fetch(`${app.dashboard}/metrics`)
  expect(own.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(own.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(own.headers.get('access-control-allow-origin')).toBeNull()
})

test('no query scans a table that grows', () =>
  withDatabase(app, async ({ writer }) => {
    const plans = [...plansOf(writer, metricsRepository).values()].flat()
    expect(plans.filter((detail) => detail.startsWith('SEARCH')).length).toBeGreaterThan(2)
    // Decisions are held for at most a minute, and the other is the result of a search.
    expect(plans.filter((detail) => detail.startsWith('SCAN')).toSorted()).toEqual([
      'SCAN held_decisions',
      'SCAN i',
    ])
    expect(plans.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  }))
