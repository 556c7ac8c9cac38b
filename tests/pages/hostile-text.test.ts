import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logTexts } from '../../src/server/operations/log.texts.ts'
import { publishPost, startTestContent } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { longestTurnBelow } from '../support/cpu-time.ts'
import { findFreePort } from '../support/server/free-port.ts'
import { longTexts } from '../support/server/long-texts.ts'

const limitMs = 1500

let app: TestContent
beforeAll(async () => {
  app = await startTestContent({ markdownLimitMs: limitMs })
  await publishPost(app.desk, { slug: 'usual', markdown: '*Usual.*' })
})
afterAll(() => app.stop())

const get = async (path: string): Promise<string> => (await fetch(app.registry + path)).text()

test('a text that takes too long to render is shown escaped, without delaying other requests', async () => {
  expect(await get('/blog/usual')).toContain('<em>Usual.</em>')
  const attack = '**a*b_ '.repeat(28_000)
  let slug = ''
  const turn = await longestTurnBelow(20, async (attempt) => {
    slug = `attack-${attempt}`
    await publishPost(app.desk, { slug, markdown: `<b>${attempt}${attack}` })
    const arrived: string[] = []
    const asked = get(`/blog/${slug}`).finally(() => arrived.push('attack'))
    for (let n = 0; n < 20; n += 1) {
      await get('/api/health')
      arrived.push('health')
    }
    expect(await asked).toContain(`<pre tabindex="0"><code>&lt;b&gt;${attempt}**a*b_ **a*b_`)
    expect(arrived.indexOf('attack')).toBe(20)
  })
  // On the main thread, a turn would take as long as the text.
  expect(turn).toBeLessThan(20)
  // The server remembers it, also after a change that empties the cache of pages.
  await publishPost(app.desk, { slug: `${slug}-later`, markdown: 'Later.' })
  const givenUp = (): number => app.logs.filter((line) => line.includes(logTexts.notRendered)).length
  const before = givenUp()
  expect(before).toBeGreaterThan(0)
  expect(await get(`/docs-markdown/blog/${slug}.md`)).toContain('**a*b_')
  expect(await get(`/blog/${slug}`)).toContain('<code>&lt;b&gt;')
  expect(givenUp()).toBe(before)
})

test.each(Object.entries(longTexts))(
  'a page of %s blocks the main thread for less than 50 ms',
  async (name, markdown) => {
    const longest = await longestTurnBelow(50, async (attempt) => {
      const { slug } = await publishPost(app.desk, { slug: `${name}-${attempt}`, markdown })
      await get('/blog/usual')
      expect((await get(`/blog/${slug}`)).length).toBeGreaterThan(100_000)
    })
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
