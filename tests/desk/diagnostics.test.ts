import { gunzipSync } from 'node:zlib'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, signInCode } from '../support/desk/desk-client.ts'
import type { DeskClient } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { readTar } from '../support/server/read-tar.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'
import { selfSigned } from '../support/server/self-signed.ts'
import { readKey } from '../support/server/tokens.ts'

let app: TestRegistry
let rita: DeskClient
let code: string
let certificateKey: string
let disposition: string | null
/** The archive and its entries. */
let archive: Buffer
let files: Record<string, string>

beforeAll(async () => {
  app = await startTestRegistry()
  rita = await signIn(app, 'rita')
  await app.release({ name: 'bundled' }, 'approved')
  code = await signInCode(app, 'alice')
  const { cert, key } = selfSigned('diagnostics')
  certificateKey = key.split('\n')[1] ?? ''
  await writeFile(join(app.folder, 'c.pem'), cert)
  await writeFile(join(app.folder, 'k.pem'), key)
  const changes = {
    tlsCert: join(app.folder, 'c.pem'),
    tlsKey: join(app.folder, 'k.pem'),
    publicUrl: 'https://skills.example',
  }
  const saved = await rita.send('PUT', '/settings', { changes })
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
  // Secrets that a person may have entered in the wrong field.
  await call(`${app.dashboard}/${app.developer}`, { token: app.developer })
  await fetch(`${app.dashboard}/desk/${code}?code=${code}`)

  const response = await rita.open('/diagnostics')
  disposition = response.headers.get('content-disposition')
  archive = gunzipSync(Buffer.from(await response.arrayBuffer()))
  const path = join(app.folder, 'diagnostics.tar')
  await writeFile(path, archive)
  files = Object.fromEntries(
    readTar(path).map(({ name, content, size }) => [
      name.replace('skilldock-diagnostics/', ''),
      archive.toString('utf8', content, content + size),
    ]),
  )
})
afterAll(() => app.stop())

const json = (name: string): Record<string, unknown> =>
  JSON.parse(files[name] ?? '') as Record<string, unknown>

test('diagnostics are a named archive of five files', () => {
  expect(disposition).toMatch(/^attachment; filename="skilldock-diagnostics-[\dT-]+\.tar\.gz"$/)
  expect(Object.keys(files)).toEqual([
    'about.json',
    'settings.json',
    'services.json',
    'data.json',
    'log.jsonl',
  ])
})

test('diagnostics include versions, services, statistics of the data and the log', () => {
  expect(json('about.json')).toMatchObject({
    platform: process.platform,
    versions: { node: process.versions.node },
  })
  expect(json('services.json')).toMatchObject({ releases: 1, database: 'ok', dataFolder: app.folder })
  expect(json('data.json')).toMatchObject({ database: { releases: { approved: 1 } }, packageFiles: 1 })
  const lines = (files['log.jsonl'] ?? '').trim().split('\n')
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('level')
})

test('diagnostics include settings with file paths but not the contents of these files', () => {
  const settings = JSON.stringify(json('settings.json'))
  expect(settings).toContain(join(app.folder, 'k.pem'))
  expect(settings).toContain('https://skills.example')
})

test('diagnostics contain no secrets', async () => {
  const { d, x } = await readKey(app.folder)
  const secrets = {
    'the signing key': d,
    'a token': app.developer,
    "a token's signature": app.developer.split('.')[2] ?? '',
    "an administrator's token": app.administrator,
    'the session key of the desk': rita.authorization.slice('Bearer '.length),
    'a sign-in code': code,
    "the certificate's key": certificateKey,
  }
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret.length, what).toBeGreaterThanOrEqual(8)
    expect(archive.includes(secret), what).toBe(false)
  }
  expect(archive.includes(x)).toBe(false)
})
