import { expect, test } from 'vitest'
import { markdownToHtml } from '../content/markdown-to-html.ts'
import type { RenderOptions } from '../content/render-options.ts'
import { renderText } from './rendered-text.ts'

const reader = {
  render: async (markdown: string, options: RenderOptions = {}) => markdownToHtml(markdown, options),
}

const levels = async (markdown: string): Promise<string[]> =>
  [...(await renderText(reader, markdown)).text.matchAll(/<h(\d)>([^<]*)<\/h\1>/g)].map(
    ([, level, name]) => `${level} ${name}`,
  )

test('headings go on below the title of the page without a gap, whatever levels they are written with', async () => {
  expect(await levels('# a\n\n## b\n\n### c\n\n# d')).toEqual(['2 a', '3 b', '4 c', '2 d'])
  expect(await levels('### a\n\n# b\n\n##### c\n\n###### d\n\n## e')).toEqual([
    '2 a',
    '2 b',
    '3 c',
    '4 d',
    '3 e',
  ])
  expect(await levels('# a\n\n## b\n\n### c\n\n#### d\n\n##### e\n\n###### f')).toEqual([
    '2 a',
    '3 b',
    '4 c',
    '5 d',
    '6 e',
    '6 f',
  ])
})

test('a heading that is written as HTML stays text', async () => {
  expect((await renderText(reader, '<h4>a</h4>')).text).not.toContain('<h')
})
