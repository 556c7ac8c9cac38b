import { expect, test } from 'vitest'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { submittedProjectSchema } from '../../../shared/contracts/content.ts'
import { draftProblems } from './project-draft.ts'

const good: ProjectContent = {
  title: 'Bench clock',
  slug: 'bench-clock',
  tagline: 'A clock that runs in a module.',
  markdown: 'It counts what passes and tells it.',
  author: 'Ada Okafor',
  links: [{ label: 'Source', url: 'https://example.com/clock' }],
  pictures: [{ sha256: 'a'.repeat(64), alt: 'A clock face.' }],
}

const places = (change: Partial<ProjectContent>): string[] => [
  ...draftProblems({ ...good, ...change }).keys(),
]

test('nothing is wrong with a whole project', () => {
  expect(places({})).toEqual([])
})

test.each<[string, Partial<ProjectContent>]>([
  ['title', { title: ' ' }],
  ['title', { title: 'x'.repeat(161) }],
  ['tagline', { tagline: '' }],
  ['author', { author: '' }],
  ['markdown', { markdown: 'too short' }],
  ['slug', { slug: 'Two Words' }],
  ['slug', { slug: '' }],
  ['links.0.label', { links: [{ label: '', url: 'https://example.com' }] }],
  ['links.0.url', { links: [{ label: 'Mail', url: 'javascript:alert(1)' }] }],
  ['pictures.0.alt', { pictures: [{ sha256: 'a'.repeat(64), alt: 'x'.repeat(301) }] }],
])('%s is named where it is wrong, and the server refuses it too', (place, change) => {
  expect(places(change)).toEqual([place])
  expect(submittedProjectSchema.safeParse({ ...good, ...change }).success).toBe(false)
})

test('a picture of which nothing is said is named too', () => {
  expect(places({ pictures: [{ sha256: 'a'.repeat(64), alt: ' ' }] })).toEqual(['pictures.0.alt'])
})
