import type { PostContent } from '../../../shared/contracts/content.ts'
import { postContentSchema } from '../../../shared/contracts/content.ts'
import { namedImages } from './posts.rules.ts'

/** A post with all that is stored about it; null where there is no such row. */
export interface AuditedPost {
  id: number
  title: string
  slug: string
  /** JSON. */
  content: string
  publishAt: string | null
  /** Of the version that the public reads. */
  versionPost: number | null
  publicSlug: string | null
  publicContent: string | null
  takenSlug: string | null
  /** Digests, as a JSON list. */
  uses: string
}

/** What is noted with a post only so that lists and look-ups are fast, as it has to be. */
export type DerivedOfPost =
  | { part: 'row' }
  | { part: 'slug'; slug: string | null }
  | { part: 'uses'; images: readonly string[] }

export interface PostProblem {
  problem: string
  /** What has to be derived again; null where only a backup can help. */
  derived: DerivedOfPost | null
}

/** Every way in which what is stored about a post does not fit together, in words; empty where all is well. */
export function auditPost(post: AuditedPost, isImage: (sha256: string) => boolean): PostProblem[] {
  const problems: PostProblem[] = []
  const check = (isRight: boolean, problem: string, derived: DerivedOfPost | null = null): void => {
    if (!isRight) problems.push({ problem, derived })
  }
  const written = parse(post.content)
  check(written !== null, 'its text cannot be read')
  if (written !== null) {
    check(
      written.title === post.title && written.slug === post.slug,
      'its title or slug is not that of its text',
      { part: 'row' },
    )
  }
  const shown = post.publicContent === null ? null : parse(post.publicContent)
  if (post.publishAt === null) {
    check(post.takenSlug === null, 'it is a draft, and its slug is taken', { part: 'slug', slug: null })
  } else {
    const isOwn = post.versionPost === post.id
    check(isOwn, 'what the public reads is no version of it')
    check(shown !== null, 'what the public reads cannot be read')
    check(
      post.takenSlug !== null && post.takenSlug === post.publicSlug,
      'the slug of what is public is not its own',
      isOwn ? { part: 'slug', slug: post.publicSlug } : null,
    )
    check(
      shown === null || shown.slug === post.publicSlug,
      'the slug of what is public is not that of its text',
    )
  }
  const contents = [written, post.publicContent === null ? undefined : shown]
  const named = contents.flatMap((content) =>
    content === null || content === undefined ? [] : namedImages(content),
  )
  const images = [...new Set(named)].filter(isImage).toSorted()
  const noted = (JSON.parse(post.uses) as string[]).toSorted()
  // While a text cannot be read, the pictures that it names stay noted, so that nobody removes them.
  check(
    images.join() === noted.join(),
    'the pictures noted with it are not those that it names',
    contents.includes(null) ? null : { part: 'uses', images },
  )
  return problems
}

function parse(text: string): PostContent | null {
  try {
    return postContentSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
