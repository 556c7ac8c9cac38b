import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { PostContent } from '../../../shared/contracts/content.ts'
import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import type { DeskPost, PostVersion } from '../../../shared/contracts/desk-posts.ts'
import { call } from '../../lib/server/client.ts'
import { routeQuery } from '../../lib/server/route-query.ts'
import { blogFilter } from './blog-filter.ts'
import type { BlogFilter } from './blog-filter.ts'
import { isSameContent, sendable } from './post-content.ts'
import type { PostSaver } from './post-saver.ts'

export const postsQuery = (filter: BlogFilter, offset: number) =>
  routeQuery(['content', 'posts', 'list', filter, offset], deskPostRoutes.listPosts, {
    query: { ...blogFilter.query(filter), offset },
  })

export const postQuery = (id: number) =>
  routeQuery(['content', 'posts', 'one', id], deskPostRoutes.getPost, { params: { id } })

export const slugQuery = (slug: string, id: number) =>
  routeQuery(['content', 'posts', 'slug', slug, id], deskPostRoutes.checkSlug, {
    params: { kind: 'post', slug },
    query: { id: String(id) },
  })

export const versionsQuery = (id: number) =>
  routeQuery(['content', 'posts', 'versions', id], deskPostRoutes.listPostVersions, { params: { id } })

/** Autosaves within one hour overwrite the same version, so `savedAt` is part of its identity. */
export const versionQuery = (id: number, { id: version, savedAt }: Pick<PostVersion, 'id' | 'savedAt'>) =>
  queryOptions({
    queryKey: ['post version', id, version, savedAt],
    queryFn: ({ signal }) => call(deskPostRoutes.getPostVersion, { params: { id, version }, signal }),
    staleTime: Infinity,
  })

/** The newest images of the media library, offered as covers. */
export const libraryQuery = routeQuery(['content', 'images', 'library'], deskImageRoutes.listImages, {
  query: { offset: 0 },
})

export function savePost(id: number, content: PostContent, revision: number) {
  return call(deskPostRoutes.savePost, { params: { id }, body: { revision, content } })
}

export function readPost(id: number): Promise<DeskPost> {
  return call(deskPostRoutes.getPost, { params: { id } })
}

/**
 * Creates a draft with this content, and with the changes that are made to it in the meantime. It has no slug: the slug
 * may be taken.
 */
export async function createDraft(read: () => PostContent): Promise<DeskPost> {
  const post = await call(deskPostRoutes.createPost)
  let { revision } = post
  for (;;) {
    const content = read()
    ;({ revision } = await savePost(post.id, { ...sendable(content), slug: '' }, revision))
    if (isSameContent(read(), content)) return post
  }
}

export function useCreatePost() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(deskPostRoutes.createPost),
    onSuccess: (post) => putPost(client, post),
  })
}

/** Stores the server's answer before invalidating, so that no stale post is shown in between. */
function putPost(client: QueryClient, post: DeskPost): void {
  client.setQueryData(postQuery(post.id).queryKey, post)
  void client.invalidateQueries({ queryKey: ['content'] })
}

/** A change of a post's state. The post in the server's answer replaces the cached one. */
function usePostMutation<Variables>(mutationFn: (variables: Variables) => Promise<DeskPost>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (post) => putPost(client, post),
    onError: () => client.invalidateQueries({ queryKey: ['content'] }),
  })
}

/** The text could not be saved, so the request that needs the saved text was not sent. */
export class NotSavedError extends Error {
  override readonly name = 'NotSavedError'
}

/** A change of the post in the editor. Its text is saved first. */
function useSavedPostMutation<Variables>(
  saver: PostSaver,
  send: (variables: Variables, revision: number) => Promise<DeskPost>,
) {
  return usePostMutation(async (variables: Variables) => {
    if (!(await saver.flush())) throw new NotSavedError()
    return send(variables, saver.get().revision)
  })
}

export const usePublishPost = (id: number, saver: PostSaver) =>
  useSavedPostMutation(saver, (at: string | null, revision) =>
    call(deskPostRoutes.publishPost, { params: { id }, body: { revision, at } }),
  )

export const useUnpublishPost = (id: number) =>
  usePostMutation(() => call(deskPostRoutes.unpublishPost, { params: { id } }))

export const useRestoreVersion = (id: number, saver: PostSaver) =>
  useSavedPostMutation(saver, (version: number, revision) =>
    call(deskPostRoutes.restorePostVersion, { params: { id, version }, body: { revision } }),
  )

/** `onDeleted` navigates away before the queries of the deleted post are fetched again. */
export function useDeletePost(id: number, onDeleted: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(deskPostRoutes.deletePost, { params: { id } }),
    onSuccess: onDeleted,
    onSettled: () => client.invalidateQueries({ queryKey: ['content'] }),
  })
}
