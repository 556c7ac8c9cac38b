import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import { findSkill } from '../../resources/skills/build.ts'
import type { DeskRelease } from '../../src/shared/contracts/desk-review.ts'
import { skillManifestSchema } from '../../src/shared/contracts/manifest.ts'
import type { SkillManifest } from '../../src/shared/contracts/manifest.ts'
import { expect, row, test } from '../support/desk/desk-browser.ts'
import type { Desk } from '../support/desk/desk-browser.ts'
import { evilModule } from '../support/fixtures/evil-modules.ts'
import type { evilModules } from '../support/fixtures/evil-modules.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

// A run takes milliseconds, creating the frame and the worker longer, in particular on a busy machine.
test.setTimeout(120_000)
test.use({ settings: { undoMs: 0, dailySubmissions: 100 } })
const ran = { timeout: 30_000 }

const testRuns = (page: Page): Locator => page.getByRole('region', { name: 'Test runs', exact: true })
const capabilities = (page: Page): Locator => page.getByRole('region', { name: 'Capabilities' })
const verdicts = (page: Page): Locator => testRuns(page).getByRole('row')

async function submitSkill(desk: Desk, name: string, change: Partial<SkillManifest> = {}): Promise<number> {
  const { committedFile, manifestFile } = findSkill(name)
  const manifest = skillManifestSchema.parse(JSON.parse(await readFile(manifestFile, 'utf8')))
  return desk.submit({ ...manifest, ...change }, undefined, await readFile(committedFile))
}

async function submitEvil(desk: Desk, module: keyof typeof evilModules): Promise<string> {
  const name = `evil-${module.toLowerCase()}`
  await desk.submit(
    { name, examples: [{ input: '', output: 'hello\n' }] },
    undefined,
    await evilModule(module),
  )
  return name
}

/** By button: one test covers the key. */
const run = (page: Page): Promise<void> =>
  testRuns(page).getByRole('button', { name: 'Run examples' }).click()

async function openRelease(page: Page, name: string): Promise<void> {
  await row(page, name).click()
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(`^${name} `) })).toBeVisible()
}

/** Measures the longest task on the page's thread and the longest time between two frames, in milliseconds. */
const watchPage = (page: Page): Promise<() => Promise<{ task: number; frame: number; frames: number }>> =>
  page
    .evaluate(() => {
      const seen = { task: 0, frame: 0, frames: 0 }
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) seen.task = Math.max(seen.task, duration)
      }).observe({ entryTypes: ['longtask'] })
      let last = performance.now()
      const next = (now: number): void => {
        seen.frame = Math.max(seen.frame, now - last)
        seen.frames += 1
        last = now
        requestAnimationFrame(next)
      }
      requestAnimationFrame(next)
      Object.assign(globalThis, { seenByTest: seen })
    })
    .then(
      () => () =>
        page.evaluate(
          () =>
            (globalThis as unknown as { seenByTest: { task: number; frame: number; frames: number } })
              .seenByTest,
        ),
    )

test('a module that misbehaves harms nothing', async ({ desk }) => {
  const loop = await submitEvil(desk, 'loop')
  const startLoop = await submitEvil(desk, 'startLoop')
  await desk.submit({ name: 'other' })
  const cases: [keyof typeof evilModules, RegExp, string][] = [
    ['grow', /out of memory.*none.*64 MiB.*none/, 'It was denied more memory and trapped: unreachable'],
    [
      'flood',
      /output over 1 MiB.*none.*64 KiB.*fd_write 257/,
      'It wrote more than 1 MiB to standard output.',
    ],
    ['stubbornFlood', /output over 1 MiB/, 'It wrote more than 1 MiB to standard output.'],
    ['trap', /trapped.*none.*64 KiB.*fd_write 1/, 'It trapped: unreachable'],
    ['recursion', /trapped/, 'It trapped: call stack exhausted'],
    ['startCalls', /trapped/, 'fd_write was called by the start function, before the memory is available'],
    ['tableGrow', /trapped/, 'It trapped: unreachable'],
    ['hugeMinimum', /not run/, 'Needs 96 MiB of memory to start, but the limit is 64 MiB. Not run.'],
    ['tableHuge', /not run/, 'Needs tables of 5000000 entries, but the limit is 1000000. Not run.'],
  ]
  for (const [module] of cases) {
    await submitEvil(desk, module)
  }
  const page = await desk.open('ilse')
  await test.step('each kind of failure has its verdict, and the desk keeps working', async () => {
    for (const [module, verdict, detail] of cases) {
      await openRelease(page, `evil-${module.toLowerCase()}`)
      await run(page)
      await expect(verdicts(page).nth(1)).toContainText(verdict, ran)
      await expect(testRuns(page)).toContainText(detail)
      await expect(page.getByRole('button', { name: /^Test runs/ })).toContainText('0 of 1')
      /* oxlint-enable no-await-in-loop */
    }
    // The full output can be saved; the page shows its beginning.
    await openRelease(page, 'evil-flood')
    await testRuns(page).getByRole('button', { name: 'Details of example 1' }).click()
    await expect(testRuns(page)).toContainText('and 1,044,576 bytes more')
    const download = page.waitForEvent('download')
    await testRuns(page).getByRole('button', { name: 'Save full output…' }).click()
    expect((await readFile(await (await download).path())).length).toBe(1_048_576)
  })
  await test.step('an endless loop is stopped after ten seconds, and the desk stays responsive', async () => {
    await openRelease(page, loop)
    const read = await watchPage(page)
    await run(page)
    await expect(verdicts(page).nth(1)).toContainText(/running for \d+ s, 1 call, 64 KiB/)

    // Everything else keeps working while it loops.
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await openRelease(page, 'other')
    await page.keyboard.press('r')
    await page.getByLabel('Review notes for Marta Okafor').fill('Typed while a module loops.')
    await page.keyboard.press('Escape')
    await openRelease(page, loop)
    await expect(verdicts(page).nth(1)).toContainText('running for')

    await expect(verdicts(page).nth(1)).toContainText(/timed out.*none.*10\.0 s.*64 KiB.*fd_write 1/, {
      timeout: 40_000,
    })
    const seen = await read()
    test.info().annotations.push({ type: 'measured', description: JSON.stringify(seen) })
    // The loop is not on the page's thread: seven of its ten seconds would otherwise be one task.
    expect(seen.task).toBeLessThan(1000)
    expect(seen.frames).toBeGreaterThan(20)
    await testRuns(page).getByRole('button', { name: 'Details of example 1' }).click()
    await expect(testRuns(page)).toContainText(
      'Stopped at the time limit. Calls, memory and output are as last reported.',
    )
    await expect(testRuns(page).getByRole('region', { name: 'Standard output' })).toHaveText('hello')

    // A module that loops in its start function can be stopped by hand too.
    await openRelease(page, startLoop)
    await testRuns(page).getByRole('button', { name: 'Run examples' }).click()
    await testRuns(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(testRuns(page).getByText('not run yet')).toBeVisible()
    await expect(testRuns(page).getByRole('button', { name: 'Run again' })).toBeVisible()
  })
})

test('the frame runs only the submitted bytes, recovers from a fault, and is isolated', async ({ desk }) => {
  await submitSkill(desk, 'rot13')
  await submitSkill(desk, 'rot13', { name: 'swapped' })
  const page = await desk.open('ilse')
  await test.step('a module that does not match its digest is not run', async () => {
    await page.route('**/package', async (route) =>
      route.fulfill({ body: Buffer.from(await evilModule('loop')) }),
    )
    await openRelease(page, 'swapped')
    await run(page)
    await expect(testRuns(page).getByRole('alert')).toContainText("Couldn't run the module", ran)
    await expect(testRuns(page)).toContainText("The downloaded module doesn't match the digest.")
    await expect(page.locator('iframe')).toHaveCount(0)
    await page.unroute('**/package')
  })
  await test.step('a frame that stops responding is removed, and the next run gets a new one', async () => {
    await openRelease(page, 'rot13')
    await run(page)
    await expect(testRuns(page).getByText('passed', { exact: true })).toHaveCount(3, ran)
    const frame = page.frames().find((one) => one.url().endsWith('/desk/sandbox/run'))
    // The navigation was blocked, and the page that replaced the frame does not respond.
    await frame?.evaluate(() => setTimeout(() => location.assign('/desk/')))
    await expect
      .poll(() => page.frames().filter((one) => one.url().startsWith('chrome-error:')).length)
      .toBe(1)
    await testRuns(page).getByRole('button', { name: 'Run again' }).click()
    await expect(testRuns(page).getByRole('alert')).toContainText('The sandbox stopped responding', ran)
    await expect(page.locator('iframe')).toHaveCount(0)
    await testRuns(page).getByRole('button', { name: 'Try again' }).click()
    await expect(testRuns(page).getByText('passed', { exact: true })).toHaveCount(3, ran)
  })
  await test.step('the frame has an opaque origin and no way to connect or navigate', async () => {
    const hits: string[] = []
    const outside = createServer((request, response) => {
      hits.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
    const answered: string[] = []
    page.on('response', (response) => {
      const { protocol, pathname } = new URL(response.url())
      const fromDesk = pathname.startsWith('/desk/') && !response.request().isNavigationRequest()
      if (protocol === 'http:' && !fromDesk) answered.push(pathname)
    })
    const frame = page.frames().find((one) => one.url().endsWith('/desk/sandbox/run'))
    if (frame === undefined) throw new Error('there is no frame')
    expect(await frame.evaluate(() => self.origin)).toBe('null')

    const foreign = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
    const tried = await frame.evaluate(
      async ([own, other]) => {
        const outcome: Record<string, string> = {}
        const attempt = async (name: string, work: () => unknown): Promise<void> => {
          try {
            outcome[name] = `went: ${String(await work())}`
          } catch (error) {
            outcome[name] = error instanceof Error ? error.name : 'refused'
          }
        }
        const inWorker = (text: string): Promise<string> =>
          new Promise((resolve) => {
            const worker = new Worker(URL.createObjectURL(new Blob([text])))
            worker.addEventListener('message', ({ data }) => resolve(String(data)))
          })
        for (const base of [own, other]) {
          await attempt(`fetch ${base}`, () => fetch(`${base}/fetch`))
          await attempt(`import ${base}`, () => import(`${base}/module.js`))
          await attempt(
            `socket ${base}`,
            () =>
              new Promise((resolve, reject) => {
                const socket = new WebSocket(`${base}/socket`.replace('http', 'ws'))
                socket.addEventListener('open', resolve)
                socket.addEventListener('error', reject)
              }),
          )
          await attempt(
            `image ${base}`,
            () =>
              new Promise((resolve, reject) => {
                const image = new Image()
                image.addEventListener('load', resolve)
                image.addEventListener('error', reject)
                image.src = `${base}/image`
              }),
          )
          const url = JSON.stringify(`${base}/worker`)
          outcome[`worker ${base}`] = await inWorker(
            `fetch(${url}).then(() => postMessage('went'), ({ name }) => postMessage(name))`,
          )
          outcome[`script ${base}`] = await inWorker(
            `try { importScripts(${url}); postMessage('went') } catch ({ name }) { postMessage(name) }`,
          )
          await attempt(`top ${base}`, () => {
            if (top !== null) top.location.href = `${base}/top`
          })
          navigator.sendBeacon(`${base}/beacon`, 'x')
          window.open(`${base}/open`)
          /* oxlint-enable no-await-in-loop */
        }
        await attempt('storage', () => localStorage.length)
        await attempt('cookie', () => document.cookie)
        await attempt('desk', () => parent.document.title)
        return outcome
      },
      [desk.dashboard, foreign] as const,
    )
    expect(Object.entries(tried).filter(([, outcome]) => outcome.startsWith('went'))).toEqual([])
    expect(tried).toMatchObject({ storage: 'SecurityError', cookie: 'SecurityError', desk: 'SecurityError' })

    // The frame cannot navigate itself, neither to the desk nor to another site.
    const address = page.url()
    for (const target of [`${desk.dashboard}/desk/`, `${desk.dashboard}/desk/api/state`, foreign]) {
      await page.evaluate((source) => {
        const other = document.createElement('iframe')
        other.src = source
        document.body.append(other)
      }, target)
    }
    await frame.evaluate((target) => setTimeout(() => location.assign(target)), foreign)
    await expect
      .poll(() => page.frames().filter((one) => one.url().startsWith('chrome-error:')).length)
      .toBe(4)
    expect(page.url()).toBe(address)
    expect(hits).toEqual([])
    expect(answered).toEqual([])
    await new Promise<void>((resolve) => outside.close(() => resolve()))
  })
})

test('examples and custom input are run, compared and used for a decision', async ({ desk }) => {
  await submitSkill(desk, 'csv-to-json')
  await desk.submit({ name: 'other' })
  await submitSkill(desk, 'rot13', {
    name: 'rot-of-three',
    examples: [
      { input: 'Uryyb\n', output: 'Hallo\n' },
      { input: 'Uryyb', output: 'Hello\n' },
      { input: '<o>k\u{200B}\u{1B}[31m</o>', output: '<b>x</b>' },
    ],
  })
  await submitSkill(desk, 'word-count')
  await desk.submit(
    { name: 'prints-everything', examples: [{ input: '', output: '' }] },
    undefined,
    await evilModule('everything'),
  )
  const id = await submitSkill(desk, 'rot13', {
    examples: [
      { input: 'Uryyb\n', output: 'Hello\n' },
      { input: 'Uryyb', output: 'Hallo' },
    ],
  })
  const page = await desk.open('ilse')
  await test.step('the examples run on request, and the capabilities show what they called', async () => {
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await openRelease(page, 'csv-to-json')
    await expect(testRuns(page).getByText('not run yet')).toHaveCount(3)
    await expect(testRuns(page)).toContainText('sandbox: no network, 10 s, 64 MiB memory, 1 MiB output')
    await expect(capabilities(page).getByText('not run')).not.toHaveCount(0)
    expect(requests.filter((path) => path.includes('/sandbox/'))).toEqual([])

    await page.keyboard.press('e')
    await expect(testRuns(page).getByText('passed', { exact: true })).toHaveCount(3, ran)
    await expect(verdicts(page).nth(1)).toContainText(/name,born.*passed.*0.*ms.*KiB.*fd_read 2, fd_write 1/)
    await expect(testRuns(page).getByRole('status')).toHaveText('3 examples ran, 3 passed.')
    await expect(page.getByRole('button', { name: /^Test runs/ })).toContainText('3 of 3')
    await expect(capabilities(page).getByRole('row', { name: /Reads standard input/ })).toContainText(
      '3 of 3',
    )
    await expect(capabilities(page).getByRole('row', { name: /Exits/ })).toContainText('never')
    await expect(testRuns(page).getByRole('button', { name: 'Run again' })).toBeVisible()

    const details = testRuns(page).getByRole('button', { name: 'Details of example 1' })
    await details.click()
    await expect(details).toHaveAttribute('aria-expanded', 'true')
    await expect(testRuns(page).getByRole('row', { name: 'fd_write 1 0', exact: true })).toBeVisible()
    await expect(testRuns(page).getByRole('region', { name: 'Standard output' })).toContainText(
      '"name":"Ada Lovelace"',
    )
    await expect(testRuns(page)).toContainText('Standard error 0 bytes')

    // Test runs stay available while the page is open.
    await openRelease(page, 'other')
    await expect(testRuns(page).getByText('not run yet')).not.toHaveCount(0)
    await openRelease(page, 'csv-to-json')
    await expect(testRuns(page).getByText('passed', { exact: true })).toHaveCount(3)
    // The page fetched the frame and the module once each, and the frame fetched nothing.
    expect(requests.filter((path) => path.endsWith('/package') || path.includes('/sandbox/'))).toEqual([
      expect.stringMatching(/^\/desk\/api\/releases\/\d+\/package$/),
      '/desk/sandbox/run',
    ])
  })
  await test.step('a difference is shown from where it begins, as plain text', async () => {
    await openRelease(page, 'rot-of-three')
    await run(page)
    await expect(testRuns(page).getByText('differs', { exact: true })).toHaveCount(3, ran)
    await expect(page.getByRole('button', { name: /^Test runs/ })).toContainText('0 of 3')
    const differences = testRuns(page).getByRole('group', { name: 'Expected and actual output' })
    await expect(differences.nth(0)).toContainText(/− expected\s*Hallo\s*\+ actual\s*Hello/)
    await expect(differences.nth(0).locator('del')).toHaveText('Hallo')
    await expect(differences.nth(0).locator('ins')).toHaveText('Hello')
    await expect(testRuns(page)).toContainText(
      'Only the end differs: the expected output ends with a line break, but the actual one does not.',
    )
    await expect(differences).toHaveCount(2)
    await expect(differences.nth(1)).toContainText('<b>x')
    await expect(differences.nth(1).getByText('U+200B')).toBeVisible()
    await expect(differences.nth(1).getByText('U+001B')).toBeVisible()
    await expect(testRuns(page).locator('b')).toHaveCount(0)
  })
  await test.step('a reviewer runs custom input and arguments', async () => {
    await openRelease(page, 'word-count')
    const field = testRuns(page).getByRole('textbox', { name: 'Standard input for a custom run' })
    await field.fill('one two\nthree\n')
    await page.keyboard.press('Control+Enter')
    const own = testRuns(page).getByRole('table', { name: 'Custom run' })
    await expect(own.getByRole('row', { name: /one two/ })).toContainText('exited', ran)
    await expect(own.getByRole('region', { name: 'Standard output' })).toContainText('2')
    await expect(testRuns(page).getByText('not run yet')).not.toHaveCount(0)
    // Shortcuts do not apply in a text field.
    await field.press('e')
    await expect(field).toHaveValue('one two\nthree\ne')

    await openRelease(page, 'prints-everything')
    await testRuns(page).getByRole('button', { name: 'Arguments' }).click()
    const argsField = testRuns(page).getByRole('textbox', { name: 'Arguments, separated by spaces' })
    await expect(argsField).toBeFocused()
    await argsField.fill('--all "two words"')
    await testRuns(page)
      .getByRole('button', { name: /^Run(?! )/ })
      .click()
    await expect(own.getByRole('row').nth(1)).toContainText('exited with 42', ran)
    await expect(own.getByRole('row', { name: 'path_open 1 1', exact: true })).toBeVisible()
    await expect(own).toContainText('Files it tried to open (the sandbox has none)')
    await expect(own).toContainText('The clock and random numbers were real.')
  })
  await test.step('the runs are sent with the decision, and the server evaluates them itself', async () => {
    await openRelease(page, 'rot13')
    await run(page)
    await expect(testRuns(page).getByText('differs', { exact: true })).toBeVisible(ran)
    await page.keyboard.press('r')
    await page.getByLabel('Review notes for Marta Okafor').fill('Example 2 does not give its output.')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(row(page, 'rot13')).toContainText('rejected by Ilse Verbeek')
    const reply = await (await desk.client('ilse')).send<DeskRelease>('GET', `/releases/${id}`)
    expect(reply.body.statement?.evidence?.observation).toMatchObject({
      sha256: reply.body.sha256,
      limits: { timeMs: 10_000, memoryBytes: 67_108_864, outputBytes: 1_048_576 },
      runs: [
        {
          example: 0,
          end: 'exited',
          exitCode: 0,
          passed: true,
          calls: [{ name: 'fd_read' }, { name: 'fd_write' }],
        },
        { example: 1, end: 'exited', exitCode: 0, passed: false, stdoutBytes: 5, detail: null },
      ],
    })
  })
})
