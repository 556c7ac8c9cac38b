import { isDeepStrictEqual } from 'node:util'
import type { DeskPost } from '../../../shared/contracts/desk-posts.ts'
import type { Editor } from '../../../shared/contracts/people.ts'
import type { ErrorIssue } from '../../../shared/errors.ts'
import { DomainError } from '../../../shared/errors.ts'
import { summarize } from '../../../shared/validation.ts'
import { postRepository } from './posts.repository.ts'
import type { PostRecord } from './posts.repository.ts'
import { publishIssues } from './posts.rules.ts'
import { assertRevision, deskPost, findPost, recordUses } from './write-post.service.ts'
import type { PostParts } from './write-post.service.ts'
import { texts } from './blog.texts.ts'

/** Publishing and unpublishing posts. Nothing else changes what the public sees. */
export function createPostPublishing(parts: PostParts) {
  const { database, uses } = parts
  const posts = postRepository(database.writer)
  const now = (): string => (parts.clock?.() ?? new Date()).toISOString()

  return {
    /**
     * Publishes the draft now or at `at`. A post that is already published keeps its time unless `at` is earlier.
     * Throws EDITED_ELSEWHERE, VALIDATION_FAILED and SLUG_TAKEN.
     */
    publishPost(
      editor: Editor,
      id: number,
      { revision, at }: { revision: number; at: string | null },
    ): Promise<DeskPost> {
      return database.transact(() => {
        const post = findPost(posts, id)
        assertRevision(post, revision)
        const moment = now()
        const publishAt = publicationTime(post, at, moment)
        const issues = publishIssues(post.content, (sha256) => parts.images.findImage(sha256) !== null)
        if (issues.length > 0) throw invalid(texts.notReady, issues)
        const { slug } = post.content
        if (posts.isSlugTaken(slug, id)) throw new DomainError('SLUG_TAKEN', texts.slugTaken(slug))
        posts.takeSlug({ id, slug })
        const versionId = versionOf(post, moment, editor.id)
        posts.setPublic({ id, versionId, publishAt, at: moment, by: editor.id })
        recordUses(uses, { ...post, published: post.content })
        return deskPost(findPost(posts, id), moment, parts)
      })
    },

    /** Turns a published or scheduled post into a draft. Throws INVALID_TRANSITION. */
    unpublishPost(editor: Editor, id: number): Promise<DeskPost> {
      return database.transact(() => {
        const post = findPost(posts, id)
        if (post.publishAt === null) throw new DomainError('INVALID_TRANSITION', texts.alreadyDraft)
        const moment = now()
        posts.setDraft({ id, at: moment, by: editor.id })
        posts.freeSlug(id)
        recordUses(uses, { ...post, published: null })
        return deskPost(findPost(posts, id), moment, parts)
      })
    },
  }

  /** Publishing unchanged content at another time does not create a version. */
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
  const requested = new Date(at).toISOString()
  if (isPublic && requested > now) {
    throw invalid(texts.invalidTime, [{ path: 'at', message: texts.issues.futureTime }])
  }
  return requested
}

function invalid(sentence: (problems: string) => string, issues: ErrorIssue[]): DomainError {
  return new DomainError('VALIDATION_FAILED', sentence(summarize(issues)), { issues })
}
