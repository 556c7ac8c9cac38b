import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishPost, startTestContent } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { longestTurnOf } from '../support/cpu-time.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { longTexts } from '../support/server/long-texts.ts'
import { timeAnswer } from '../support/agents/poll-dashboard.ts'

const limitMs = 1500

let app: TestContent
beforeAll(async () => {
  app = await startTestContent({ markdownLimitMs: limitMs })
  await publishPost(app.desk, { slug: 'usual', markdown: '*Usual.*' })
})
afterAll(() => app.stop())

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

/** The response times of /api/health during `work`. */
async function healthDuring(work: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const end = new AbortController()
  const done = work.finally(() => end.abort())
  while (!end.signal.aborted) {
    // oxlint-disable-next-line no-await-in-loop
    times.push(await timeAnswer(`${app.registry}/api/health`))
  }
  await done
  return times
}

const get = async (path: string): Promise<string> => (await fetch(app.registry + path)).text()

test('a text that takes too long to render is shown escaped, without delaying other requests', async () => {
  const attack = '**a*b_ '.repeat(28_000)
  await publishPost(app.desk, { slug: 'attack', markdown: `<b>${attack}` })
  expect(await get('/blog/usual')).toContain('<em>Usual.</em>')
  const usual = await healthDuring(Promise.all(Array.from({ length: 20 }, () => get('/blog'))))
  const asked = get('/blog/attack')
  const times = await healthDuring(asked)
  expect(await asked).toContain('<pre tabindex="0"><code>&lt;b&gt;**a*b_ **a*b_')
  // On the main thread, one of these would take as long as the text.
  expect(Math.max(...times)).toBeLessThan(limitMs / 3)
  expect(median(times)).toBeLessThan(Math.max(5 * median(usual), 20))
  expect(times.length).toBeGreaterThan(20)
  // It is cached now.
  const startedAt = performance.now()
  expect(await get('/docs-markdown/blog/attack.md')).toContain('<b>**a*b_')
  expect(await get('/blog/attack')).toContain('<code>&lt;b&gt;')
  expect(performance.now() - startedAt).toBeLessThan(limitMs)
})

/** A retried test publishes another post. */
let published = 0

test.each(Object.entries(longTexts))(
  'a page of %s blocks the main thread for less than 50 ms',
  async (name, markdown) => {
    const { slug } = await publishPost(app.desk, { slug: `${name}-${(published += 1)}`, markdown })
    await get('/blog/usual')
    let html = ''
    const longest = await longestTurnOf(async () => {
      html = await get(`/blog/${slug}`)
    })
    expect(html.length).toBeGreaterThan(100_000)
    expect(longest).toBeLessThan(50)
  },
)

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

test('the thread starts with the first text and ends with the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skilldock-thread-'))
  const port = await findFreePort()
  const markdownEntry = join(folder, 'listening.mjs')
  await writeFile(
    markdownEntry,
    `import { createServer } from 'node:net'
     import { parentPort } from 'node:worker_threads'
     parentPort.on('message', () => parentPort.postMessage({ type: 'done', result: [{ html: '<p>Made.</p>', from: 1 }] }))
     createServer().listen(${port}, '127.0.0.1', () => parentPort.postMessage({ type: 'ready' }))`,
  )
  const other = await startTestContent({ markdownEntry })
  await publishPost(other.desk, { slug: 'first' })
  expect(await isListening(port)).toBe(false)
  expect(await (await fetch(`${other.registry}/blog/first`)).text()).toContain('<p>Made.</p>')
  expect(await isListening(port)).toBe(true)
  await other.stop()
  expect(await isListening(port)).toBe(false)
  await rm(folder, { recursive: true })
})
