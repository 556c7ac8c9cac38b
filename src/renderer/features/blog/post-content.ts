import {
  maxMarkdownCharacters,
  maxTagCharacters,
  maxTags,
  slugOf,
  slugPattern,
  slugSchema,
  uploadReferencePrefix,
} from '../../../shared/contracts/content.ts'
import type { PostContent } from '../../../shared/contracts/content.ts'
import { findImages } from './image-references.ts'
import type { ImageReference } from './image-references.ts'
import { trimEndCharacters } from '../../../shared/trim-characters.ts'
import { isBlank } from '../../../shared/text.ts'
import { texts } from './blog.texts.ts'

const { problems } = texts.slug
const { problems: publishing } = texts.publish

export function isSameContent(one: PostContent, other: PostContent): boolean {
  return contentKey(one) === contentKey(other)
}

function contentKey({ title, slug, summary, markdown, tags, cover }: PostContent): string {
  return JSON.stringify([
    title.trim(),
    slug,
    summary.trim(),
    markdown,
    tags,
    cover === null ? null : [cover.sha256, cover.alt.trim()],
  ])
}

/** Replaces lone surrogates, which some input methods leave behind and the server cannot store. */
export function sendable(content: PostContent): PostContent {
  return {
    ...content,
    title: content.title.toWellFormed(),
    summary: content.summary.toWellFormed(),
    markdown: content.markdown.toWellFormed(),
    cover: content.cover === null ? null : { ...content.cover, alt: content.cover.alt.toWellFormed() },
  }
}

/** Changes the title. The slug follows it unless it was edited or the post is already published. */
export function withTitle(content: PostContent, title: string, isPublic: boolean): PostContent {
  const follows = !isPublic && (content.slug === '' || content.slug === slugOf(content.title))
  return { ...content, title, slug: follows ? slugOf(title) : content.slug }
}

/** Why a slug is not valid; null if it is. */
export function slugProblem(slug: string): string | null {
  if (slug === '') return problems.empty
  if (!slugPattern.test(slug)) return problems.characters
  return slugSchema.safeParse(slug).success ? null : problems.tooLong
}

/** Parses a comma-separated list: `Review, Two words` is `review` and `two-words`, without duplicates, at most `maxTags`. */
export function readTags(text: string): string[] {
  const tags = text.split(',').map((tag) => trimEndCharacters(slugOf(tag).slice(0, maxTagCharacters), '-'))
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, maxTags)
}

export interface PublishProblem {
  sentence: string
  /** Where it can be fixed. */
  at: 'title' | 'text' | 'details' | ImageReference
}

/** Everything that must be fixed before a post can be published. */
export function publishProblems(content: PostContent): PublishProblem[] {
  const images = findImages(content.markdown)
  const slug = slugProblem(content.slug)
  return [
    ...(isBlank(content.title) ? [{ sentence: publishing.title, at: 'title' as const }] : []),
    ...(slug === null ? [] : [{ sentence: slugSentence(content.slug, slug), at: 'details' as const }]),
    ...(isBlank(content.markdown) ? [{ sentence: publishing.text, at: 'text' as const }] : []),
    ...(content.markdown.length > maxMarkdownCharacters
      ? [{ sentence: publishing.tooLong, at: 'text' as const }]
      : []),
    ...(content.cover !== null && isBlank(content.cover.alt)
      ? [{ sentence: publishing.coverAlt, at: 'details' as const }]
      : []),
    ...images.flatMap((image) => problemOf(image)),
  ]
}

function slugSentence(slug: string, problem: string): string {
  return slug === '' ? publishing.slug : publishing.invalidSlug(problem)
}

function problemOf(image: ImageReference): PublishProblem[] {
  if (image.target.startsWith(uploadReferencePrefix)) {
    const name = image.target.slice(uploadReferencePrefix.length)
    return [{ sentence: publishing.upload(name), at: image }]
  }
  return isBlank(image.alt) ? [{ sentence: publishing.alt, at: image }] : []
}

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0
}

/** `4 min read`, at 220 words a minute. */
export function readingTime(words: number): string {
  return texts.preview.readingTime(Math.max(1, Math.round(words / 220)))
}
