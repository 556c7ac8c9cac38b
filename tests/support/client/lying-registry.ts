import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assembleWat } from '../fixtures/assemble-wat.ts'
import { manifest } from '../server/publish.ts'

// A registry with one release and its module, which gives whatever response a test wants, including false ones.

type Fields = Record<string, unknown>

export interface LyingRegistry {
  address: string
  /** The module of the release. */
  wasm: Buffer
  /** All requests so far; a test may clear them. */
  requests: { path: string; authorization: string | undefined }[]
  /** Handles requests; correct until a test replaces it. */
  answer: RequestListener
  /** A RegistryVersion with the changes of a test. */
  release(change?: Fields): Fields
  /** A RegistrySubmission with the changes of a test. */
  submission(change?: Fields): Fields
  /** A handler that returns this metadata of the release and sends its package with `sendBytes`. */
  handler(metadata?: Fields, sendBytes?: RequestListener): RequestListener
  /** A project folder with the manifest and the module of the release. */
  project(): Promise<{ folder: string; files: [manifest: string, wasm: string] }>
  stop(): Promise<void>
}

export async function startLyingRegistry(): Promise<LyingRegistry> {
  const wasm = Buffer.from(
    await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))'),
  )
  const sha256 = createHash('sha256').update(wasm).digest('hex')
  const name = 'upper-case'
  const version = '1.0.0'
  const server = createServer((req, res) => {
    registry.requests.push({ path: req.url ?? '', authorization: req.headers.authorization })
    registry.answer(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const folders: string[] = []

  const release: LyingRegistry['release'] = (change = {}) => ({
    id: 1,
    name,
    version,
    manifest: manifest(),
    sha256,
    size: wasm.length,
    status: 'approved',
    ownerId: 1,
    publisher: 'Alice',
    createdAt: '2026-11-22T08:00:00.000Z',
    reviewReason: null,
    ...change,
  })
  const submission: LyingRegistry['submission'] = (change = {}) => ({
    id: 1,
    status: 'pending',
    name,
    version,
    sha256,
    ...change,
  })
  const handler: LyingRegistry['handler'] = (
    metadata = release(),
    sendBytes = (_req, res) => sendPackage(res, wasm),
  ) => {
    return (req, res) => {
      const path = (req.url ?? '').replace(/\?.*/, '')
      if (path.endsWith('/package')) sendBytes(req, res)
      else if (path.includes('/attestations/')) sendJson(res, { error: 'none', code: 'NOT_FOUND' }, 404)
      else if (path.endsWith('/skills')) sendJson(res, { items: [metadata] })
      else if (path.endsWith('/publish')) req.resume().on('end', () => sendJson(res, submission(), 201))
      else sendJson(res, metadata)
    }
  }
  const registry: LyingRegistry = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wasm,
    requests: [],
    answer: handler(),
    release,
    submission,
    handler,
    async project() {
      const folder = await mkdtemp(join(tmpdir(), 'skilldock-lying-'))
      folders.push(folder)
      const files: [string, string] = [join(folder, 'manifest.json'), join(folder, 'skill.wasm')]
      await Promise.all([writeFile(files[0], JSON.stringify(manifest())), writeFile(files[1], wasm)])
      return { folder, files }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    },
  }
  return registry
}

export function sendJson(
  res: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers })
  res.end(typeof body === 'string' ? body : JSON.stringify(body))
}

export function sendPackage(res: ServerResponse, bytes: Uint8Array): void {
  res.writeHead(200, { 'content-type': 'application/wasm', 'content-length': bytes.length })
  res.end(bytes)
}
