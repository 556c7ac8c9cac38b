import { expect, test } from 'vitest'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { rewriteMarkdown } from './rewrite-markdown.ts'

const sha256 = 'c'.repeat(64)
const down = (text: string): string => rewriteMarkdown(text, { headingShift: 2 })
const images = new Map([[sha256, 'https://a.test/p.webp']])
const image = (text: string): string => rewriteMarkdown(text, { images })

test('text without headings or library images stays unchanged', () => {
  for (const text of [
    'Plain text.\n\n\n\nWith  gaps.  \nAnd a break.\n',
    '* a\n* b\n\n  c\n\n1) d\n',
    '| a | b |\n|---|:-:|\n| # c | d |\n',
    '    # indented code\n\n~~~\n# fenced\n~~~\n',
    '<div>\n# in HTML\n</div>\n',
    'a [link][x]\n\n[x]: https://a.test "t"\n',
    '\\# no heading\n#no heading\n',
    '![elsewhere](https://a.test/x.png)\n',
    'open\n```\n# never closed',
  ]) {
    expect(rewriteMarkdown(text, { headingShift: 2, images })).toBe(text)
  }
})

test('headings are lowered, at most to the sixth level', () => {
  expect(down('# One\n## Two ##\n\n##### Five\n')).toBe('### One\n#### Two\n\n###### Five\n')
  expect(down('One *a*\n===\n\nTwo\n---\ntext')).toBe('### One *a*\n\n#### Two\ntext')
  expect(down('> # In a quote\n> text\n\n- # In a list\n  ## More\n')).toBe(
    '> ### In a quote\n> text\n\n- ### In a list\n  #### More\n',
  )
  expect(down('Line one\nline two\n===\n')).toBe('### Line one line two\n')
})

test('library images get their addresses, except in code', () => {
  expect(image(`a ![x](image:${sha256}) b`)).toBe('a ![x](https://a.test/p.webp) b')
  expect(image(`![x](<image:${sha256}> "t")`)).toBe('![x](https://a.test/p.webp "t")')
  expect(image(`- ![x](image:${sha256})\n`)).toBe('- ![x](https://a.test/p.webp)\n')
  expect(image(`![a \\[b\\] [c]](image:${sha256})`)).toBe('![a \\[b\\] [c]](https://a.test/p.webp)')
  expect(image(`![x][p]\n\n[p]: <image:${sha256}> "t"\n`)).toBe('![x][p]\n\n[p]: https://a.test/p.webp "t"\n')
  const code = `\`\`\`\n![x](image:${sha256})\n\`\`\`\n`
  expect(image(code)).toBe(code)
  const missing = `![x](image:${sha256})`
  expect(rewriteMarkdown(missing, { images: new Map() })).toBe(missing)
})

test('thousands of nesting levels are refused', () => {
  expect(() => down(`${'> '.repeat(10_000)}# deep`)).toThrow('nested too deeply')
})

test('text that consists mostly of markup takes no longer than other text', () => {
  for (const marks of ['_a', 'a**b', '![']) {
    const text = marks.repeat(100_000)
    expect(cpuTimeOf(() => rewriteMarkdown(text, { headingShift: 2, images }))).toBeLessThan(2000)
  }
})
