import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signIn } from '../support/desk/desk-client.ts'
import { call } from '../support/server/publish.ts'
import { connectRaw } from '../support/server/raw-client.ts'
import type { RawAnswer } from '../support/server/raw-client.ts'
import { startTestRegistry } from '../support/server/registry.ts'
import type { TestRegistry } from '../support/server/registry.ts'

let app: TestRegistry
beforeAll(async () => {
  app = await startTestRegistry()
})
afterAll(() => app.stop())

const sendRaw = async (url: string, lines: readonly string[], body = ''): Promise<RawAnswer> => {
  const client = await connectRaw(url)
  await client.send(`${lines.join('\r\n')}\r\n\r\n${body}`)
  try {
    return await client.answer()
  } finally {
    client.destroy()
  }
}
const codeOf = ({ body }: RawAnswer): unknown => (JSON.parse(body) as { code?: string }).code

describe('a JSON body', () => {
  const post = async (url: string, text: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: text,
    })
    const body = (await response.json()) as { code?: string; error?: string; issues?: { path: string }[] }
    return {
      status: response.status,
      code: body.code,
      error: body.error,
      paths: body.issues?.map(({ path }) => path),
    }
  }
  const refusedFor = (path: string) => ({ status: 400, code: 'INVALID_JSON', paths: [path] })

  test('with a duplicate key is 400 on both listeners and changes nothing', async () => {
    const id = await app.submit({ name: 'twice-decided' })
    const review = `${app.api}/review/${id}`
    const rita = { Authorization: `Bearer ${app.administrator}` }
    const twice = await post(
      review,
      '{"action":"rejected","reason":"It has a flaw.","action" :"approved"}',
      rita,
    )
    expect(twice).toMatchObject({
      ...refusedFor('action'),
      error: 'The body is invalid: action appears twice; keep one.',
    })
    // An escape does not make it a different key.
    const escaped = String.raw`{"action":"rejected","reason":"It has a flaw.","\u0061ction":"approved"}`
    expect(await post(review, escaped, rita)).toMatchObject(refusedFor('action'))
    expect((await call(`${app.api}/skills/twice-decided`)).status).toBe(404)

    const login = await post(`${app.registry}/api/skilldock/logins`, '{"client":"one","client":"two"}')
    expect(login).toMatchObject(refusedFor('client'))

    const desk = await signIn(app, 'rita')
    const person = await post(
      `${app.dashboard}/desk/api/people`,
      '{"subject":"eve","role":"developer","role":"administrator"}',
      { Authorization: desk.authorization, Origin: app.dashboard },
    )
    expect(person).toMatchObject(refusedFor('role'))
  })

  test('with __proto__ or excessive nesting is 400; strings may contain what looks like a key', async () => {
    const login = `${app.registry}/api/skilldock/logins`
    expect(await post(login, '{"client":"x","__proto__":{}}')).toMatchObject(refusedFor('__proto__'))
    const deep = `{"client":${'['.repeat(5000)}${']'.repeat(5000)}}`
    expect(await post(login, deep)).toMatchObject({ status: 400 })
    const harmless = String.raw`{"client":"{\"client\":1,\"client\":2}"}`
    expect((await post(login, harmless)).status).toBe(201)
  })
})

describe('a header that may appear only once', () => {
  test.each([
    ['Host', 'HOST', 'attacker.example'],
    ['Authorization', 'Bearer one', 'Bearer two'],
    ['Content-Type', 'application/json', 'text/plain'],
    ['Content-Length', '0', '0'],
    ['Transfer-Encoding', 'chunked', 'chunked'],
    ['Origin', 'ORIGIN', 'http://attacker.example'],
    ['Sec-Fetch-Site', 'same-origin', 'cross-site'],
  ])('%s is 400 if it appears twice, on both listeners', async (name, first, second) => {
    for (const url of [app.registry, app.dashboard]) {
      const { host, origin } = new URL(url)
      const fill = (value: string): string => value.replace('HOST', host).replace('ORIGIN', origin)
      const lines = ['GET /api/health HTTP/1.1', ...(name === 'Host' ? [] : [`Host: ${host}`])]
      const answer = await sendRaw(
        url,
        [...lines, `${name}: ${fill(first)}`, `${name.toLowerCase()}: ${fill(second)}`],
        name === 'Transfer-Encoding' ? '0\r\n\r\n' : '',
      )
      expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST'])
    }
  })

  test('does not include Accept, which may appear twice', async () => {
    const { host } = new URL(app.registry)
    const lines = [
      'GET /api/health HTTP/1.1',
      `Host: ${host}`,
      'Accept: text/plain',
      'Accept: application/json',
    ]
    expect((await sendRaw(app.registry, lines)).status).toBe(200)
  })
})
