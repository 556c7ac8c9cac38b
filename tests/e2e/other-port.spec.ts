import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

/** Another program's web server on this computer, which browsers consider the same site as the desk. */
interface OtherService {
  origin: string
  /** The headers of every request. */
  requests: IncomingHttpHeaders[]
  /** Sets the headers of all further responses. */
  answerWith(headers: Record<string, string | string[]>): void
}

let server: Server
let other: OtherService

test.beforeEach(async () => {
  const requests: IncomingHttpHeaders[] = []
  let headers: Record<string, string | string[]> = {}
  server = createServer((req, res) => {
    requests.push(req.headers)
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
    res.end('<!doctype html><title>Other service</title><p>Other service</p>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  other = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith: (next) => (headers = next),
  }
})
test.afterEach(async () => {
  server.closeAllConnections()
  server.close()
})

/** The person the desk recognizes in a request with these headers. */
const personFor = async (desk: Desk, headers: IncomingHttpHeaders): Promise<unknown> => {
  const sent = Object.fromEntries(
    ['cookie', 'authorization'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, String(headers[name])]],
    ),
  )
  const reply = await fetch(`${desk.dashboard}/desk/api/state`, { headers: sent })
  return ((await reply.json()) as { person: unknown }).person
}

test('a service on another port has no access to the desk session', async ({ desk }) => {
  const page = await desk.open('ilse')
  const visitor = await page.context().newPage()
  await test.step('a service on another port is sent nothing that signs in at the desk', async () => {
    for (const path of ['/desk/', '/desk/api/state', '/desk', '/']) {
      await visitor.goto(`${other.origin}${path}`)
    }
    expect(other.requests.length).toBeGreaterThanOrEqual(4)
    expect(await visitor.evaluate(() => Object.keys(localStorage))).toEqual([])
    const people = await Promise.all(other.requests.map((headers) => personFor(desk, headers)))
    expect(people.filter((person) => person !== null)).toEqual([])
    expect(other.requests.flatMap(({ cookie }) => cookie ?? [])).toEqual([])
  })
  await test.step('a service on another port cannot sign the administrator out, or in as another person', async () => {
    const { keys } = (await (await fetch(`${desk.registry}/api/skilldock/jwks.json`)).json()) as {
      keys: { kid: string }[]
    }
    const name = `skilldock-desk-${keys[0]?.kid.slice(0, 8)}`
    const paths = ['/', '/desk', '/desk/', '/desk/api', '/desk/api/', '/desk/api/state', '/desk/review']
    other.answerWith({
      'Set-Cookie': paths.flatMap((path) => [
        `${name}=${'x'.repeat(43)}; Path=${path}; Max-Age=3600`,
        `${name}=; Path=${path}; HttpOnly; Max-Age=0`,
      ]),
    })
    await visitor.goto(`${other.origin}/desk/`)
    // Browsers keep about 180 cookies of one host; the oldest go first.
    other.answerWith({
      'Set-Cookie': Array.from({ length: 200 }, (_, n) => `filler-${n}=1; Path=/desk; Max-Age=3600`),
    })
    await visitor.goto(`${other.origin}/desk/`)
    other.answerWith({ 'Clear-Site-Data': '"cache", "cookies", "storage"' })
    await visitor.goto(`${other.origin}/desk/`)

    const second = await page.context().newPage()
    await second.goto(`${desk.dashboard}/desk/people`)
    await expect(second.getByRole('navigation', { name: 'Areas' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('navigation', { name: 'Areas' })).toBeVisible()
  })
})
