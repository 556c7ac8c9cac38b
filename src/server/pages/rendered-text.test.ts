import { expect, test } from 'vitest'
import { renderText } from './rendered-text.ts'

const levels = async (markdown: string): Promise<string[]> =>
  [...(await renderText(markdown)).text.matchAll(/<h(\d)>([^<]*)<\/h\1>/g)].map(
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
  expect((await renderText('<h4>a</h4>')).text).not.toContain('<h')
})
