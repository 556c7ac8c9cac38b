import { describe, expect, test } from 'vitest'
import { markdownToHtml } from './markdown-to-html.ts'
import type { RenderOptions } from './render-options.ts'

const sha256 = 'd'.repeat(64)
const shown = { src: '/media/x.webp', width: 960, height: 640, srcset: '/media/s.webp 480w', sizes: '100vw' }

const render = (markdown: string, options: RenderOptions = {}): string => markdownToHtml(markdown, options)

describe('rendered Markdown', () => {
  test('has headings below those of the page, lists, tables, code, links', () => {
    const html = render(
      '# One\n\nText **b** *i* ~~d~~ `c`\n\n- [x] done\n- open\n\n3. three\n\n|a|b|\n|-|:-:|\n|1|2|\n\n```ts\nlet a = 1 < 2\n```\n\n[l](https://a.test/?a=1&b=2 "t")',
    )
    expect(html).toContain('<h2>One</h2>')
    expect(html).toContain('<strong>b</strong> <em>i</em> <del>d</del> <code>c</code>')
    expect(html).toContain('<ol start="3">')
    expect(html).toContain('<td align="center">2</td>')
    expect(html).toContain('<pre tabindex="0"><code class="language-ts">let a = 1 &lt; 2\n</code></pre>')
    expect(html).toContain(
      '<a href="https://a.test/?a=1&amp;b=2" rel="noopener noreferrer nofollow ugc">l</a>',
    )
  })

  test('never holds what could do something', () => {
    for (const attack of [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<svg><script>alert(1)</script></svg>',
      '<svg/onload=alert(1)>',
      '<style>*{display:none}</style>',
      '<p style="position:fixed">x</p>',
      '<iframe src="https://evil.test"></iframe>',
      '<form action="https://evil.test"><input></form>',
      '<a href="javascript:alert(1)">x</a>',
      '[x](javascript:alert(1))',
      '[x](JaVaScRiPt:alert(1))',
      '[x](java\tscript:alert(1))',
      '[x](&#106;avascript:alert(1))',
      '[x](vbscript:x)',
      '[x](data:text/html,<script>alert(1)</script>)',
      '[x](//evil.test)',
      '![x](javascript:alert(1))',
      '![x](https://evil.test/x.png)',
      '![x](data:image/svg+xml;base64,AAAA)',
      '<javascript:alert(1)>',
      '[x](https://a.test" onclick="alert(1))',
      '![x" onerror="alert(1)](image:zzz)',
      '```"><script>alert(1)</script>\nx\n```',
      '<math><mtext></p><style><img src=x onerror=alert(1)>',
      '<base href="https://evil.test">',
      '<object data="x"></object><embed src="x"><link rel=stylesheet href=x><meta http-equiv=refresh content=0>',
    ]) {
      const html = render(attack)
      const tags = [...html.matchAll(/<([a-z][a-z0-9]*)([^>]*)>/gi)]
      for (const [tag, name, attributes] of tags) {
        expect(name, attack).toMatch(/^(p|a|code|pre)$/)
        expect(attributes, `${attack}: ${tag}`).toMatch(
          /^( href="https?:\/\/[^"]*"| rel="[a-z ]*"| tabindex="0"| class="language-[\w]*")*$/,
        )
      }
    }
  })

  test('shows pictures of the library alone; others are links or words', () => {
    const pictures = new Map([[sha256, shown]])
    const withPictures = (text: string): string => render(text, { pictures })
    expect(withPictures(`![A "fine" <pic>](image:${sha256})`)).toBe(
      '<p><img src="/media/x.webp" alt="A &quot;fine&quot; &lt;pic&gt;" srcset="/media/s.webp 480w" sizes="100vw" width="960" height="640" loading="lazy" decoding="async" /></p>\n',
    )
    expect(withPictures(`![gone](image:${'e'.repeat(64)})`)).toBe('<p>gone</p>\n')
    expect(withPictures('![words](https://a.test/x.png)')).toBe(
      '<p><a href="https://a.test/x.png" rel="noopener noreferrer nofollow ugc">words</a></p>\n',
    )
    expect(render(`![x](image:${sha256})`)).toBe('<p>x</p>\n')
  })

  test('of thousands of levels is the text as it is written', () => {
    const html = render(`${'> '.repeat(10_000)}<b>`)
    expect(html.slice(0, 40)).toMatch(/^<pre tabindex="0"><code>&gt; &gt; /)
    expect(html.slice(-40)).toContain('&gt; &lt;b&gt;</code></pre>')
  })

  test('of a line that opens lists without end is the text as it is written, at once', () => {
    for (const line of ['- '.repeat(5000), '1. '.repeat(5000), '>- '.repeat(5000)]) {
      const html = render(`Before.\n\n${line}x\n`)
      expect(html.slice(0, 50)).toContain('<pre tabindex="0"><code>Before.')
    }
    const deep = Array.from({ length: 40 }, () => '> ').join('')
    expect(render(`${deep}text`)).toContain('<blockquote>')
    const table = `|a|b|\n|${'-'.repeat(200)}|-|\n|1|2|`
    expect(render(table)).toContain('<table>')
    for (const rule of ['- '.repeat(100), '***'.repeat(50)]) {
      expect(render(`Before.\n\n${rule}\n\nAfter.`)).toBe('<p>Before.</p>\n<hr />\n<p>After.</p>\n')
    }
  })

  test('of names for a long address, used over and over, is the text as it is written', () => {
    const text = `[a]: https://a.test/${'y'.repeat(100_000)}\n\n${'[a] '.repeat(25_000)}`
    const html = render(text)
    expect(html.slice(0, 60)).toContain('<pre tabindex="0"><code>[a]: https://a.test/')
    expect(html.length).toBeLessThan(text.length + 100)
    const picture = `[p]: image:${sha256}\n\n${'![p]'.repeat(40_000)}`
    const pictures = new Map([[sha256, shown]])
    expect(render(picture, { pictures }).slice(0, 60)).toContain('<pre tabindex="0"><code>[p]: image:')
  })
})
