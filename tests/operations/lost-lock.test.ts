import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { cleanUp, commandToken, readJson, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

afterAll(cleanUp)

const healthOf = async ({ registry }: Serving): Promise<string> =>
  (await call<{ status: string }>(`${registry}/api/health`)).body.status

test(
  'if server.lock is removed and a second server takes the folder, the first one refuses writes within a second and reports it',
  { timeout: 120_000 },
  async () => {
    const data = temporaryFolder()
    const first = await serve(data)
    const token = await commandToken(data, '--subject', 'alice')
    const wasm = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
    const submit = (server: Serving, version: string) =>
      publish(server.registry, token, manifest({ name: 'abacus', version }), wasm)
    expect((await submit(first, '1.0.0')).status).toBe(201)

    await rm(join(data, 'server.lock'))
    const refused = await submit(first, '1.1.0')
    expect(refused).toMatchObject({ status: 503, body: { code: 'DATABASE_UNAVAILABLE' } })
    expect(JSON.stringify(refused.body)).toContain('server.lock was removed or replaced')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

    const second = await serve(data)
    expect((await submit(first, '1.1.0')).status).toBe(503)
    expect((await submit(second, '1.1.0')).status).toBe(201)
    // Health is refreshed in the background.
    await expect.poll(() => healthOf(first)).toBe('degraded')
    expect(await healthOf(second)).toBe('ok')
    // Reading still works: both use the same database.
    const { body } = await call<{ items: object[] }>(`${first.registry}/api/marketplace/mine`, { token })
    expect(body.items).toHaveLength(2)
    expect(first.output.stderr.match(/all writes are refused until this server is restarted/g)).toHaveLength(
      1,
    )

    // Stopping the first one leaves the files of the second.
    expect((await first.stop()).status).toBe(0)
    expect(await readJson<{ pid: number }>(join(data, 'running.json'))).toMatchObject({ pid: second.pid })
    await second.stop()
  },
)

test('a server without writes notices within a second too', { timeout: 120_000 }, async () => {
  const data = temporaryFolder()
  const server = await serve(data)
  await rm(join(data, 'server.lock'))
  // Checked once a second; the rest of the timeout is for a busy machine.
  await until('the loss is detected', async () => (await healthOf(server)) === 'degraded')
  expect(await readFile(join(data, 'running.json'), 'utf8')).toContain(String(server.pid))
  await server.stop()
})
