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

/** Every way in which what is stored about a post does not fit together, in words; empty where all is well. */
export function auditPost(post: AuditedPost, isImage: (sha256: string) => boolean): string[] {
  const problems: string[] = []
  const check = (isRight: boolean, problem: string): void => {
    if (!isRight) problems.push(problem)
  }
  const written = parse(post.content)
  check(written !== null, 'its text cannot be read')
  if (written !== null) {
    check(
      written.title === post.title && written.slug === post.slug,
      'its title or slug is not that of its text',
    )
  }
  const shown = post.publicContent === null ? null : parse(post.publicContent)
  if (post.publishAt === null) {
    check(post.takenSlug === null, 'it is a draft, and its slug is taken')
  } else {
    check(post.versionPost === post.id, 'what the public reads is no version of it')
    check(shown !== null, 'what the public reads cannot be read')
    check(
      post.takenSlug !== null && post.takenSlug === post.publicSlug,
      'the slug of what is public is not its own',
    )
    check(
      shown === null || shown.slug === post.publicSlug,
      'the slug of what is public is not that of its text',
    )
  }
  const named = [written, shown].flatMap((content) => (content === null ? [] : namedImages(content)))
  const expected = [...new Set(named)].filter(isImage).toSorted()
  const noted = (JSON.parse(post.uses) as string[]).toSorted()
  check(expected.join() === noted.join(), 'the pictures noted with it are not those that it names')
  return problems
}

function parse(text: string): PostContent | null {
  try {
    return postContentSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
