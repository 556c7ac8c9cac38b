import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { Session } from 'electron'
import { registerShellScheme, serveShellPage, shellScheme } from './shell-page.ts'

const registered = vi.hoisted(() => [] as object[])

vi.mock('electron', () => ({
  protocol: { registerSchemesAsPrivileged: (schemes: object[]) => registered.push(...schemes) },
}))

type Serve = (request: Request) => Response

const serve = ((): Serve => {
  const served = new Map<string, Serve>()
  const own = { protocol: { handle: (scheme: string, handler: Serve) => served.set(scheme, handler) } }
  serveShellPage(own as unknown as Session)
  expect([...served.keys()]).toEqual([shellScheme])
  return served.get(shellScheme) ?? (() => Response.error())
})()

const request = (url: string, method = 'GET'): Response => serve(new Request(url, { method }))

test("the shell page's policy allows only its own style and script", async () => {
  const response = request('skilldock-shell://app/')
  const page = await response.text()
  const digest = (name: string): string => {
    const [, text = ''] = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(page) ?? []
    return `sha256-${createHash('sha256').update(text).digest('base64')}`
  }
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-security-policy':
      `default-src 'none'; style-src '${digest('style')}'; script-src '${digest('script')}'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
  expect(page.match(/<script|<style|\son\w+=|style=/g)).toEqual(['<style', '<script'])
})

test('the shell page is the only page of its scheme', () => {
  for (const url of ['skilldock-shell://app/other', 'skilldock-shell://app/?x', 'skilldock-shell://other/']) {
    expect(request(url).status).toBe(404)
  }
  expect(request('skilldock-shell://app/', 'POST').status).toBe(404)
})

test("the shell page's scheme has no more privileges than any secure page", () => {
  registerShellScheme()
  expect(registered).toEqual([{ scheme: shellScheme, privileges: { standard: true, secure: true } }])
})
