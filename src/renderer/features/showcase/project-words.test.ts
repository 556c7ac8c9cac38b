import { expect, test } from 'vitest'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { deletionEffect, effectAtRest, effectsOf, reasonProblem, verbOf } from './project-words.ts'

const content: ProjectContent = {
  title: 'Bench clock',
  slug: 'bench-clock',
  tagline: 'A clock.',
  markdown: 'It counts what passes.',
  author: 'Ada',
  links: [],
  pictures: [{ sha256: 'a'.repeat(64), alt: '' }],
}

test('an approval says where it is public and what is missing of its pictures', () => {
  const effects = effectsOf('approved', { content, status: 'pending', featured: false }).join(' ')
  expect(effects).toContain('/showcase/bench-clock at once')
  expect(effects).toContain('Its 1 picture is shown without metadata.')
  expect(effects).toContain('Of 1 picture nothing is said for those who do not see it.')
})

test('what is public is taken down, and what is not is rejected', () => {
  expect(verbOf('rejected', 'approved')).toBe('Take down')
  expect(verbOf('rejected', 'pending')).toBe('Reject')
  const gone = effectsOf('rejected', { content, status: 'approved', featured: false })[0]
  expect(gone).toBe('/showcase/bench-clock is gone at once. It can be approved again.')
  expect(effectAtRest({ content, status: 'approved', featured: true })).toContain('before all others')
})

test('deleting says which pictures go too', () => {
  expect([0, 1, 3].map((ownPictures) => deletionEffect({ ownPictures }))).toEqual([
    'The project goes for good.',
    'The project and 1 picture that nothing else uses go for good.',
    'The project and 3 pictures that nothing else uses go for good.',
  ])
})

test('a rejection needs its reason, an approval none, and neither more than 2,000 characters', () => {
  expect(reasonProblem('rejected', ' ')).toBe('Write the reason.')
  expect(reasonProblem('approved', '')).toBeNull()
  expect(reasonProblem('approved', 'x'.repeat(2001))).toContain('2,000')
})
