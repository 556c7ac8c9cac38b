import { expect, test } from 'vitest'
import { html, jsonLd } from './html.ts'

test('escapes text in attributes and content, and renders null, undefined and false as nothing', () => {
  const attack = `"><script>alert('&')</script>`
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;'
  expect(html`<p title="${attack}">${attack}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`)
  expect(html`[${null}${undefined}${false}${''}${0}]`.text).toBe('[0]')
})

test('keeps nested HTML unescaped, including in lists', () => {
  expect(
    html`<ul>
      ${['a', '<'].map((item) => html`<li>${item}</li>`)}
    </ul>`.text,
  ).toBe('<ul> <li>a</li><li>&lt;</li> </ul>')
})

test('JSON-LD keeps its data and cannot close its script element', () => {
  const data = { name: '</script><script>alert(1)</script>\u2028<!--' }
  const { text } = jsonLd(data)
  expect(text.match(/<\/?script/g)).toEqual(['<script', '</script'])
  expect(text).not.toContain('<!--')
  const json = text.slice(text.indexOf('>') + 1, text.lastIndexOf('<'))
  expect(JSON.parse(json)).toEqual(data)
})
