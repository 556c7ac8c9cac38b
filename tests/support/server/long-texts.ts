import { maxMarkdownCharacters } from '../../../src/shared/contracts/content.ts'

const filled = (part: string): string =>
  part.repeat(Math.floor(maxMarkdownCharacters / part.length)).slice(0, maxMarkdownCharacters)

/** Texts of maximum length, by their content. */
export const longTexts: Record<string, string> = {
  prose: filled(`## Heading\n\n${'Some *words* with `code` and [links](https://a.test). '.repeat(20)}\n\n`),
  emphasis: filled('_a_b'),
  'emphasis-of-all-kinds': filled('**a*b_ '),
  brackets: filled('['),
  pictures: filled('!['),
  names: `[a]: https://a.test/${'y'.repeat(100_000)}\n\n${'[a] '.repeat(20_000)}`,
  lists: filled('- a\n'),
  rules: filled('-\n'),
  tables: `|a|b|\n|-|-|\n${filled('|a|b|\n').slice(20)}`,
  paragraphs: filled('a\n\n'),
  ampersands: filled('&a'),
  html: filled('<div>\n'),
}
