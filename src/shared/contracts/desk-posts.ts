import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { maxSlugCharacters, postContentSchema } from './content.ts'
import {
  deskOffsetSchema,
  idParamsSchema,
  idTextSchema,
  instantSchema,
  maxSearchCharacters,
} from './desk-common.ts'
import { deskPageSize } from '../list-page.ts'
import { imageSchema } from './images.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

/** `scheduled`: published with a time in the future. */
export const postStates = ['draft', 'scheduled', 'published'] as const
export type PostState = (typeof postStates)[number]

const postRowSchema = z
  .strictObject({
    id: z.int(),
    title: z.string(),
    slug: z.string(),
    state: z.enum(postStates),
    publishAt: instantSchema.nullable(),
    updatedAt: instantSchema,
    updatedBy: z.string(),
    tags: z.array(z.string()),
    /** Whether the draft differs from the published version. */
    changed: z.boolean(),
  })
  .meta({ id: 'PostRow' })
export type PostRow = z.infer<typeof postRowSchema>

const deskPostSchema = z
  .strictObject({
    ...postRowSchema.shape,
    createdAt: instantSchema,
    content: postContentSchema,
    /** Increases with every save; a save names the revision that it is based on. */
    revision: z.int(),
    /** The public address; null unless published. */
    url: z.string().nullable(),
    /** The images that the post uses. */
    images: z.array(imageSchema),
  })
  .meta({ id: 'DeskPost' })
export type DeskPost = z.infer<typeof deskPostSchema>

const postVersionSchema = z.strictObject({
  id: z.int(),
  /** Consecutive `autosaved` versions by one person within an hour are kept as one: the last. */
  kind: z.enum(['autosaved', 'published', 'restored']),
  savedAt: instantSchema,
  savedBy: z.string(),
  title: z.string(),
  characters: z.int(),
  /** Whether it is the published version. */
  public: z.boolean(),
})
export type PostVersion = z.infer<typeof postVersionSchema>

const saveBody = z.strictObject({ revision: z.int().min(0), content: postContentSchema })
const saved = z.strictObject({ revision: z.int(), savedAt: instantSchema })
const maxSaveBytes = 2_097_152
const editErrors = ['EDITED_ELSEWHERE', 'NOT_FOUND'] as const

export const deskPostRoutes = {
  listPosts: route('GET /desk/api/posts', 'editor', {
    summary: `List posts, most recently changed first, ${deskPageSize} per page`,
    query: z.object({
      state: z.enum(postStates).optional(),
      q: z.string().max(maxSearchCharacters).optional().describe('Part of a title, slug or tag.'),
      offset: deskOffsetSchema,
    }),
    reply: reply(z.strictObject({ items: z.array(postRowSchema), total: z.int() }), 'A page'),
  }),
  createPost: route('POST /desk/api/posts', 'editor', {
    summary: 'Create a post',
    reply: reply(deskPostSchema, 'The empty draft', 201),
    errors: ['NOT_FOUND'],
  }),
  getPost: route('GET /desk/api/posts/{id}', 'editor', {
    summary: 'Get a post with its draft',
    params: idParamsSchema,
    reply: reply(deskPostSchema, 'The post'),
    errors: ['NOT_FOUND'],
  }),
  savePost: route('PUT /desk/api/posts/{id}', 'editor', {
    summary: 'Save the draft of a post; the published version is unchanged',
    params: idParamsSchema,
    body: json(saveBody, maxSaveBytes),
    reply: reply(saved, 'Saved'),
    errors: editErrors,
  }),
  deletePost: route('DELETE /desk/api/posts/{id}', 'editor', {
    summary: 'Delete a post that is not published',
    params: idParamsSchema,
    reply: reply(successSchema, 'Deleted'),
    errors: ['INVALID_TRANSITION', 'NOT_FOUND'],
  }),
  publishPost: route('POST /desk/api/posts/{id}/publish', 'editor', {
    summary: 'Publish the draft of a post, now or at a given time',
    params: idParamsSchema,
    body: json(z.strictObject({ revision: z.int().min(0), at: instantSchema.nullable() })),
    reply: reply(deskPostSchema, 'The post'),
    errors: ['SLUG_TAKEN', ...editErrors],
  }),
  unpublishPost: route('POST /desk/api/posts/{id}/unpublish', 'editor', {
    summary: 'Unpublish a post; it becomes a draft again',
    params: idParamsSchema,
    reply: reply(deskPostSchema, 'The post'),
    errors: ['INVALID_TRANSITION', 'NOT_FOUND'],
  }),
  listPostVersions: route('GET /desk/api/posts/{id}/versions', 'editor', {
    summary: 'List the versions of a post, newest first',
    params: idParamsSchema,
    reply: reply(z.strictObject({ items: z.array(postVersionSchema) }), 'The versions'),
    errors: ['NOT_FOUND'],
  }),
  getPostVersion: route('GET /desk/api/posts/{id}/versions/{version}', 'editor', {
    summary: 'Get one version of a post',
    params: z.object({ id: idTextSchema, version: idTextSchema }),
    reply: reply(z.strictObject({ version: postVersionSchema, content: postContentSchema }), 'The version'),
    errors: ['NOT_FOUND'],
  }),
  restorePostVersion: route('POST /desk/api/posts/{id}/versions/{version}/restore', 'editor', {
    summary: 'Restore an earlier version of a post as its draft',
    params: z.object({ id: idTextSchema, version: idTextSchema }),
    body: json(z.strictObject({ revision: z.int().min(0) })),
    reply: reply(deskPostSchema, 'The post'),
    errors: editErrors,
  }),
  checkSlug: route('GET /desk/api/slugs/{kind}/{slug}', 'editor', {
    summary: 'Check whether a slug is available, and suggest one that is',
    params: z.object({ kind: z.enum(['post', 'project']), slug: z.string().max(maxSlugCharacters) }),
    query: z.object({
      id: idTextSchema
        .optional()
        .describe(
          'The id of the post or project that the slug is for; its current slug counts as available.',
        ),
    }),
    reply: reply(
      z.strictObject({
        free: z.boolean(),
        problem: z.string().nullable(),
        suggestion: z.string().nullable(),
      }),
      'Whether the slug is available',
    ),
  }),
}
