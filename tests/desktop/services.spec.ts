import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { withPeople } from '../../src/server/commands/open-people.ts'
import { addManyRows, makeAgentProject } from '../support/agents/agent-project.ts'
import { assembleWat } from '../support/fixtures/assemble-wat.ts'
import { cleanUp, serve, temporaryFolder } from '../support/server/command-line.ts'
import { getJson, listFolder } from '../support/agents/dashboard.ts'
import { bridge, deskOrigin, deskState, expectShell, pressAway } from '../support/desk/desk-page.ts'
import { isDouble, launchDesktop, readRunning } from '../support/desk/desktop.ts'
import type { Desktop } from '../support/desk/desktop.ts'
import { awaitLastCall } from '../support/desk/desktop-shell.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { skipWithout } from '../support/programs.ts'
import { call, manifest, publish } from '../support/server/publish.ts'
import { until } from '../support/wait.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

let app: Desktop

test.afterEach(async () => {
  await app.close()
  await cleanUp()
})

/** Sends a signal; false if the process has ended. Signal 0 only asks. */
const signal = (pid: number, name: 'SIGKILL' | 0): boolean => {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

const tryListen = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    // The open desk still polls this port, so connections are closed immediately.
    const server = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1')
    server.once('listening', () => resolve(server))
    server.once('error', () => resolve(null))
  })

/** The child processes, or none on systems without /proc. */
const childrenOf = async (pid: number): Promise<number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}

const running = async (): Promise<{ registry: string; dashboard: string; pid: number }> => {
  await expect.poll(() => readRunning(app.folder)).not.toBeNull()
  const found = await readRunning(app.folder)
  if (found === null) throw new Error('No services are running.')
  return found
}

test('the app runs its own services from the first window until it quits', async () => {
  test.slow()
  const project = makeAgentProject(join(temporaryFolder(), 'team'), {
    fill: (database) => addManyRows(database, { agents: 3, audit: 5 }),
  })
  app = await launchDesktop({ env: { SKILLDOCK_WORKSPACE: project.folder } })
  const page = await app.page()
  const origin = await deskOrigin(page)

  await test.step('the window opens their desk, with the first-run page while there is no administrator', async () => {
    const services = await running()
    expect(origin).toBe(services.dashboard)
    expect(await page.title()).toMatch(/Skilldock|^$/)
    expect(await deskState(page)).toMatchObject({ person: null, firstRun: expect.any(Object) })
    expect(await bridge.info(page)).toMatchObject({ ownsServices: true, platform: process.platform })
    expect(await bridge.state(page)).toMatchObject({
      phase: 'running',
      services: [
        { name: 'registry', url: services.registry, state: 'running' },
        { name: 'dashboard', url: services.dashboard, state: 'running' },
      ],
    })
  })

  await test.step('modules are checked in a separate utility process, over the port that the app passed', async () => {
    const { registry } = await running()
    const { token } = await withPeople(
      (people) => people.issueToken({ subject: 'alice', name: 'Alice' }),
      `${app.folder}/data`,
    )
    const wasm = await assembleWat('(module (memory (export "memory") 1) (func (export "_start")))')
    expect((await publish(registry, token, manifest(), wasm)).status).toBe(201)
    const broken = await publish(registry, token, manifest({ version: '1.0.1' }), Buffer.from('not a module'))
    expect(broken.status).toBe(400)
  })

  await test.step('an agent project is read by a separate utility process', async () => {
    const { status, body } = await getJson(`${origin}/api/audit`)
    expect(status).toBe(200)
    expect(body['entries']).toMatchObject([5, 4, 3, 2, 1].map((id) => ({ id, verified: true })))
    expect(Object.keys(listFolder(project))).toEqual(['nexus.db'])
  })

  await test.step('killed services restart on the same addresses, and the window stays open', async () => {
    const before = await running()
    await page.evaluate(() => document.documentElement.setAttribute('data-typed', 'a note'))
    process.kill(before.pid, 'SIGKILL')
    await expect.poll(async () => (await readRunning(app.folder))?.pid ?? before.pid).not.toBe(before.pid)
    const after = await running()
    expect(after).toMatchObject({ registry: before.registry, dashboard: before.dashboard })
    await expect.poll(async () => (await bridge.state(page)).phase).toBe('running')
    expect(await deskState(page)).toMatchObject({ firstRun: expect.any(Object) })
    await expect(page.locator('html')).toHaveAttribute('data-typed', 'a note')
  })

  await test.step('a failed restart is reported, and can be retried', async () => {
    const { pid } = await running()
    process.kill(pid, 'SIGKILL')
    // Another program takes the port of the desk first. If the services were faster, they are killed again.
    const thief = await until('the port is free', async () => {
      const server = await tryListen(Number(new URL(origin).port))
      const again = server === null ? await readRunning(app.folder) : null
      if (again !== null) signal(again.pid, 'SIGKILL')
      return server
    })
    await expectShell(page, 'The desk could not be started', new RegExp(`process ${process.pid}`))
    await new Promise((resolve) => thief.close(resolve))
    // The app also retries by itself and may do so first.
    await pressAway(page, 'Try again now')
    expect(await deskOrigin(page)).toBe(origin)
    expect(await deskState(page)).toMatchObject({ firstRun: expect.any(Object) })
  })

  await test.step('quitting stops the services gracefully and leaves no process behind', async () => {
    const { pid, registry } = await running()
    expect((await call(`${registry}/api/health`)).status).toBe(200)
    const children = await childrenOf(app.process.pid ?? 0)
    await awaitLastCall(app.evaluate(({ app: electron }) => electron.quit()))
    expect(await app.ended).toBe(0)
    expect(signal(pid, 0)).toBe(false)
    expect(children.filter((child) => signal(child, 0))).toEqual([])
    expect(await readRunning(app.folder)).toBeNull()
    expect(app.output()).toContain('"msg":"stopped"')
  })
})

test('the only administrator is signed in; "Stop services" stops both services, and the page shown then can start them', async () => {
  const folder = temporaryFolder()
  await withPeople(
    (people) => people.issueToken({ subject: 'rita', name: 'Rita', role: 'administrator' }),
    `${folder}/data`,
  )
  app = await launchDesktop({ folder })
  const page = await app.page()
  const origin = await deskOrigin(page)
  await expect.poll(async () => (await deskState(page)).person?.subject).toBe('rita')
  const before = await running()
  await page.getByRole('link', { name: 'Services', exact: true }).click()
  await pressAway(page, 'Stop services')
  await expectShell(page, 'The services are stopped', '')
  expect(await readRunning(folder)).toBeNull()
  expect(signal(before.pid, 0)).toBe(false)
  await expect(page.getByRole('button', { name: 'Quit Skilldock' })).toBeVisible()

  await pressAway(page, 'Start services')
  expect(await deskOrigin(page)).toBe(origin)
  await expect(page.getByText('Both services running')).toBeVisible()
  expect((await deskState(page)).person?.subject).toBe('rita')
  expect((await running()).registry).toBe(before.registry)
})

test('an unhandled promise rejection in the services is a crash, and they restart', async () => {
  test.skip(!isDouble, 'Electron reads no NODE_OPTIONS: its fuse is off')
  const folder = temporaryFolder()
  const mistake = join(folder, 'mistake.mjs')
  await writeFile(
    mistake,
    "process.on('SIGUSR2', () => void Promise.reject(new Error('unhandled in a test')))\n",
  )
  app = await launchDesktop({ folder, env: { NODE_OPTIONS: `--import=${mistake}` } })
  const page = await app.page()
  await deskOrigin(page)
  const before = await running()
  process.kill(before.pid, 'SIGUSR2')
  await expect.poll(async () => (await readRunning(app.folder))?.pid ?? before.pid).not.toBe(before.pid)
  await expect.poll(async () => (await bridge.state(page)).phase).toBe('running')
  expect(app.output()).toContain('unhandled promise rejection')
})

test('a port in use is reported with the program that uses it, and the desk opens once it is free', async () => {
  const port = await findFreePort()
  const holder = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  app = await launchDesktop({ env: { SKILLDOCK_DASHBOARD_PORT: String(port) } })
  const page = await app.page()
  await expectShell(
    page,
    'The desk could not be started',
    new RegExp(`127\\.0\\.0\\.1:${port}.*process ${process.pid}`),
  )
  await expect(page.locator('#next')).toHaveText(/^Retrying/)
  const state = await bridge.state(page)
  expect(state.services.find(({ name }) => name === 'registry')).toMatchObject({ state: 'running' })
  await new Promise((resolve) => holder.close(resolve))
  // The app also retries by itself and may do so first.
  await pressAway(page, 'Try again now')
  expect(await deskOrigin(page)).toBe(`http://127.0.0.1:${port}`)
})

test('a registry whose port is in use does not affect the desk, which says when it retries', async () => {
  const port = await findFreePort()
  const holder = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => holder.once('listening', resolve))
  const folder = temporaryFolder()
  await withPeople(
    (people) => people.issueToken({ subject: 'rita', name: 'Rita', role: 'administrator' }),
    `${folder}/data`,
  )
  app = await launchDesktop({ folder, env: { SKILLDOCK_PORT: String(port) } })
  const page = await app.page()
  await deskOrigin(page)
  await page.getByRole('link', { name: 'Registry: port in use' }).click()
  const card = page.getByRole('region', { name: 'Registry', exact: true })
  await expect(card.getByText(`Port ${port} in use`)).toBeVisible()
  await expect(card.getByText(/^(?:retrying in \d+ s|retrying…)$/)).toBeVisible()
  await new Promise((resolve) => holder.close(resolve))
  await expect(card.getByText(/^Running for/)).toBeVisible({ timeout: 45_000 })
  await expect(page.getByText('Both services running')).toBeVisible()
})

test('a data folder in use by another server is reported, and the page can quit the app', async () => {
  const folder = temporaryFolder()
  const other = await serve(`${folder}/data`)
  app = await launchDesktop({ folder })
  const page = await app.page()
  await expectShell(
    page,
    'The desk could not be started',
    new RegExp(`process ${other.pid},.*is already using the data folder`),
  )
  await pressAway(page, 'Quit Skilldock')
  expect(await app.ended).toBe(0)
  expect((await call(`${other.registry}/api/health`)).status).toBe(200)
  await other.stop()
})

test('an invalid setting is reported', async () => {
  app = await launchDesktop({ env: { SKILLDOCK_PORT: 'often' } })
  const page = await app.page()
  await expectShell(page, 'The desk could not be started', /SKILLDOCK_PORT \("often"\) must be/)
})
