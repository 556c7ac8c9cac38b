import {
  maxMarkdownCharacters,
  slugOf,
  slugPattern,
  slugSchema,
  uploadReferencePrefix,
} from '../../../shared/contracts/content.ts'
import type { PostContent } from '../../../shared/contracts/content.ts'
import { listWords, plural } from '../../lib/format.ts'
import { findPictures } from './picture-references.ts'
import type { PictureReference } from './picture-references.ts'
import { trimEndCharacters } from '../../../shared/trim-characters.ts'
import { isBlank } from '../../../shared/text.ts'

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

/** As the server takes it: half of a surrogate pair, which a keyboard can leave behind, cannot be stored. */
export function sendable(content: PostContent): PostContent {
  return {
    ...content,
    title: content.title.toWellFormed(),
    summary: content.summary.toWellFormed(),
    markdown: content.markdown.toWellFormed(),
    cover: content.cover === null ? null : { ...content.cover, alt: content.cover.alt.toWellFormed() },
  }
}

/** A new title takes the address along, unless the address was written by hand or is public already. */
export function withTitle(content: PostContent, title: string, isPublic: boolean): PostContent {
  const follows = !isPublic && (content.slug === '' || content.slug === slugOf(content.title))
  return { ...content, title, slug: follows ? slugOf(title) : content.slug }
}

/** What is wrong with an address, in words; null where nothing is. */
export function slugProblem(slug: string): string | null {
  if (slug === '') return 'Give it an address.'
  if (!slugPattern.test(slug)) return 'Lower-case words of letters and digits, joined by single hyphens.'
  return slugSchema.safeParse(slug).success ? null : 'An address has at most 96 characters.'
}

/** What was typed as tags: `Review, Two words` is `review` and `two-words`, each once, ten at most. */
export function readTags(text: string): string[] {
  const tags = text.split(',').map((tag) => trimEndCharacters(slugOf(tag).slice(0, 32), '-'))
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 10)
}

export interface PublishProblem {
  sentence: string
  /** Where it is mended. */
  at: 'title' | 'text' | 'details' | PictureReference
}

/** What has to be mended before a text can become public. */
export function publishProblems(content: PostContent): PublishProblem[] {
  const pictures = findPictures(content.markdown)
  const slug = slugProblem(content.slug)
  return [
    ...(isBlank(content.title) ? [{ sentence: 'It has no title.', at: 'title' as const }] : []),
    ...(slug === null ? [] : [{ sentence: addressSentence(content.slug, slug), at: 'details' as const }]),
    ...(isBlank(content.markdown) ? [{ sentence: 'It has no text.', at: 'text' as const }] : []),
    ...(content.markdown.length > maxMarkdownCharacters
      ? [{ sentence: 'The text has more than 200,000 characters.', at: 'text' as const }]
      : []),
    ...(content.cover !== null && isBlank(content.cover.alt)
      ? [{ sentence: 'It is not said what the cover shows.', at: 'details' as const }]
      : []),
    ...pictures.flatMap((picture) => problemOf(picture)),
  ]
}

function addressSentence(slug: string, problem: string): string {
  return slug === '' ? 'It has no address.' : `The address: ${problem}`
}

function problemOf(picture: PictureReference): PublishProblem[] {
  if (picture.target.startsWith(uploadReferencePrefix)) {
    const name = picture.target.slice(uploadReferencePrefix.length)
    return [{ sentence: `${name} is not uploaded.`, at: picture }]
  }
  return isBlank(picture.alt) ? [{ sentence: 'It is not said what a picture shows.', at: picture }] : []
}

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0
}

/** `4 minutes to read`, at 220 words a minute. */
export function readingTime(words: number): string {
  return `${plural(Math.max(1, Math.round(words / 220)), 'minute')} to read`
}

export function describeTags(tags: readonly string[]): string {
  return tags.length === 0 ? 'none' : listWords(tags)
}
