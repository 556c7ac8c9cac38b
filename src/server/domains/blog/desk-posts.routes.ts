import type { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import type { Handlers } from '../../http/mount.ts'
import type { PostPublishing } from './publish-post.service.ts'
import type { PostWriting } from './write-post.service.ts'

type PostRoutes = Omit<typeof deskPostRoutes, 'checkSlug'>

export function deskPostHandlers(writing: PostWriting, publishing: PostPublishing): Handlers<PostRoutes> {
  return {
    listPosts: ({ query }) => writing.listPosts(query),
    createPost: ({ caller }) => writing.createPost(caller),
    getPost: ({ params }) => writing.getPost(params.id),
    savePost: ({ caller, params, body }) => writing.savePost(caller, params.id, body),
    deletePost: ({ params }) => writing.deletePost(params.id),
    publishPost: ({ caller, params, body }) => publishing.publishPost(caller, params.id, body),
    unpublishPost: ({ caller, params }) => publishing.unpublishPost(caller, params.id),
    listPostVersions: ({ params }) => ({ items: writing.listPostVersions(params.id) }),
    getPostVersion: ({ params }) => writing.getPostVersion(params.id, params.version),
    restorePostVersion: ({ caller, params, body }) =>
      writing.restorePostVersion(caller, params.id, params.version, body.revision),
  }
}
