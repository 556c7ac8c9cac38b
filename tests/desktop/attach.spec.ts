import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { makeDeskLink } from '../../src/server/commands/desk-link.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import type { Serving } from '../support/server/command-line.ts'
import { bridge, deskOrigin, deskState, expectShell } from '../support/desk/desk-page.ts'
import { isDouble, launchDesktop } from '../support/desk/desktop.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { skipWithout } from '../support/programs.ts'
import { call } from '../support/server/publish.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

let data = ''
let services: Serving

test.beforeAll(async () => {
  data = temporaryFolder()
  services = await serve(data)
})

test.afterAll(async () => {
  await services.stop()
  await cleanUp()
})

const createLink = async (): Promise<string> => (await makeDeskLink(data, services.dashboard)).url ?? ''

test('an attached window shows the desk of running services, and neither starts nor stops services', async () => {
  const app = await launchDesktop({ args: [`--attach=${await createLink()}`] })
  const page = await app.page()
  expect(await deskOrigin(page)).toBe(services.dashboard)
  expect(await deskState(page)).toMatchObject({ firstRun: expect.any(Object) })
  expect(await bridge.info(page)).toMatchObject({ ownsServices: false })
  expect(await bridge.state(page)).toMatchObject({ phase: 'attached', services: [] })
  expect(existsSync(join(app.folder, 'data'))).toBe(false)
  await app.close()
  expect(await app.ended).toBe(0)
  expect((await call(`${services.registry}/api/health`)).status).toBe(200)
})

test('an attached window reports when its services are not running, and can retry', async () => {
  const folder = temporaryFolder()
  const variables = { SKILLDOCK_DASHBOARD_PORT: String(await findFreePort()) }
  const short = await serve(folder, variables)
  const address = short.dashboard
  await short.stop()
  const app = await launchDesktop({ args: [`--attach=${address}/desk/#code=${'a'.repeat(43)}`] })
  const page = await app.page()
  await expectShell(page, "Can't reach the desk", /Start them there, then try again/)
  const again = await serve(folder, variables)
  await page.getByRole('button', { name: 'Try again now' }).click()
  expect(await deskOrigin(page)).toBe(address)
  await app.close()
  await again.stop()
})

test('a link to anything but a desk on this computer is refused', async () => {
  for (const bad of ['https://example.org/desk/', 'http://127.0.0.1:1/other', 'file:///desk/', 'nonsense']) {
    const app = await launchDesktop({ args: [`--attach=${bad}`] })
    expect(await app.ended).toBe(2)
    expect(app.output()).toContain('requires a link to a desk on this computer')
    await app.close()
  }
})

test('a second start brings the first window to the front and exits', async () => {
  const first = await launchDesktop({ args: [`--attach=${await createLink()}`] })
  const page = await first.page()
  await deskOrigin(page)
  const second = await launchDesktop({ folder: first.folder, args: [`--attach=${await createLink()}`] })
  expect(await second.ended).toBe(0)
  await expect
    .poll(() =>
      first.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => window.isFocused()),
      ),
    )
    .toEqual(isDouble ? [true] : [expect.any(Boolean)])
  expect(await deskOrigin(page)).toBe(services.dashboard)
  await second.close()
  await first.close()
})
