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
import { imageTarget, writeImage } from './image-references.ts'

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

test('the slug follows the title until it is edited or the post is published', () => {
  expect(withTitle(post({ title: '', slug: '' }), 'Über drei Prüfungen', false).slug).toBe(
    'uber-drei-prufungen',
  )
  expect(withTitle(post(), 'Four checks', false).slug).toBe('four-checks')
  expect(withTitle(post({ slug: 'mine' }), 'Four checks', false).slug).toBe('mine')
  expect(withTitle(post(), 'Four checks', true).slug).toBe('three-checks')
})

test('an invalid slug is explained', () => {
  expect(slugProblem('three-checks')).toBeNull()
  expect(slugProblem('')).toBe('Enter a URL.')
  expect(slugProblem('Three checks')).toMatch(/^Use lowercase letters/)
  expect(slugProblem('a'.repeat(97))).toBe('The URL can have at most 96 characters.')
})

test('tags are parsed without duplicates, ten at most', () => {
  expect(readTags('Review, Two Words,, review , über')).toEqual(['review', 'two-words', 'uber'])
  expect(readTags(Array.from({ length: 12 }, (_, index) => `t${index}`).join(','))).toHaveLength(10)
  expect(readTags('a'.repeat(40))[0]).toHaveLength(32)
})

test('everything that prevents publishing is listed', () => {
  expect(publishProblems(post())).toEqual([])
  const missing = publishProblems(
    post({
      title: ' ',
      slug: '',
      markdown: `${writeImage(imageTarget(digest))} ${writeImage('uploading:names.png', 'Names')}`,
      cover: { sha256: digest, alt: ' ' },
    }),
  )
  expect(missing.map(({ sentence }) => sentence)).toEqual([
    'Add a title.',
    'Add a URL.',
    'Add alt text to the cover.',
    'Add alt text to an image.',
    'Upload or remove names.png.',
  ])
  expect(publishProblems(post({ markdown: ' \n' })).map(({ at }) => at)).toEqual(['text'])
})

test('lone surrogates are not sent', () => {
  expect(sendable(post({ markdown: 'a\uD83D', title: '\uDE00b' }))).toMatchObject({
    markdown: 'a\uFFFD',
    title: '\uFFFDb',
  })
})

test('words are counted in every script that separates them', () => {
  expect(countWords("It's the Prüfung of 2 names, one-letter names.")).toBe(8)
  expect(countWords('')).toBe(0)
  expect(readingTime(0)).toBe('1 min read')
  expect(readingTime(900)).toBe('4 min read')
})
