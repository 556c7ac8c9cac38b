import type { ProjectContent } from '../../../shared/contracts/content.ts'
import { slugPattern } from '../../../shared/contracts/content.ts'
import type { DeskProject } from '../../../shared/contracts/desk-projects.ts'
import { formatCount } from '../../lib/format.ts'
import { createStore, useStore } from '../../lib/state/store.ts'
import { countCodePoints, isBlank } from '../../../shared/text.ts'

/** What is being written of a project, with the revision that it began from. */
export interface ProjectDraft {
  revision: number
  content: ProjectContent
}

/** By project; they outlive a look at another page. */
const drafts = createStore<ReadonlyMap<number, ProjectDraft>>(new Map())

/** Null where the project is not being edited. */
export function useProjectDraft(id: number): ProjectDraft | null {
  return useStore(drafts).get(id) ?? null
}

export function beginDraft({ id, revision, content }: DeskProject): void {
  setDraft(id, { revision, content })
}

export function setDraft(id: number, draft: ProjectDraft | null): void {
  const next = new Map(drafts.get())
  if (draft === null) next.delete(id)
  else next.set(id, draft)
  drafts.set(next)
}

/** Changes a part of what is written now, which may be newer than what the caller has seen. */
export function changeDraft(id: number, change: (content: ProjectContent) => Partial<ProjectContent>): void {
  const draft = drafts.get().get(id)
  if (draft === undefined) return
  setDraft(id, { ...draft, content: { ...draft.content, ...change(draft.content) } })
}

export const limits = {
  title: 160,
  tagline: 200,
  author: 100,
  slug: 96,
  markdown: 20_000,
  label: 60,
  url: 500,
  alt: 300,
} as const
export const leastMarkdown = 20
export const mostLinks = 5
export const mostPictures = 6

/** What is wrong with what is written, by the place of it: `title`, `links.0.url`. */
export function draftProblems(content: ProjectContent): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const check = (place: string, text: string, most: number, missing?: string): void => {
    const problem = textProblem(text, most, missing)
    if (problem !== null) found.set(place, problem)
  }
  check('title', content.title, limits.title, 'Give it a title.')
  check('tagline', content.tagline, limits.tagline, 'Say in a sentence what it is.')
  check('author', content.author, limits.author, 'Say whose it is.')
  check('markdown', content.markdown, limits.markdown)
  if (countCodePoints(content.markdown.trim()) < leastMarkdown || isBlank(content.markdown)) {
    found.set('markdown', `Write at least ${leastMarkdown} characters.`)
  }
  const slug = slugProblem(content.slug)
  if (slug !== null) found.set('slug', slug)
  for (const [index, { label, url }] of content.links.entries()) {
    check(`links.${index}.label`, label, limits.label, 'Say what it leads to.')
    const problem = urlProblem(url)
    if (problem !== null) found.set(`links.${index}.url`, problem)
  }
  for (const [index, { alt }] of content.pictures.entries()) {
    check(`pictures.${index}.alt`, alt, limits.alt, 'Say what it shows, for those who do not see it.')
  }
  return found
}

function textProblem(text: string, most: number, missing?: string): string | null {
  const length = countCodePoints(text.trim())
  if (isBlank(text)) return missing ?? null
  return length > most ? `Shorten it to ${formatCount(most)} characters.` : null
}

function slugProblem(slug: string): string | null {
  if (slug === '') return 'Give it an address.'
  if (!slugPattern.test(slug)) return 'Write words of small letters and digits, joined by single hyphens.'
  return slug.length > limits.slug ? `Shorten it to ${limits.slug} characters.` : null
}

function urlProblem(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    return 'Write an address that starts with https:// or http://.'
  }
  return url.length > limits.url ? `Shorten it to ${limits.url} characters.` : null
}
