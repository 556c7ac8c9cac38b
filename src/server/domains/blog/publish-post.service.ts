import { isDeepStrictEqual } from 'node:util'
import type { DeskPost } from '../../../shared/contracts/desk-posts.ts'
import type { Administrator } from '../../../shared/contracts/people.ts'
import type { ErrorIssue } from '../../../shared/errors.ts'
import { DomainError } from '../../../shared/errors.ts'
import { summarize } from '../../../shared/validation.ts'
import { postRepository } from './posts.repository.ts'
import type { PostRecord } from './posts.repository.ts'
import { publishIssues } from './posts.rules.ts'
import { assertRevision, deskPost, findPost, recordUses } from './write-post.service.ts'
import type { PostParts } from './write-post.service.ts'

/** What the public reads of posts is decided here alone. */
export function createPostPublishing(parts: PostParts) {
  const { database, uses } = parts
  const posts = postRepository(database.writer)
  const now = (): string => (parts.clock?.() ?? new Date()).toISOString()

  return {
    /**
     * Makes what is written public: at once, or at `at`. Of a post that is public already only the text changes, and
     * its time stays unless an earlier one is given. Throws EDITED_ELSEWHERE, VALIDATION_FAILED and SLUG_TAKEN.
     */
    publishPost(
      administrator: Administrator,
      id: number,
      { revision, at }: { revision: number; at: string | null },
    ): Promise<DeskPost> {
      return database.transact(() => {
        const post = findPost(posts, id)
        assertRevision(post, revision)
        const moment = now()
        const publishAt = publicationTime(post, at, moment)
        const issues = publishIssues(post.content, (sha256) => parts.images.findImage(sha256) !== null)
        if (issues.length > 0) throw refused('This post is not ready', issues)
        const { slug } = post.content
        if (posts.isSlugTaken(slug, id)) {
          throw new DomainError('SLUG_TAKEN', `Another post has the slug ${slug}. Take another one.`)
        }
        posts.takeSlug(id, slug)
        posts.setPublic(id, versionOf(post, moment, administrator.id), publishAt, moment, administrator.id)
        recordUses(uses, { ...post, published: post.content })
        return deskPost(findPost(posts, id), moment, parts)
      })
    },

    /** The post is a draft again; also takes back a time that has not come. Throws INVALID_TRANSITION. */
    unpublishPost(administrator: Administrator, id: number): Promise<DeskPost> {
      return database.transact(() => {
        const post = findPost(posts, id)
        if (post.publishAt === null) {
          throw new DomainError('INVALID_TRANSITION', 'This post is a draft already.')
        }
        const moment = now()
        posts.setDraft(id, moment, administrator.id)
        posts.freeSlug(id)
        recordUses(uses, { ...post, published: null })
        return deskPost(findPost(posts, id), moment, parts)
      })
    },
  }

  /** A text that is public already is not another edit, whatever its time is now. */
  function versionOf(post: PostRecord, moment: string, by: number): number {
    const { publishedVersion, published, content } = post
    if (publishedVersion !== null && isDeepStrictEqual(published, content)) return publishedVersion
    return posts.insertVersion(post.id, 'published', content, moment, by)
  }
}

export type PostPublishing = ReturnType<typeof createPostPublishing>

function publicationTime(post: PostRecord, at: string | null, now: string): string {
  const isPublic = post.publishAt !== null && post.publishAt <= now
  if (at === null) return isPublic ? (post.publishAt ?? now) : now
  const wanted = new Date(at).toISOString()
  if (isPublic && wanted > now) {
    const message = 'must not be in the future for a post that is public; unpublish it first'
    throw refused('The time is not accepted', [{ path: 'at', message }])
  }
  return wanted
}

function refused(what: string, issues: ErrorIssue[]): DomainError {
  return new DomainError('VALIDATION_FAILED', `${what}: ${summarize(issues)}.`, { issues })
}
