import { Agent, request } from 'node:http'
import { routeTable } from '../../../src/server/composition/route-table.ts'
import type { RouteGroup } from '../../../src/server/composition/route-table.ts'
import { assembleWat } from '../../support/fixtures/assemble-wat.ts'
import { manifestPart, multipartBody, multipartType, wasmPart } from '../../support/server/multipart.ts'
import { manifest, publish, review } from '../../support/server/publish.ts'
import { startTestServer } from '../../support/server/server.ts'
import { ascii, assert } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const firstLine = /^(?<method>[A-Z]+) (?<path>[^\r\n]*)\r?\n?/

/** Whole requests, sent to the real registry by an administrator: a line with method and path, then the body. */
export async function httpTarget(): Promise<Target> {
  const unlimited = { quota: 1e9, windowSeconds: 1 }
  const server = await startTestServer({
    rateLimits: { search: unlimited, login: unlimited, submission: unlimited, token: unlimited },
  })
  const token = await server.token({ subject: 'rita', role: 'administrator' })
  const wasm = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
  const sent = await publish(server.registry, token, manifest(), wasm)
  await review(server.registry, token, sent.body.id, 'approved', 'Checked.')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  const statusOf = (method: string, path: string, body: Buffer): Promise<number> =>
    new Promise((resolve, reject) => {
      const type = body.subarray(0, 2).toString() === '--' ? multipartType : 'application/json'
      const headers = {
        Authorization: `Bearer ${token}`,
        'Content-Type': type,
        'Content-Length': body.length,
      }
      const ask = request(`${server.registry}/`, { method, path, agent, headers }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
        answer.once('error', reject)
      })
      ask.once('error', (error: NodeJS.ErrnoException) => {
        // A refused body is not read to its end.
        if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(0)
        else reject(error)
      })
      ask.end(body)
    })

  const { name, version } = manifest()
  const groups: RouteGroup[] = Object.values(routeTable)
  const lines = groups
    .filter(({ listeners }) => listeners.includes('registry'))
    .flatMap((group) => Object.values(group.routes))
    .map(({ method, path }) => `${method} ${path}`)
    .map((line) =>
      line
        .replace('{name}', name)
        .replace('{version}', version)
        .replaceAll(/\{\w+\}/g, '1'),
    )
  const seeds = [
    ...lines.map((line) => `${line}\n`),
    'GET /api/marketplace/skills?q=upper%20case&category=text&offset=0&limit=20\n',
    'GET /api/skilldock/log/consistency?from=1&to=2\n',
    'GET /skills?q=upper&page=1\n',
    'POST /api/skilldock/logins\n{"client":"a terminal"}',
    'POST /api/skilldock/logins/token\n{"deviceCode":"x"}',
    'POST /api/marketplace/review/1\n{"action":"approved","reason":"Checked."}',
  ].map(ascii)
  const submission = multipartBody([manifestPart(manifest({ version: '1.0.1' })), wasmPart(wasm)])
  return {
    batchSize: 25,
    seeds: [
      ...seeds,
      ...lines
        .filter((line) => line.startsWith('POST'))
        .map((line) => new Uint8Array(Buffer.concat([Buffer.from(`${line}\n`), submission]))),
    ],
    words: [
      '/',
      '..',
      '%2e',
      '%00',
      '%',
      '?',
      '&',
      'q=',
      'offset=',
      '-1',
      '1e9',
      'NaN',
      '{',
      '}',
      '"',
      'null',
      '\\ud800',
    ],
    async read(bytes) {
      const all = Buffer.from(bytes)
      const match = firstLine.exec(all.toString('latin1'))
      const { method = '', path = '' } = match?.groups ?? {}
      const target = `/${path.replace(/^\//, '')}`.replaceAll(
        /[^!-~]/g,
        (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
      const body = all.subarray(match?.[0].length ?? 0)
      const status = await statusOf(methods.has(method) ? method : 'GET', target, body)
      assert(status < 500, `answered with ${status}`)
    },
    async close() {
      agent.destroy()
      await server.stop()
    },
  }
}
