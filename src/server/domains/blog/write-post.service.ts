import { isDeepStrictEqual } from 'node:util'
import type { PostContent } from '../../../shared/contracts/content.ts'
import { checkSlug } from '../../../shared/contracts/content.ts'
import type { SlugCheck } from '../../../shared/contracts/content.ts'
import type { DeskPost, PostRow, PostState, PostVersion } from '../../../shared/contracts/desk-posts.ts'
import type { Editor } from '../../../shared/contracts/people.ts'
import { DomainError } from '../../../shared/errors.ts'
import type { Database } from '../../db/database.ts'
import type { ImageLookup, ImageUses } from '../uploads/image-uses.service.ts'
import { postRepository } from './posts.repository.ts'
import type { PostRecord, PostRepository, VersionRecord } from './posts.repository.ts'
import { emptyPost, hourOf, usedImages, stateOf } from './posts.rules.ts'
import { texts } from './blog.texts.ts'

export interface PostParts {
  database: Database
  uses: ImageUses
  images: ImageLookup
  /** The registry's public URL. */
  publicUrl(): string
  clock?(): Date
}

/** Editing posts in the desk. Only `createPostPublishing` changes what the public sees. */
export function createPostWriting(parts: PostParts) {
  const { database, uses } = parts
  const reading = postRepository(database.reader)
  const writing = postRepository(database.writer)
  const now = (): string => (parts.clock?.() ?? new Date()).toISOString()

  const show = (repository: PostRepository, id: number): DeskPost =>
    deskPost(findPost(repository, id), now(), parts)

  return {
    listPosts({
      state,
      q = '',
      offset,
    }: {
      state?: PostState | undefined
      q?: string | undefined
      offset: number
    }): { items: PostRow[]; total: number } {
      database.assertAvailable()
      const at = now()
      const rows = reading.list(state ?? 'all', at, q, offset)
      const items = rows.map((row) => ({ ...row, state: stateOf(row.publishAt, at) }))
      return { items, total: reading.count(state ?? 'all', at, q) }
    },

    getPost(id: number): DeskPost {
      database.assertAvailable()
      return show(reading, id)
    },

    createPost(editor: Editor): Promise<DeskPost> {
      return database.transact(() => show(writing, writing.insert(emptyPost, now(), editor.id)))
    },

    /**
     * Saves a draft that is based on `revision`. Throws EDITED_ELSEWHERE if there is a newer revision, unless its
     * content is the same: then this is the retry of a save whose response was lost.
     */
    savePost(
      editor: Editor,
      id: number,
      { revision, content }: { revision: number; content: PostContent },
    ): Promise<{ revision: number; savedAt: string }> {
      return database.transact(() => {
        const post = findPost(writing, id)
        if (isDeepStrictEqual(post.content, content)) {
          return { revision: post.revision, savedAt: post.updatedAt }
        }
        assertRevision(post, revision)
        const at = now()
        writing.save(id, content, at, editor.id)
        recordAutosave(writing, id, content, at, editor.id)
        recordUses(uses, { ...post, content })
        return { revision: post.revision + 1, savedAt: at }
      })
    },

    /** Throws INVALID_TRANSITION for a published or scheduled post. */
    deletePost(id: number): Promise<void> {
      return database.transact(() => {
        const post = findPost(writing, id)
        if (post.publishAt !== null) throw new DomainError('INVALID_TRANSITION', texts.notDraft)
        uses.recordUses('post', id, [])
        writing.remove(id)
      })
    },

    listPostVersions(id: number): PostVersion[] {
      database.assertAvailable()
      const post = findPost(reading, id)
      return reading
        .listVersions(id)
        .map((version) => ({ ...version, public: version.id === post.publishedVersion }))
    },

    getPostVersion(id: number, versionId: number): { version: PostVersion; content: PostContent } {
      database.assertAvailable()
      const post = findPost(reading, id)
      const version = findVersion(reading, id, versionId)
      return { version: postVersion(version, post), content: version.content }
    },

    /** The current draft stays in the list of versions. Throws EDITED_ELSEWHERE. */
    restorePostVersion(editor: Editor, id: number, versionId: number, revision: number): Promise<DeskPost> {
      return database.transact(() => {
        const post = findPost(writing, id)
        assertRevision(post, revision)
        const { content } = findVersion(writing, id, versionId)
        const at = now()
        writing.save(id, content, at, editor.id)
        writing.insertVersion(id, 'restored', content, at, editor.id)
        recordUses(uses, { ...post, content })
        return show(writing, id)
      })
    },

    /** `id` is the post that the slug is for; its current slug counts as free. */
    checkSlug(slug: string, id: number | null): SlugCheck {
      database.assertAvailable()
      return checkSlug(slug, (one) => reading.isSlugTaken(one, id))
    },
  }
}

export type PostWriting = ReturnType<typeof createPostWriting>

/** Throws NOT_FOUND. */
export function findPost(repository: PostRepository, id: number): PostRecord {
  const post = repository.find(id)
  if (post === null) throw new DomainError('NOT_FOUND', texts.noPost(id))
  return post
}

function findVersion(repository: PostRepository, id: number, versionId: number): VersionRecord {
  const version = repository.findVersion(id, versionId)
  if (version !== null) return version
  throw new DomainError('NOT_FOUND', texts.noVersion(versionId))
}

/** Throws EDITED_ELSEWHERE. */
export function assertRevision(post: PostRecord, revision: number): void {
  if (post.revision === revision) return
  throw new DomainError('EDITED_ELSEWHERE', texts.editedElsewhere(post.updatedBy))
}

/** Images of the draft and of the published version both count as used. */
export function recordUses(uses: ImageUses, post: Pick<PostRecord, 'id' | 'content' | 'published'>): void {
  const named = [post.content, post.published].flatMap((content) =>
    content === null ? [] : usedImages(content),
  )
  uses.recordUses('post', post.id, [...new Set(named)])
}

/** Consecutive autosaves by the same person within one hour become one version. */
function recordAutosave(
  repository: PostRepository,
  id: number,
  content: PostContent,
  at: string,
  by: number,
): void {
  const last = repository.findLastVersion(id)
  if (last?.kind === 'autosaved' && last.saverId === by && hourOf(last.savedAt) === hourOf(at)) {
    repository.updateVersion(last.id, content, at)
  } else repository.insertVersion(id, 'autosaved', content, at, by)
}

function postRow(post: PostRecord, now: string): PostRow {
  const { title, slug, tags } = post.content
  return {
    id: post.id,
    title,
    slug,
    state: stateOf(post.publishAt, now),
    publishAt: post.publishAt,
    updatedAt: post.updatedAt,
    updatedBy: post.updatedBy,
    tags,
    changed: post.published !== null && !isDeepStrictEqual(post.content, post.published),
  }
}

export function deskPost(post: PostRecord, now: string, parts: PostParts): DeskPost {
  const row = postRow(post, now)
  const publicSlug = row.state === 'published' ? post.published?.slug : undefined
  return {
    ...row,
    createdAt: post.createdAt,
    content: post.content,
    revision: post.revision,
    url: publicSlug === undefined ? null : `${parts.publicUrl()}/blog/${publicSlug}`,
    images: parts.images.findImages(usedImages(post.content)),
  }
}

function postVersion(version: VersionRecord, post: PostRecord): PostVersion {
  return {
    id: version.id,
    kind: version.kind,
    savedAt: version.savedAt,
    savedBy: version.savedBy,
    title: version.content.title,
    characters: [...version.content.markdown].length,
    public: version.id === post.publishedVersion,
  }
}
