import type { PostContent } from '../../../shared/contracts/content.ts'
import { postContentSchema } from '../../../shared/contracts/content.ts'
import { usedImages } from './posts.rules.ts'

/** A post with everything stored about it; null for rows that do not exist. */
export interface PostToVerify {
  id: number
  title: string
  slug: string
  /** JSON. */
  content: string
  publishAt: string | null
  /** The post of the published version. */
  versionPost: number | null
  publicSlug: string | null
  publicContent: string | null
  takenSlug: string | null
  /** JSON array of digests. */
  uses: string
}

/** The correct value of data that is derived from a post's content to make lists and lookups fast. */
type DerivedPostData =
  | { part: 'row' }
  | { part: 'slug'; slug: string | null }
  | { part: 'uses'; images: readonly string[] }

interface PostProblem {
  problem: string
  /** What to derive again; null if only a backup can fix the problem. */
  derived: DerivedPostData | null
}

/** Describes every inconsistency in what is stored about a post. */
export function verifyPost(post: PostToVerify, isImage: (sha256: string) => boolean): PostProblem[] {
  const problems: PostProblem[] = []
  const check = (isConsistent: boolean, problem: string, derived: DerivedPostData | null = null): void => {
    if (!isConsistent) problems.push({ problem, derived })
  }
  const written = parse(post.content)
  check(written !== null, 'its draft cannot be read')
  if (written !== null) {
    check(
      written.title === post.title && written.slug === post.slug,
      'its title or slug differs from its draft',
      { part: 'row' },
    )
  }
  const shown = post.publicContent === null ? null : parse(post.publicContent)
  if (post.publishAt === null) {
    check(post.takenSlug === null, 'it is a draft but reserves a slug', { part: 'slug', slug: null })
  } else {
    const isOwn = post.versionPost === post.id
    check(isOwn, 'its published version belongs to another post')
    check(shown !== null, 'its published version cannot be read')
    check(
      post.takenSlug !== null && post.takenSlug === post.publicSlug,
      'it does not reserve the slug of its published version',
      isOwn ? { part: 'slug', slug: post.publicSlug } : null,
    )
    check(
      shown === null || shown.slug === post.publicSlug,
      'the slug of its published version differs from the content',
    )
  }
  const contents = [written, post.publicContent === null ? undefined : shown]
  const named = contents.flatMap((content) =>
    content === null || content === undefined ? [] : usedImages(content),
  )
  const images = [...new Set(named)].filter(isImage).toSorted()
  const recorded = (JSON.parse(post.uses) as string[]).toSorted()
  // While a post's content can't be read, its recorded images stay, so that they are not deleted as unused.
  check(
    images.join() === recorded.join(),
    'the images recorded for it are not the ones it uses',
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
