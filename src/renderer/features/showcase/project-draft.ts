import type { ProjectContent } from '../../../shared/contracts/content.ts'
import {
  minProjectMarkdown,
  projectLimits as limits,
  slugPattern,
} from '../../../shared/contracts/content.ts'
import type { DeskProject } from '../../../shared/contracts/desk-projects.ts'
import { createOwnStore } from '../../lib/state/own-store.ts'
import { useStore } from '../../lib/state/store.ts'
import { countCodePoints, isBlank } from '../../../shared/text.ts'
import { texts } from './showcase.texts.ts'

const { problems } = texts.fields

/** The unsaved content of a project, with the revision that it is based on. */
interface ProjectDraft {
  revision: number
  content: ProjectContent
}

/** By project id. They are kept while other pages are open. */
const drafts = createOwnStore<ReadonlyMap<number, ProjectDraft>>(new Map())

/** Null if the project is not being edited. */
export function useProjectDraft(id: number): ProjectDraft | null {
  return useStore(drafts).get(id) ?? null
}

export function startEditing({ id, revision, content }: DeskProject): void {
  setDraft(id, { revision, content })
}

export function setDraft(id: number, draft: ProjectDraft | null): void {
  const next = new Map(drafts.get())
  if (draft === null) next.delete(id)
  else next.set(id, draft)
  drafts.set(next)
}

/** Changes part of the latest draft, which may be newer than the one that the caller rendered. */
export function changeDraft(id: number, change: (content: ProjectContent) => Partial<ProjectContent>): void {
  const draft = drafts.get().get(id)
  if (draft === undefined) return
  setDraft(id, { ...draft, content: { ...draft.content, ...change(draft.content) } })
}

/** Ends the editing of a project that was saved. What was written while it was being saved stays an unsaved draft. */
export function forgetSaved({ id, revision }: DeskProject, sent: ProjectContent): void {
  const draft = drafts.get().get(id)
  if (draft === undefined) return
  const isSaved = JSON.stringify(draft.content) === JSON.stringify(sent)
  setDraft(id, isSaved ? null : { ...draft, revision })
}

/** The problems of a draft, by field: `title`, `links.0.url`. */
export function draftProblems(content: ProjectContent): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const check = (place: string, text: string, limit: number, missing?: string): void => {
    const problem = textProblem(text, limit, missing)
    if (problem !== null) found.set(place, problem)
  }
  check('title', content.title, limits.title, problems.title)
  check('tagline', content.tagline, limits.tagline, problems.tagline)
  check('author', content.author, limits.author, problems.author)
  check('markdown', content.markdown, limits.markdown)
  if (countCodePoints(content.markdown.trim()) < minProjectMarkdown || isBlank(content.markdown)) {
    found.set('markdown', problems.description(minProjectMarkdown))
  }
  const slug = slugProblem(content.slug)
  if (slug !== null) found.set('slug', slug)
  for (const [index, { label, url }] of content.links.entries()) {
    check(`links.${index}.label`, label, limits.linkLabel, problems.linkLabel)
    const problem = urlProblem(url)
    if (problem !== null) found.set(`links.${index}.url`, problem)
  }
  for (const [index, { alt }] of content.pictures.entries()) {
    check(`pictures.${index}.alt`, alt, limits.alt, problems.alt)
  }
  return found
}

function textProblem(text: string, limit: number, missing?: string): string | null {
  const length = countCodePoints(text.trim())
  if (isBlank(text)) return missing ?? null
  return length > limit ? problems.tooLong(limit) : null
}

function slugProblem(slug: string): string | null {
  if (slug === '') return problems.url
  if (!slugPattern.test(slug)) return problems.urlCharacters
  return slug.length > limits.slug ? problems.tooLong(limits.slug) : null
}

function urlProblem(url: string): string | null {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    return problems.linkUrl
  }
  return url.length > limits.linkUrl ? problems.tooLong(limits.linkUrl) : null
}
