import { queryOptions } from '@tanstack/react-query'
import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import { call } from '../../lib/server/client.ts'

// All query keys of posts, projects and images begin with `content`, which is one topic of the event stream.

/** An offset past the last row: the server sends the total and no rows. */
const pastTheEnd = 9_999_999

export const postCountQuery = queryOptions({
  queryKey: ['content', 'posts', 'count'],
  queryFn: async ({ signal }) =>
    (await call(deskPostRoutes.listPosts, { query: { offset: pastTheEnd }, signal })).total,
})

export const projectCountsQuery = queryOptions({
  queryKey: ['content', 'projects', 'counts'],
  queryFn: async ({ signal }) =>
    (await call(deskProjectRoutes.listProjects, { query: { offset: pastTheEnd }, signal })).counts,
})

export const imageCountQuery = queryOptions({
  queryKey: ['content', 'images', 'count'],
  queryFn: async ({ signal }) =>
    (await call(deskImageRoutes.listImages, { query: { offset: pastTheEnd }, signal })).total,
})
