import type { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import type { Handlers } from '../../http/mount.ts'
import type { PostPublishing } from './publish-post.service.ts'
import type { PostWriting } from './write-post.service.ts'

type PostRoutes = Omit<typeof deskPostRoutes, 'checkSlug'>

export function deskPostHandlers(writing: PostWriting, publishing: PostPublishing): Handlers<PostRoutes> {
  return {
    listPosts: ({ caller, query }) => writing.listPosts(caller, query),
    createPost: ({ caller }) => writing.createPost(caller),
    getPost: ({ caller, params }) => writing.getPost(caller, params.id),
    savePost: ({ caller, params, body }) => writing.savePost(caller, params.id, body),
    async deletePost({ caller, params }) {
      await writing.deletePost(caller, params.id)
      return { success: true }
    },
    publishPost: ({ caller, params, body }) => publishing.publishPost(caller, params.id, body),
    unpublishPost: ({ caller, params }) => publishing.unpublishPost(caller, params.id),
    listPostVersions: ({ caller, params }) => ({ items: writing.listPostVersions(caller, params.id) }),
    getPostVersion: ({ caller, params }) => writing.getPostVersion(caller, params.id, params.version),
    restorePostVersion: ({ caller, params, body }) =>
      writing.restorePostVersion(caller, params.id, params.version, body.revision),
  }
}
