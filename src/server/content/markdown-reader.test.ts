import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DomainError } from '../../shared/errors.ts'
import { createMarkdownReader } from './markdown-reader.ts'
import type { MarkdownReader } from './markdown-reader.ts'
import { markdownEntry } from '../../../tests/support/server/server.ts'

const entry = markdownEntry
const shown = { src: '/media/x.webp', width: 960, height: 640 }
const sha256 = 'd'.repeat(64)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skilldock-markdown-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Fixture {
  reader: MarkdownReader
  notes: string[]
}

async function using<T>(
  parts: { entry?: string; limitMs?: number },
  work: (fixture: Fixture) => Promise<T>,
): Promise<T> {
  const notes: string[] = []
  const note = (_: object, text: string): void => void notes.push(text)
  const reader = createMarkdownReader({ entry, ...parts, log: { warn: note, error: note } })
  try {
    return await work({ reader, notes })
  } finally {
    await reader.end()
  }
}

/** A worker that runs `body` for each text; `say` answers. */
function threadOf(body: string): string {
  const file = join(folder, `${body.length}-${Math.random()}.mjs`)
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'
     const say = (text) => parentPort.postMessage({ type: 'done', result: text })
     let count = 0
     parentPort.on('message', ({ markdown }) => { count += 1; ${body} })
     parentPort.postMessage({ type: 'ready' })`,
  )
  return file
}

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  )

describe('the Markdown worker', () => {
  test('renders HTML for pages and Markdown for documents, with the given images', () =>
    using({}, async ({ reader, notes }) => {
      expect(
        await reader.render(`# A\n\n![b](image:${sha256})`, { images: new Map([[sha256, shown]]) }),
      ).toBe(
        '<h2>A</h2>\n<p><img src="/media/x.webp" alt="b" width="960" height="640" loading="lazy" decoding="async" /></p>\n',
      )
      const images = new Map([[sha256, 'https://a.test/x.webp']])
      expect(await reader.rewrite(`# A\n\n![b](image:${sha256})`, { headingShift: 1, images })).toBe(
        '## A\n\n![b](https://a.test/x.webp)',
      )
      expect(notes).toEqual([])
    }))

  test('is terminated if a text takes too long: that text is shown as source, even the next time, and others are rendered', () =>
    using({ limitMs: 1000 }, async ({ reader, notes }) => {
      const attack = '**a*b_ '.repeat(25_000)
      const [html, next] = await Promise.all([reader.render(attack), reader.render('*next*')])
      expect(html).toBe(`<pre tabindex="0"><code>${attack}</code></pre>\n`)
      expect(next).toBe('<p><em>next</em></p>\n')
      expect(notes).toEqual(['a text is shown without rendering'])
      expect(await reader.render(attack)).toBe(html)
      expect(notes).toHaveLength(1)
    }))

  test('shows the source of what cannot be rendered, and continues in the same thread', () =>
    using({}, async ({ reader, notes }) => {
      const deep = `${'1. '.repeat(6600)}<b>`
      expect(await reader.render(deep)).toBe(
        `<pre tabindex="0"><code>${'1. '.repeat(6600)}&lt;b&gt;</code></pre>\n`,
      )
      expect(await reader.rewrite(deep, { headingShift: 1 })).toBe(deep)
      const [block] = await reader.renderBlocks(`\u200B\n${deep}`, { audience: 'reviewer' })
      expect(block).toMatchObject({ from: 1 })
      expect(block?.html).toContain('<span class="hidden-character">U+200B</span>\n1. 1. ')
      // Emphasis within emphasis, which overflows the parser's stack.
      const stars = `${'*'.repeat(6000)}a${'*'.repeat(6000)}`
      expect(await reader.render(stars)).toBe(`<pre tabindex="0"><code>${stars}</code></pre>\n`)
      expect(new Set(notes)).toEqual(new Set(['a text is shown without rendering']))
      expect(await reader.render('*next*')).toBe('<p><em>next</em></p>\n')
    }))

  test('has a memory limit', () =>
    using(
      {
        entry: threadOf(
          "if (markdown === 'a') { const all = []; for (;;) all.push({ count, all: [all.length] }) } say(markdown)",
        ),
      },
      async ({ reader, notes }) => {
        expect(await Promise.all([reader.rewrite('a'), reader.rewrite('b')])).toEqual(['a', 'b'])
        expect(notes).toEqual(['a text is shown without rendering'])
      },
    ))

  test('that exits fails its current text, and the next one gets a new worker', () =>
    using(
      { entry: threadOf("if (markdown === 'end') process.exit(1); say(`${markdown} ${count}`)") },
      async ({ reader, notes }) => {
        expect(await reader.rewrite('a')).toBe('a 1')
        const [ended, next] = await Promise.all([refusal(reader.rewrite('end')), reader.rewrite('b')])
        expect(ended).toBe('MARKDOWN_UNAVAILABLE')
        expect(next).toBe('b 1')
        expect(notes).toEqual(['the Markdown worker has failed'])
      },
    ))

  test('that cannot start fails its texts', () =>
    using({ entry: join(folder, 'nowhere.mjs') }, async ({ reader }) => {
      expect(await refusal(reader.render('a'))).toBe('MARKDOWN_UNAVAILABLE')
      expect(await refusal(reader.render('b'))).toBe('MARKDOWN_UNAVAILABLE')
    }))

  test('renders a text once for all concurrent requests', () =>
    using({ entry: threadOf('say(`${markdown} ${count}`)') }, async ({ reader }) => {
      expect(await Promise.all([reader.rewrite('a'), reader.rewrite('a'), reader.rewrite('b')])).toEqual([
        'a 1',
        'a 1',
        'b 2',
      ])
      expect(await reader.rewrite('a')).toBe('a 3')
    }))

  test('accepts 64 texts at a time and refuses more', () =>
    using({ entry: threadOf('say(markdown)') }, async ({ reader }) => {
      const requests = Array.from({ length: 65 }, (_, index) => refusal(reader.rewrite(String(index))))
      expect((await Promise.all(requests)).filter((code) => code !== null)).toEqual(['MARKDOWN_UNAVAILABLE'])
      expect(await reader.rewrite('again')).toBe('again')
    }))

  test('is terminated on shutdown, whatever it does, and accepts no more texts', () =>
    using({ entry: threadOf('for (;;) {}'), limitMs: 60_000 }, async ({ reader }) => {
      const requests = [refusal(reader.rewrite('a')), refusal(reader.rewrite('b'))]
      await reader.end()
      expect(await Promise.all(requests)).toEqual(['STOPPING', 'STOPPING'])
      expect(await refusal(reader.rewrite('c'))).toBe('STOPPING')
    }))
})
