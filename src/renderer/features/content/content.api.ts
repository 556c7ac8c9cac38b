import { queryOptions } from '@tanstack/react-query'
import { deskImageRoutes } from '../../../shared/contracts/desk-images.ts'
import { deskPostRoutes } from '../../../shared/contracts/desk-posts.ts'
import { deskProjectRoutes } from '../../../shared/contracts/desk-projects.ts'
import { call } from '../../lib/server/client.ts'

// Every read of posts, projects and pictures begins with `content`, for the stream of changes has one topic for all.

/** Past the last row: only how many there are is asked for, and no rows have to be sent. */
const nowhere = 9_999_999

export const postCountQuery = queryOptions({
  queryKey: ['content', 'posts', 'count'],
  queryFn: async ({ signal }) =>
    (await call(deskPostRoutes.listPosts, { query: { offset: nowhere }, signal })).total,
})

export const projectCountsQuery = queryOptions({
  queryKey: ['content', 'projects', 'counts'],
  queryFn: async ({ signal }) =>
    (await call(deskProjectRoutes.listProjects, { query: { offset: nowhere }, signal })).counts,
})

export const imageCountQuery = queryOptions({
  queryKey: ['content', 'images', 'count'],
  queryFn: async ({ signal }) =>
    (await call(deskImageRoutes.listImages, { query: { offset: nowhere }, signal })).total,
})
