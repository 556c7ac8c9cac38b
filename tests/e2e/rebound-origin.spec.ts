import { skipWithout } from '../support/programs.ts'
import { expect, test } from '../support/desk/desk-browser.ts'

test.use({
  bypassCSP: true,
  launchOptions: async ({ launchOptions }, provide) => {
    const rebind = '--host-resolver-rules=MAP attacker.example 127.0.0.1'
    await provide({ ...launchOptions, args: [...(launchOptions.args ?? []), rebind] })
  },
})
test.skip(skipWithout('chromium'), 'needs Chromium')

test('a page whose name is rebound to the registry can neither begin a login nor fetch its token', async ({
  desk,
  page,
}) => {
  const site = `http://attacker.example:${new URL(desk.registry).port}`
  // The page's own policy would block these requests, but an attacker's page has no such policy.
  await page.goto(site)
  const answers = await page.evaluate(async () => {
    const send = async (path: string, body: unknown) => {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, code: ((await response.json()) as { code?: string }).code }
    }
    return [
      await send('/api/skilldock/logins', { client: 'skill on a-laptop' }),
      await send('/api/skilldock/logins/token', { deviceCode: 'x'.repeat(43) }),
    ]
  })
  const refused = { status: 403, code: 'ORIGIN_FORBIDDEN' }
  expect(answers).toEqual([refused, refused])
})
