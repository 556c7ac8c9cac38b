import { request } from 'node:http'
import type { ClientRequest } from 'node:http'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { makeAgentProject, withProject } from '../support/agents/agent-project.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { cleanUp, temporaryFolder } from '../support/server/command-line.ts'
import { writeAgent } from '../support/agents/desk-agents.ts'
import { bridge, deskOrigin } from '../support/desk/desk-page.ts'
import { launchDesktop, readRunning } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import {
  dialogs,
  badges,
  clickNotification,
  awaitLastCall,
  notifications,
  quit,
  servicesItems,
  watchShell,
  windowsShown,
} from '../support/desk/desktop-shell.ts'
import { skipWithout } from '../support/programs.ts'
import { submitProject } from '../support/server/projects.ts'
import { manifest, publish } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

let app: Desktop
let registry = ''
let token = ''

const launch = async (env: Record<string, string> = {}): Promise<void> => {
  app = await launchDesktop({ env })
  await deskOrigin(await app.page())
  registry = (await until('both run', () => readRunning(app.folder))).registry
  const issued = await withPeople(
    (people) => people.issueToken({ subject: 'alice', name: 'Alice' }),
    `${app.folder}/data`,
  )
  token = issued.token
}

test.afterEach(async () => {
  await app.close()
  await cleanUp()
})

const wasm = (): Promise<Uint8Array> =>
  assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')

const submit = async (name: string): Promise<void> => {
  expect((await publish(registry, token, manifest({ name }), await wasm())).status).toBe(201)
}

const blurWindow = async (): Promise<void> => {
  // The window is shown and focused when its first page has loaded, possibly after the test has seen that page.
  await expect.poll(() => windowsShown(app)).toEqual([true])
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur())
}

test('events while the window has no focus cause notifications, and each opens its subject', async () => {
  await launch()
  await watchShell(app, ['Keep running', 'Stop anyway'])
  const page = await app.page()

  await test.step('a submission is counted on the badge, and a click opens its release', async () => {
    await blurWindow()
    await submit('upper-case')
    await expect.poll(() => badges(app)).toEqual([1])
    await expect
      .poll(() => notifications(app))
      .toEqual([{ title: 'New release: upper-case 1.0.0', body: 'Submitted by Alice' }])
    expect((await servicesItems(app))[2]).toEqual({ label: '1 release to review', enabled: true })
    await clickNotification(app, 0)
    await expect(page).toHaveURL(/\/desk\/release\/upper-case\/1\.0\.0$/)
  })

  await test.step('a project from the public form is counted on the badge, and a click opens it', async () => {
    await blurWindow()
    await submitProject(registry, { title: 'Tide tables' })
    await expect.poll(() => badges(app)).toEqual([1, 2])
    await expect
      .poll(async () => (await notifications(app)).slice(1))
      .toEqual([{ title: 'New project: Tide tables', body: 'Submitted by Ada Okafor' }])
    await clickNotification(app, 1)
    await expect(page).toHaveURL(/\/desk\/content\/showcase\/1$/)
  })

  await test.step('a burst of submissions is one notification, and a click opens the queue', async () => {
    await blurWindow()
    for (const name of ['one-case', 'two-case']) {
      await submit(name)
    }
    await expect
      .poll(async () => (await notifications(app)).slice(2))
      .toEqual([{ title: '2 new releases to review', body: 'one-case 1.0.0, two-case 1.0.0' }])
    await clickNotification(app, 2)
    await expect(page).toHaveURL(/\/desk\/review/)
  })

  await test.step('quitting asks for confirmation while an upload is in progress', async () => {
    const badge = async (): Promise<number | undefined> => (await badges(app)).at(-1)
    await expect.poll(badge).toBe(4)
    const upload = await beginUpload()
    // Messages of the services arrive in order: the later submission is reported after the upload.
    await submit('later-case')
    await expect.poll(badge).toBe(5)
    await quit(app)
    await expect.poll(() => dialogs(app)).toHaveLength(1)
    expect(await dialogs(app)).toMatchObject([
      {
        message: 'An upload is in progress. Stop now?',
        buttons: ['Stop anyway', 'Keep running'],
      },
    ])
    expect((await fetch(`${registry}/api/health`)).status).toBe(200)
    await quit(app)
    upload.destroy()
    await awaitLastCall(expect.poll(() => dialogs(app)).toHaveLength(2))
    expect(await app.ended).toBe(0)
  })
})

test('a budget over its alert threshold causes one notification, and a click opens it', async () => {
  const project = makeAgentProject(join(temporaryFolder(), 'team'), {
    fill: (database) => {
      writeAgent(database, 'reader')
      database.exec("INSERT INTO cost_budgets VALUES ('price-watch', 5000, 'month', 80, 'alert', 1200, NULL)")
    },
  })
  await launch({ SKILLDOCK_WORKSPACE: project.folder })
  const page = await app.page()
  await watchShell(app)
  await blurWindow()
  const write = (sql: string): void => void withProject(project, (database) => database.exec(sql))
  const bodies = async (): Promise<string[]> => (await notifications(app)).map(({ body }) => body)
  const budget = 'price-watch has reached the alert threshold of its monthly budget: $41.00 of $50.00.'
  write('UPDATE cost_budgets SET spent_cents = 4100')
  await expect.poll(bodies).toEqual([budget])
  write("UPDATE cost_budgets SET spent_cents = 4200; UPDATE agents SET status = 'crashed'")
  await expect.poll(bodies).toEqual([budget, 'reader crashed and is down.'])
  await clickNotification(app, 0)
  await expect(page).toHaveURL(/\/desk\/agents\/cost/)
})

test('a notification of an app that was started without a window opens one at its subject', async () => {
  const project = makeAgentProject(join(temporaryFolder(), 'team'), {
    fill: (database) =>
      database.exec(
        "INSERT INTO cost_budgets VALUES ('price-watch', 5000, 'month', 80, 'alert', 1200, NULL)",
      ),
  })
  app = await launchDesktop({ args: ['--hidden'], env: { SKILLDOCK_WORKSPACE: project.folder } })
  await watchShell(app)
  await until('the services run', () => readRunning(app.folder))
  withProject(project, (database) => database.exec('UPDATE cost_budgets SET spent_cents = 4100'))
  await expect.poll(() => notifications(app)).toHaveLength(1)
  await clickNotification(app, 0)
  await expect.poll(() => windowsShown(app)).toEqual([true])
  await expect(await app.page()).toHaveURL(/\/desk\/agents\/cost\?agent=price-watch$/)
})

test('a crash of the services causes one notification, unless that is turned off', async () => {
  await launch()
  await watchShell(app)
  const crash = async (): Promise<void> => {
    const { pid } = await until('the services run', () => readRunning(app.folder))
    process.kill(pid, 'SIGKILL')
    await until('the services run again', async () => {
      const next = await readRunning(app.folder)
      return next !== null && next.pid !== pid
    })
  }
  await crash()
  const notification = { title: 'The services stopped unexpectedly', body: 'Skilldock is restarting them.' }
  expect(await notifications(app)).toEqual([notification])
  const page = await app.page()
  await expect.poll(async () => (await bridge.state(page)).phase).toBe('running')
  expect(await bridge.setPreferences(page, { notifyCrashes: false })).toMatchObject({
    notifyCrashes: false,
    notifySubmissions: true,
  })
  await crash()
  expect(await notifications(app)).toEqual([notification])
})

/** Sends the headers of a submission and waits until the server expects the body. */
async function beginUpload(): Promise<ClientRequest> {
  const upload = request(`${registry}/api/marketplace/publish`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=part',
      'content-length': '100000',
      expect: '100-continue',
    },
  })
  upload.on('error', () => {})
  const isExpected = new Promise<void>((resolve) => upload.once('continue', resolve))
  upload.flushHeaders()
  await isExpected
  return upload
}
