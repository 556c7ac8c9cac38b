import fc from 'fast-check'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { asText, escapeMarkdown, fenced, frontMatter, markdownLink } from './markdown-text.ts'

/** The visible text of HTML. */
const shown = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const collapsed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const pieces = fc.constantFrom(
  ...'\\`*_{}[]()#+-.!|<>&~$^:@/=;"\' \n\t',
  ...'1,23,a,é,日,😀,www.,http://a.b,x@y.zz,&amp;,&#35;,<b>,![,](,](x),***,~~,---,===,```,- ,1. ,# ,> '.split(
    ',',
  ),
)

test('escaped text renders literally, on one line', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      const html = marked.parse(escapeMarkdown(text), { async: false })
      expect(collapsed(shown(html))).toBe(collapsed(text))
      expect(html.replaceAll(/<\/?p>\n?/g, '')).not.toMatch(/<\/?[a-z]/)
    }),
    { numRuns: 3000 },
  )
})

test('common sentences stay unchanged', () => {
  for (const text of [
    'Reads CSV, writes JSON (RFC 4180).',
    'csv-to-json 1.0.0',
    'Needs ~5 MB.'.replace('~', 'about '),
    'A + B = C; 100 % safe',
    'snake_case stays',
  ]) {
    expect(escapeMarkdown(text)).toBe(text)
  }
})

test('a fence is longer than any run of backticks in it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('`', '```', '\n', 'a', '~~~', '    '), { maxLength: 20 }),
      (parts) => {
        const text = parts.join('')
        const tokens = marked.lexer(fenced(text, 'text'))
        expect(tokens.map(({ type }) => type)).toEqual(['code'])
        const code = (tokens[0] as { text: string }).text
        expect(code.trimEnd()).toBe(text.trimEnd())
      },
    ),
  )
  expect(asText('one line')).toBe('one line')
  expect(asText('two\nlines')).toBe('```text\ntwo\nlines\n```')
})

test('a link keeps its target, whatever its label and address contain', () => {
  for (const url of [
    'https://a.test/x',
    'https://a.test/(a)b',
    'https://a.test/?q=a b<c>',
    'https://a.test/a\\b',
  ]) {
    const html = marked.parse(markdownLink('L](https://evil.test) *x*', url), { async: false })
    expect(html).toMatch(
      /^<p><a href="https:\/\/a\.test\/[^"]*">L\]\(https:\/\/evil\.test\) \*x\*<\/a><\/p>\n$/,
    )
  }
})

test('front matter has one line per field, each with a JSON value', () => {
  const text = 'a\n---\nb: "c" \u2028 \u007f \uffff # d'
  const lines = frontMatter({ text, list: ['x', 'y'], number: 3, none: null, missing: undefined }).split('\n')
  expect(lines).toHaveLength(5)
  expect([lines[0], lines[2], lines[3], lines[4]]).toEqual(['---', 'list: ["x","y"]', 'number: 3', '---'])
  expect(JSON.parse((lines[1] ?? '').slice('text: '.length))).toBe(text)
  expect(lines[1]).not.toMatch(/[\u007F-\u009F\u2028\u2029\uFFFF]/)
})
