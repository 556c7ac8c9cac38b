import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { maxSlugCharacters, postContentSchema } from './content.ts'
import { deskOffsetSchema, idParamsSchema, idTextSchema, instantSchema } from './desk-common.ts'
import { deskWriteErrors } from './desk-people.ts'
import { imageSchema } from './images.ts'

// Part of the desk's own interface, on the loopback listener under /desk/api (rulings, "Own endpoints").

/** `scheduled`: published, with a time that has not come. */
export const postStates = ['draft', 'scheduled', 'published'] as const
export type PostState = (typeof postStates)[number]

export const postRowSchema = z
  .strictObject({
    id: z.int(),
    title: z.string(),
    slug: z.string(),
    state: z.enum(postStates),
    publishAt: instantSchema.nullable(),
    updatedAt: instantSchema,
    updatedBy: z.string(),
    tags: z.array(z.string()),
    /** Whether what is written differs from what is public. */
    changed: z.boolean(),
  })
  .meta({ id: 'PostRow' })
export type PostRow = z.infer<typeof postRowSchema>

export const deskPostSchema = z
  .strictObject({
    ...postRowSchema.shape,
    createdAt: instantSchema,
    content: postContentSchema,
    /** Goes up with each save; a save names the one that it began from. */
    revision: z.int(),
    /** Where the public reads it, once published. */
    url: z.string().nullable(),
    /** The pictures that it names. */
    images: z.array(imageSchema),
  })
  .meta({ id: 'DeskPost' })
export type DeskPost = z.infer<typeof deskPostSchema>

export const postVersionSchema = z.strictObject({
  id: z.int(),
  /** `autosaved` ones are thinned out: the last of each hour is kept. */
  kind: z.enum(['autosaved', 'published', 'restored']),
  savedAt: instantSchema,
  savedBy: z.string(),
  title: z.string(),
  characters: z.int(),
  /** Whether it is the one that the public reads. */
  public: z.boolean(),
})
export type PostVersion = z.infer<typeof postVersionSchema>

const saveBody = z.strictObject({ revision: z.int().min(0), content: postContentSchema })
const saved = z.strictObject({ revision: z.int(), savedAt: instantSchema })
const maxSaveBytes = 2_097_152
const editErrors = ['EDITED_ELSEWHERE', ...deskWriteErrors] as const

export const deskPostRoutes = {
  listPosts: route({
    method: 'GET',
    path: '/desk/api/posts',
    tag: 'Desk',
    summary: 'List posts, last changed first, 100 a page',
    access: 'administrator',
    query: z.object({
      state: z.enum(postStates).optional(),
      q: z.string().max(100).optional().describe('Part of a title, slug or tag.'),
      offset: deskOffsetSchema,
    }),
    reply: reply(z.strictObject({ items: z.array(postRowSchema), total: z.int() }), 'A page'),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
  createPost: route({
    method: 'POST',
    path: '/desk/api/posts',
    tag: 'Desk',
    summary: 'Begin a post',
    access: 'administrator',
    reply: reply(deskPostSchema, 'The empty draft', 201),
    errors: deskWriteErrors,
  }),
  getPost: route({
    method: 'GET',
    path: '/desk/api/posts/{id}',
    tag: 'Desk',
    summary: 'Get a post as it is being written',
    access: 'administrator',
    params: idParamsSchema,
    reply: reply(deskPostSchema, 'The post'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  savePost: route({
    method: 'PUT',
    path: '/desk/api/posts/{id}',
    tag: 'Desk',
    summary: 'Save what is written; what the public reads stays as it is',
    access: 'administrator',
    params: idParamsSchema,
    body: json(saveBody, maxSaveBytes),
    reply: reply(saved, 'Saved'),
    errors: editErrors,
  }),
  deletePost: route({
    method: 'DELETE',
    path: '/desk/api/posts/{id}',
    tag: 'Desk',
    summary: 'Delete a post that is not public',
    access: 'administrator',
    params: idParamsSchema,
    reply: reply(successSchema, 'Deleted'),
    errors: ['INVALID_TRANSITION', ...deskWriteErrors],
  }),
  publishPost: route({
    method: 'POST',
    path: '/desk/api/posts/{id}/publish',
    tag: 'Desk',
    summary: 'Make what is written public, now or at a time',
    access: 'administrator',
    params: idParamsSchema,
    body: json(z.strictObject({ revision: z.int().min(0), at: instantSchema.nullable() })),
    reply: reply(deskPostSchema, 'The post'),
    errors: ['VALIDATION_FAILED', 'SLUG_TAKEN', ...editErrors],
  }),
  unpublishPost: route({
    method: 'POST',
    path: '/desk/api/posts/{id}/unpublish',
    tag: 'Desk',
    summary: 'Take a post from the public; it is a draft again',
    access: 'administrator',
    params: idParamsSchema,
    reply: reply(deskPostSchema, 'The post'),
    errors: ['INVALID_TRANSITION', ...deskWriteErrors],
  }),
  listPostVersions: route({
    method: 'GET',
    path: '/desk/api/posts/{id}/versions',
    tag: 'Desk',
    summary: 'List what a post was before, newest first',
    access: 'administrator',
    params: idParamsSchema,
    reply: reply(z.strictObject({ items: z.array(postVersionSchema) }), 'The versions'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  getPostVersion: route({
    method: 'GET',
    path: '/desk/api/posts/{id}/versions/{version}',
    tag: 'Desk',
    summary: 'Get one of them whole',
    access: 'administrator',
    params: z.object({ id: idTextSchema, version: idTextSchema }),
    reply: reply(z.strictObject({ version: postVersionSchema, content: postContentSchema }), 'The version'),
    errors: ['NOT_FOUND', 'DATABASE_UNAVAILABLE'],
  }),
  restorePostVersion: route({
    method: 'POST',
    path: '/desk/api/posts/{id}/versions/{version}/restore',
    tag: 'Desk',
    summary: 'Go on writing from an earlier version',
    access: 'administrator',
    params: z.object({ id: idTextSchema, version: idTextSchema }),
    body: json(z.strictObject({ revision: z.int().min(0) })),
    reply: reply(deskPostSchema, 'The post'),
    errors: editErrors,
  }),
  checkSlug: route({
    method: 'GET',
    path: '/desk/api/slugs/{kind}/{slug}',
    tag: 'Desk',
    summary: 'Tell whether a slug is free, and suggest a free one',
    access: 'administrator',
    params: z.object({ kind: z.enum(['post', 'project']), slug: z.string().max(maxSlugCharacters) }),
    query: z.object({ id: idTextSchema.optional().describe('Of what asks: its own slug is free for it.') }),
    reply: reply(
      z.strictObject({
        free: z.boolean(),
        problem: z.string().nullable(),
        suggestion: z.string().nullable(),
      }),
      'Whether it can be had',
    ),
    errors: ['DATABASE_UNAVAILABLE'],
  }),
}
