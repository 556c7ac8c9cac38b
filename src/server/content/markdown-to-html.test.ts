import { describe, expect, test } from 'vitest'
import { markdownToHtml } from './markdown-to-html.ts'
import type { RenderOptions } from './render-options.ts'

const sha256 = 'd'.repeat(64)
const shown = { src: '/media/x.webp', width: 960, height: 640, srcset: '/media/s.webp 480w', sizes: '100vw' }

const render = (markdown: string, options: RenderOptions = {}): string =>
  markdownToHtml(markdown, options)
    .map(({ html }) => html)
    .join('')

describe('rendered Markdown', () => {
  test('has lists, tables, code, links, and headings below those of the page', () => {
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

  test('never contains active content', () => {
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

  test('shows only images of the library; others become links or text', () => {
    const images = new Map([[sha256, shown]])
    const withImages = (text: string): string => render(text, { images })
    expect(withImages(`![A "fine" <pic>](image:${sha256})`)).toBe(
      '<p><img src="/media/x.webp" srcset="/media/s.webp 480w" sizes="100vw" alt="A &quot;fine&quot; &lt;pic&gt;" width="960" height="640" loading="lazy" decoding="async" /></p>\n',
    )
    expect(withImages(`![gone](image:${'e'.repeat(64)})`)).toBe('<p>gone</p>\n')
    expect(withImages('![words](https://a.test/x.png)')).toBe(
      '<p><a href="https://a.test/x.png" rel="noopener noreferrer nofollow ugc">words</a></p>\n',
    )
    expect(render(`![x](image:${sha256})`)).toBe('<p>x</p>\n')
  })

  test('has heading levels without gaps below the title of the page', () => {
    const levels = (markdown: string, options: RenderOptions = {}): string[] =>
      [...render(markdown, options).matchAll(/<h(\d)>([^<]*)<\/h\1>/g)].map(
        ([, level, name]) => `${level} ${name}`,
      )
    expect(levels('# a\n\n## b\n\n### c\n\n# d')).toEqual(['2 a', '3 b', '4 c', '2 d'])
    expect(levels('### a\n\n# b\n\n##### c\n\n###### d\n\n## e')).toEqual(['2 a', '2 b', '3 c', '4 d', '3 e'])
    const six = '# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f'
    expect(levels(six)).toEqual(['2 a', '3 b', '4 c', '5 d', '6 e', '6 f'])
    expect(levels('## a\n\n> ### b', { audience: 'reviewer' })).toEqual(['3 a', '4 b'])
    expect(render('<h4>a</h4>')).not.toContain('<h')
  })

  test('is the same for every audience except for new tabs, pending uploads and revealed characters', () => {
    const text = `[a](https://a.test) pay\u200Bload &amp; \`c\u00ADd\` ![x](uploading:one.png)`
    expect(render(text)).toBe(
      '<p><a href="https://a.test/" rel="noopener noreferrer nofollow ugc">a</a> pay\u200Bload &amp; <code>c\u00ADd</code> x <code>uploading:one.png</code></p>\n',
    )
    expect(render(text, { audience: 'author' })).toBe(
      '<p><a href="https://a.test/" target="_blank" rel="noopener noreferrer nofollow ugc">a</a> pay\u200Bload &amp; <code>c\u00ADd</code> <span class="pending-upload">one.png is not uploaded yet</span></p>\n',
    )
    expect(render(text, { audience: 'reviewer' })).toBe(
      '<p><a href="https://a.test/" target="_blank" rel="noopener noreferrer nofollow ugc">a</a> pay<span class="hidden-character">U+200B</span>load &amp;amp; <code>c<span class="hidden-character">U+00AD</span>d</code> x <code>uploading:one.png</code></p>\n',
    )
  })

  test('has the line at which each block starts', () => {
    expect(markdownToHtml('# a\n\nb\nc\n\n\n- d\n- e\n', {}).map(({ from }) => from)).toEqual([1, 3, 7])
  })

  test('quickly refuses a line that opens too many lists and quotations', () => {
    for (const mark of ['> ', '>', '- ', '1. ', '>- ', ' * ', '\t+\t']) {
      expect(() => render(`Before.\n\n${mark.repeat(10_000)}x`), mark).toThrow('nested too deeply')
    }
    expect(render(`${'> '.repeat(40)}text`)).toContain('<blockquote>')
    expect(render(`|a|b|\n|${'-'.repeat(200)}|-|\n|1|2|`)).toContain('<table>')
    for (const rule of ['- '.repeat(100), '***'.repeat(50)]) {
      expect(render(`Before.\n\n${rule}\n\nAfter.`)).toBe('<p>Before.</p>\n<hr />\n<p>After.</p>\n')
    }
  })

  test('refuses many references to a long address', () => {
    const text = `[a]: https://a.test/${'y'.repeat(100_000)}\n\n${'[a] '.repeat(25_000)}`
    expect(() => render(text)).toThrow('more than')
    const block = `[p]: image:${sha256}\n\n${'![p]'.repeat(40_000)}`
    expect(() => render(block, { images: new Map([[sha256, shown]]) })).toThrow('more than')
  })

  test('shows a block with too many elements as source, and renders the others', () => {
    const table = `|a|b|\n|-|-|\n${'|1|<b>|\n'.repeat(2000)}`
    const html = render(`*Before.*\n\n${table}\n*After.*`)
    expect(html.slice(0, 100)).toContain(
      '<p><em>Before.</em></p>\n<pre tabindex="0"><code><span class="lines">|a|b|\n|-|-|\n|1|&lt;b&gt;|',
    )
    expect(html.slice(-50)).toContain('<p><em>After.</em></p>')
    expect(() => render(`${'- a\n'.repeat(900)}\n***\n\n`.repeat(25))).toThrow('more than')
  })
})

test('a long code block is split after every hundredth line, so that a browser lays out parts separately', () => {
  const html = render(`\`\`\`\n${'a\n'.repeat(250)}\`\`\``)
  expect(html.split('<span class="lines">').map((lines) => lines.split('a\n').length - 1)).toEqual([
    0, 100, 100, 50,
  ])
})
