import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

const withoutBlocks = (markdown: string): string => markdown.replaceAll(/^ *```[^]*?^ *```$/gm, '')

const withoutCode = (markdown: string): string => withoutBlocks(markdown).replaceAll(/`[^`\n]*`/g, '')

/** The targets of all links, images and HTML sources in a Markdown document, without those in code. */
const linksIn = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)|\b(?:href|src|srcset)="([^"\s]+)"/g)].map(
    ([, link, source]) => link ?? source ?? '',
  )

/** The anchors that GitHub gives to the headings of a document. */
const anchorsIn = (markdown: string): string[] => {
  const seen = new Map<string, number>()
  return [...withoutBlocks(markdown).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}

/** What is wrong with the relative links of a document, which need not be stored. */
const brokenLinks = (file: string, markdown: string): string[] =>
  linksIn(markdown)
    .filter((link) => !/^[a-z][\w+.-]*:/i.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), decodeURI(path))
      // A file outside the repository would not be found on another computer.
      if (relative('.', target).startsWith('..') || !existsSync(join(root, target))) return true
      if (anchor === undefined) return false
      if (statSync(join(root, target)).isDirectory()) return true
      const text = target === file ? markdown : readFileSync(join(root, target), 'utf8')
      return !anchorsIn(text).includes(anchor)
    })
    .map((link) => `${file}: ${link}`)

/** The files of the repository that match a pattern, also new ones. */
const listFiles = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', pattern], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '')

const documents = listFiles('*.md')

test('every relative link and anchor in the Markdown files resolves', () => {
  expect(documents).toContain('README.md')
  expect(documents.flatMap((file) => brokenLinks(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
})

/** Rows of tables that are shown as text with bars, because no header is directly above them. */
const looseRows = (file: string, markdown: string): string[] =>
  withoutBlocks(markdown)
    .split('\n')
    .flatMap((line, at, lines) => {
      const isFirst = line.startsWith('|') && lines[at - 1]?.startsWith('|') !== true
      return isFirst && !/^\|(?: ?:?-+:? ?\|)+$/.test(lines[at + 1] ?? '') ? [`${file}: ${line}`] : []
    })

test('every row of a table in the Markdown files belongs to a table with a header', () => {
  expect(documents.flatMap((file) => looseRows(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('a row after an empty line is found', () => {
  const table = '| A | B |\n| --- | --- |\n| 1 | 2 |\n'
  expect(looseRows('a.md', table)).toEqual([])
  expect(looseRows('a.md', `${table}\n| 3 | 4 |\n`)).toEqual(['a.md: | 3 | 4 |'])
})

test('the index of the documentation links every page and folder in docs', () => {
  const pages = listFiles('docs')
    .filter((file) => file !== 'docs/README.md')
    .map((file) => file.split('/')[1] ?? '')
  const linked = linksIn(readFileSync(join(root, 'docs/README.md'), 'utf8'))
  expect([...new Set(pages)].filter((page) => !linked.includes(page))).toEqual([])
})

test('the comparison cites every source that it lists, and lists every source that it cites', () => {
  const [text = '', sources = ''] = readFileSync(join(root, 'docs/COMPARISON.md'), 'utf8').split('## Sources')
  const cited = new Set([...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number)))
  const listed = [...sources.matchAll(/^\| (\d+) \| \[.*\]\(https:/gm)].map(([, number]) => Number(number))
  expect(listed.length).toBeGreaterThan(10)
  expect([...cited].toSorted((a, b) => a - b)).toEqual(listed)
})

test.each([
  ['a missing file', '[page](no-such-page.md)'],
  ['a missing image', '<img src="screens/no-such-screen.png">'],
  ['a missing anchor', '[section](API.md#no-such-section)'],
  ['a missing anchor of the same page', '[section](#no-such-section)'],
  ['an anchor of a folder', '[folder](decisions#no-such-section)'],
  ['a folder outside the repository', '[parent](../..)'],
])('%s is found', (_, markdown) => {
  expect(brokenLinks('docs/README.md', `# Title\n\n${markdown}\n`)).toHaveLength(1)
})

test.each([
  ['a page', '[page](API.md)'],
  ['a section with punctuation in its heading', '[section](API.md#the-dashboards-api)'],
  ['the second heading with the same text', '[second](#title-1)\n\n# Title'],
  ['another website', '[site](https://example.com/no-such-page.md)'],
  ['code', '`[page](no-such-page.md)`'],
])('%s is not', (_, markdown) => {
  expect(brokenLinks('docs/README.md', `# Title\n\n${markdown}\n`)).toEqual([])
})
