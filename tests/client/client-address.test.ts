import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { findProgram, runProgram } from '../support/client/install-script.ts'
import { clientFolder, startTestServer } from '../support/server/server.ts'
import type { TestServer } from '../support/server/server.ts'

let app: TestServer

beforeAll(async () => {
  app = await startTestServer()
})
afterAll(async () => {
  await app?.stop()
  await cleanUp()
})

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(app.registry + path, { headers })
  return { response, text: await response.text() }
}
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

test('the script is plain text, the client is JavaScript, and both can be cached and revalidated', async () => {
  for (const [path, type] of [
    ['/install.sh', 'text/plain; charset=utf-8'],
    ['/api/skilldock/client', 'text/javascript; charset=utf-8'],
  ] as const) {
    const { response } = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const again = await get(path, { 'If-None-Match': response.headers.get('etag') ?? '' })
    expect(again.response.status).toBe(304)
  }
})

test('the script and the client are in the OpenAPI document', async () => {
  const { paths } = JSON.parse((await get('/openapi.json')).text) as { paths: Record<string, object> }
  expect(paths).toMatchObject({
    '/install.sh': { get: { responses: { 200: { content: { 'text/plain': {} } } } } },
    '/api/skilldock/client': {
      get: { responses: { 200: { content: { 'text/javascript': {} } } } },
    },
  })
})

test('the client is the built file with the address of this registry, and otherwise unchanged', async () => {
  const built = readFileSync(join(clientFolder, 'skill'), 'utf8')
  expect((await get('/api/skilldock/client')).text).toBe(
    built.replace("const servedBy = ''", `const servedBy = "${app.registry}"`),
  )
})

test('the script has the digest of the client, even after the public address has changed', async () => {
  for (const publicUrl of ['https://skills.example', 'https://skills.example/below/', app.registry]) {
    await app.server.settings.save({ publicUrl })
    const [script, client] = [(await get('/install.sh')).text, (await get('/api/skilldock/client')).text]
    const address = publicUrl.replace(/\/$/, '')
    expect(client).toContain(`\nconst servedBy = "${address}"\n`)
    expect(script).toContain(`\nregistry='${address}'\nversion='0.1.0'\nsha256='${digestOf(client)}'\n`)
    expect(script).toContain(`#   curl -fsSL ${address}/install.sh | sh\n`)
    expect(script).not.toMatch(/@\w+@/)
  }
})

test('an address with any characters is one shell word in the script', async () => {
  const folder = temporaryFolder()
  const hostile = 'https://skills.example/$(touch a)`touch b`\'"; touch c; /@sha256@'
  await app.server.settings.save({ publicUrl: hostile })
  try {
    const script = (await get('/install.sh')).text
    const client = (await get('/api/skilldock/client')).text
    // The script up to its functions, followed by a command that prints the value that the shell has read.
    const values = script.slice(script.indexOf('registry='), script.indexOf('part='))
    const ran = await runProgram(
      findProgram('dash'),
      ['-c', `${values}printf '%s\\n' "$registry" "$sha256"`],
      { PATH: '/usr/bin:/bin' },
      folder,
    )
    const address = "https://skills.example/$(touch%20a)%60touch%20b%60'%22;%20touch%20c;%20/@sha256@"
    expect(ran).toEqual({ status: 0, stdout: `${address}\n${digestOf(client)}\n`, stderr: '' })
    expect(client).toContain(`const servedBy = ${JSON.stringify(address)}\n`)
  } finally {
    await app.server.settings.save({ publicUrl: app.registry })
  }
})

test('a server without a built client responds with an error', async () => {
  const bare = await startTestServer({ clientFolder: temporaryFolder() })
  try {
    for (const path of ['/install.sh', '/api/skilldock/client']) {
      const response = await fetch(bare.registry + path)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({
        code: 'NOT_FOUND',
        error: expect.stringContaining('does not provide the client'),
      })
    }
  } finally {
    await bare.stop()
  }
})
