import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { frameFile, frameNames, framePage, framePath } from '../../src/shared/frames/frames.ts'
import { connectRaw, requestHead } from '../support/server/raw-client.ts'
import { startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

const script = (name: string): string =>
  `const workerText="postMessage('\\u003c/script>')";frame("${name}, č")`

let app: TestServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-frames-'))
  await mkdir(join(folder, 'sandbox'))
  await writeFile(join(folder, 'index.html'), 'the desk')
  await Promise.all(
    frameNames.map((name) => writeFile(join(folder, frameFile(name)), framePage(script(name)))),
  )
  app = await startTestServer({ deskFolder: folder })
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

test.each(frameNames)('the frame %s has an opaque origin, one script and no network access', async (name) => {
  const response = await fetch(`${app.dashboard}${framePath(name)}`)
  const page = await response.text()
  expect(response.status).toBe(200)
  expect(page).toBe(framePage(script(name)))
  const digest = createHash('sha256').update(script(name)).digest('base64')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy':
      `sandbox allow-scripts; default-src 'none'; script-src 'sha256-${digest}' 'wasm-unsafe-eval'; ` +
      "worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  })
})

const policyFor = async (path: string, host: string): Promise<string> => {
  const client = await connectRaw(app.dashboard)
  await client.send(requestHead('GET', `${app.dashboard}${path}`, { Host: host }))
  const { headers } = await client.answer()
  client.destroy()
  return headers['content-security-policy'] ?? ''
}

test('the desk allows only these frames, at the host it was opened with', async () => {
  const port = new URL(app.dashboard).port
  const sources = async (host: string): Promise<string> =>
    /frame-src ([^;]+);/.exec(await policyFor('/desk/', host))?.[1] ?? ''
  const at = (origin: string): string => frameNames.map((name) => `${origin}${framePath(name)}`).join(' ')
  expect(await sources(`127.0.0.1:${port}`)).toBe(at(`http://127.0.0.1:${port}`))
  // The port differs behind a tunnel.
  expect(await sources('LOCALHOST:9999')).toBe(at('http://localhost:9999'))
  expect(await sources('[::1]:9999')).toBe("'self'")
})

test('no other URL below it is a frame, and an unexpected page is not served as one', async () => {
  for (const path of [
    '/desk/sandbox/',
    '/desk/sandbox/other',
    '/desk/sandbox/run.html',
    '/desk/sandbox/run/',
  ]) {
    expect(await (await fetch(`${app.dashboard}${path}`)).text(), path).toBe('the desk')
  }
  await writeFile(join(folder, frameFile('run')), '<script>other()</script>')
  const response = await fetch(`${app.dashboard}${framePath('run')}`)
  expect(response.status).toBe(503)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
})
