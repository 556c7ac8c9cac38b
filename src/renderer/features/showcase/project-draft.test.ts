import { expect, test } from 'vitest'
import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { submittedProjectSchema } from '../../../shared/contracts/content.ts'
import { draftProblems } from './project-draft.ts'

const good: ProjectContent = {
  title: 'Bench clock',
  slug: 'bench-clock',
  tagline: 'A clock that runs in a module.',
  markdown: 'It measures time and prints it.',
  author: 'Ada Okafor',
  links: [{ label: 'Source', url: 'https://example.com/clock' }],
  pictures: [{ sha256: 'a'.repeat(64), alt: 'A clock face.' }],
}

const problemFields = (change: Partial<ProjectContent>): string[] => [
  ...draftProblems({ ...good, ...change }).keys(),
]

test('a complete project has no problems', () => {
  expect(problemFields({})).toEqual([])
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
])('an invalid %s is reported, and the server rejects it too', (field, change) => {
  expect(problemFields(change)).toEqual([field])
  expect(submittedProjectSchema.safeParse({ ...good, ...change }).success).toBe(false)
})

test('an image without alt text is reported', () => {
  expect(problemFields({ pictures: [{ sha256: 'a'.repeat(64), alt: ' ' }] })).toEqual(['pictures.0.alt'])
})
