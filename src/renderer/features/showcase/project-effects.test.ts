import { expect, test } from 'vitest'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { deletionEffect, statusEffect, effectsOf, reasonProblem, verbOf } from './project-effects.ts'

const content: ProjectContent = {
  title: 'Bench clock',
  slug: 'bench-clock',
  tagline: 'A clock.',
  markdown: 'It counts what passes.',
  author: 'Ada',
  links: [],
  pictures: [{ sha256: 'a'.repeat(64), alt: '' }],
}

test('an approval says where the project becomes public and how many images have no alt text', () => {
  const effects = effectsOf('approved', { content, status: 'pending', featured: false }).join(' ')
  expect(effects).toContain('/showcase/bench-clock immediately')
  expect(effects).toContain('Its 1 image is published without metadata.')
  expect(effects).toContain('1 image has no alt text.')
})

test('a public project is taken down, any other is rejected', () => {
  expect(verbOf('rejected', 'approved')).toBe('Take down')
  expect(verbOf('rejected', 'pending')).toBe('Reject')
  const first = effectsOf('rejected', { content, status: 'approved', featured: false })[0]
  expect(first).toBe('/showcase/bench-clock is taken down immediately. It can be approved again.')
  expect(statusEffect({ content, status: 'approved', featured: true })).toContain(
    'among the featured projects',
  )
})

test('a deletion says how many images are deleted too', () => {
  expect([0, 1, 3].map((ownImages) => deletionEffect({ ownImages }))).toEqual([
    'The project will be permanently deleted.',
    'The project and 1 image used nowhere else will be permanently deleted.',
    'The project and 3 images used nowhere else will be permanently deleted.',
  ])
})

test('a rejection requires review notes, an approval does not, and both are limited to 2,000 characters', () => {
  expect(reasonProblem('rejected', ' ')).toBe('Enter review notes.')
  expect(reasonProblem('approved', '')).toBeNull()
  expect(reasonProblem('approved', 'x'.repeat(2001))).toContain('2,000')
})
