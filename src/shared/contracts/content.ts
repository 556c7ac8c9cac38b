import { z } from 'zod'
import { trimCharacters, trimEndCharacters } from '../trim-characters.ts'
import { optionalText, requiredText, storedText } from './text-schemas.ts'
import { texts } from '../validation.texts.ts'

/** Rulings, "Slugs": words of letters and digits, separated by single hyphens. */
export const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
export const maxSlugCharacters = 96
export const slugSchema = z.string().max(maxSlugCharacters).regex(slugPattern, texts.slug)

export const maxMarkdownCharacters = 200_000
const markdownSchema = optionalText(maxMarkdownCharacters)
export const maxAltCharacters = 300
const altSchema = optionalText(maxAltCharacters).trim()

export const maxSummaryCharacters = 300
const summarySchema = optionalText(maxSummaryCharacters).trim()
export const maxTags = 10
export const maxTagCharacters = 32
const tagSchema = z.string().min(1).max(maxTagCharacters).regex(slugPattern, texts.slug)

/** An image with its alt text for the place where it is used. */
const placedImageSchema = z.strictObject({
  sha256: z.string().regex(/^[a-f0-9]{64}$/),
  alt: altSchema,
})
export type PlacedImage = z.infer<typeof placedImageSchema>

export const maxTitleCharacters = 160

/** The editable content of a post. */
export const postContentSchema = z.strictObject({
  title: optionalText(maxTitleCharacters).trim(),
  slug: z.union([slugSchema, z.literal('')]),
  /** One or two sentences for lists, the feed and link previews. */
  summary: summarySchema,
  markdown: markdownSchema,
  tags: z.array(tagSchema).max(maxTags),
  cover: placedImageSchema.nullable(),
})
export type PostContent = z.infer<typeof postContentSchema>

/** Maximum characters of each text of a project, and its maximum number of links and images. */
export const projectLimits = {
  title: maxTitleCharacters,
  tagline: 200,
  author: 100,
  slug: maxSlugCharacters,
  markdown: 20_000,
  linkLabel: 60,
  linkUrl: 500,
  alt: maxAltCharacters,
  links: 5,
  images: 6,
} as const
export const minProjectMarkdown = 20

const projectWith = (text: typeof storedText) =>
  z.strictObject({
    title: text(1, projectLimits.title),
    slug: slugSchema,
    tagline: text(1, projectLimits.tagline),
    markdown: text(minProjectMarkdown, projectLimits.markdown),
    author: text(1, projectLimits.author),
    links: z
      .array(
        z.strictObject({
          label: text(1, projectLimits.linkLabel),
          url: z.url({ protocol: /^https?$/, error: texts.url }).max(projectLimits.linkUrl),
        }),
      )
      .max(projectLimits.links),
    pictures: z.array(placedImageSchema).max(projectLimits.images),
  })

/** The content of a showcase project as it is stored and returned. */
export const projectContentSchema = projectWith(storedText)

/** The content of a showcase project as it is submitted and edited. */
export const submittedProjectSchema = projectWith(requiredText)

export type ProjectContent = z.infer<typeof projectContentSchema>

/** Prefix of a media library image in Markdown; pages replace the reference with the right rendition. */
export const imageReferencePrefix = 'image:'
/** Prefix of an image that is still uploading, in a draft in the desk. */
export const uploadReferencePrefix = 'uploading:'

/** The digests of the images that Markdown refers to, including inside code and plain text. */
export function imagesInMarkdown(markdown: string): string[] {
  return [...markdown.matchAll(/\bimage:([a-f0-9]{64})\b/g)].map(([, sha256 = '']) => sha256)
}

/**
 * A slug from a title: diacritics are removed, anything else that is not a letter or digit becomes a hyphen. May be
 * empty.
 */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return trimEndCharacters(trimCharacters(slug, '-').slice(0, maxSlugCharacters), '-')
}

/** The preferred slug, or the first variant of it that is free: `slug-2`, `slug-3` … */
export function freeSlug(preferred: string, otherwise: string, isTaken: (slug: string) => boolean): string {
  const base = preferred === '' ? otherwise : preferred
  if (!isTaken(base)) return base
  for (let number = 2; ; number += 1) {
    const ending = `-${number}`
    const slug = trimEndCharacters(base.slice(0, maxSlugCharacters - ending.length), '-') + ending
    if (!isTaken(slug)) return slug
  }
}

export interface SlugCheck {
  free: boolean
  problem: string | null
  suggestion: string | null
}

/** Whether a slug is free, and a free one to use instead. */
export function checkSlug(slug: string, isTaken: (slug: string) => boolean): SlugCheck {
  const parsed = slugSchema.safeParse(slug)
  if (!parsed.success) {
    return { free: false, problem: parsed.error.issues[0]?.message ?? texts.noSlug, suggestion: null }
  }
  const free = freeSlug(slug, slug, isTaken)
  return free === slug
    ? { free: true, problem: null, suggestion: null }
    : { free: false, problem: texts.takenSlug, suggestion: free }
}
