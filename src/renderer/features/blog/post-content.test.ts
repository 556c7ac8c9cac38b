import { expect, test } from 'vitest'
import type { PostContent } from '../../../shared/contracts/content.ts'
import {
  countWords,
  publishProblems,
  readTags,
  readingTime,
  sendable,
  slugProblem,
  withTitle,
} from './post-content.ts'
import { imageTarget, writePicture } from './picture-references.ts'

const digest = 'a'.repeat(64)
const post = (change: Partial<PostContent> = {}): PostContent => ({
  title: 'Three checks',
  slug: 'three-checks',
  summary: '',
  markdown: 'Words.',
  tags: [],
  cover: null,
  ...change,
})

test('the address follows the title until it is written by hand or public', () => {
  expect(withTitle(post({ title: '', slug: '' }), 'Über drei Prüfungen', false).slug).toBe(
    'uber-drei-prufungen',
  )
  expect(withTitle(post(), 'Four checks', false).slug).toBe('four-checks')
  expect(withTitle(post({ slug: 'mine' }), 'Four checks', false).slug).toBe('mine')
  expect(withTitle(post(), 'Four checks', true).slug).toBe('three-checks')
})

test('an address is told why it cannot be one', () => {
  expect(slugProblem('three-checks')).toBeNull()
  expect(slugProblem('')).toBe('Give it an address.')
  expect(slugProblem('Three checks')).toMatch(/^Lower-case words/)
  expect(slugProblem('a'.repeat(97))).toBe('An address has at most 96 characters.')
})

test('tags are read from what is typed, each once and ten at most', () => {
  expect(readTags('Review, Two Words,, review , über')).toEqual(['review', 'two-words', 'uber'])
  expect(readTags(Array.from({ length: 12 }, (_, index) => `t${index}`).join(','))).toHaveLength(10)
  expect(readTags('a'.repeat(40))[0]).toHaveLength(32)
})

test('everything that is missing is named before publishing', () => {
  expect(publishProblems(post())).toEqual([])
  const missing = publishProblems(
    post({
      title: ' ',
      slug: '',
      markdown: `${writePicture(imageTarget(digest))} ${writePicture('uploading:names.png', 'Names')}`,
      cover: { sha256: digest, alt: ' ' },
    }),
  )
  expect(missing.map(({ sentence }) => sentence)).toEqual([
    'It has no title.',
    'It has no address.',
    'It is not said what the cover shows.',
    'It is not said what a picture shows.',
    'names.png is not uploaded.',
  ])
  expect(publishProblems(post({ markdown: ' \n' })).map(({ at }) => at)).toEqual(['text'])
})

test('half of a surrogate pair is not sent', () => {
  expect(sendable(post({ markdown: 'a\uD83D', title: '\uDE00b' }))).toMatchObject({
    markdown: 'a\uFFFD',
    title: '\uFFFDb',
  })
})

test('words are counted in every script that writes them apart', () => {
  expect(countWords("It's the Prüfung of 2 names, one-letter names.")).toBe(8)
  expect(countWords('')).toBe(0)
  expect(readingTime(0)).toBe('1 minute to read')
  expect(readingTime(900)).toBe('4 minutes to read')
})
