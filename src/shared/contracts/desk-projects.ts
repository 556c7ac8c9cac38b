import { z } from 'zod'
import { json, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { projectContentSchema, submittedProjectSchema } from './content.ts'
import { deskOffsetSchema, idParamsSchema, instantSchema, maxSearchCharacters } from './desk-common.ts'
import { imageSchema } from './images.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

/** Maximum characters of the reason for a decision. */
export const maxProjectReason = 2000

const editErrors = ['EDITED_ELSEWHERE', 'NOT_FOUND'] as const

export const projectStatuses = ['pending', 'approved', 'rejected'] as const
export type ProjectStatus = (typeof projectStatuses)[number]

const projectRowSchema = z
  .strictObject({
    id: z.int(),
    title: z.string(),
    slug: z.string(),
    author: z.string(),
    status: z.enum(projectStatuses),
    featured: z.boolean(),
    submittedAt: instantSchema,
    decidedAt: instantSchema.nullable(),
    decidedBy: z.string().nullable(),
    imageCount: z.int(),
  })
  .meta({ id: 'ProjectRow' })
export type ProjectRow = z.infer<typeof projectRowSchema>

const deskProjectSchema = z
  .strictObject({
    ...projectRowSchema.shape,
    content: projectContentSchema,
    reason: z.string().nullable(),
    revision: z.int(),
    url: z.string().nullable(),
    images: z.array(imageSchema),
    /** The number of anonymous uploads that only this project uses; they are deleted with it. */
    ownImages: z.int(),
  })
  .meta({ id: 'DeskProject' })
export type DeskProject = z.infer<typeof deskProjectSchema>

export const deskProjectRoutes = {
  listProjects: route('GET /desk/api/projects', 'editor', {
    summary: 'List showcase projects: pending ones by waiting time, approved ones in their public order',
    query: z.object({
      status: z.enum(projectStatuses).optional(),
      q: z.string().max(maxSearchCharacters).optional().describe('Part of a title, slug or author.'),
      offset: deskOffsetSchema,
    }),
    reply: reply(
      z.strictObject({
        items: z.array(projectRowSchema),
        total: z.int(),
        counts: z.strictObject({ pending: z.int(), approved: z.int(), rejected: z.int() }),
        submitted: z.int().describe('The number of projects ever submitted, including deleted ones.'),
      }),
      'A page',
    ),
  }),
  getProject: route('GET /desk/api/projects/{id}', 'editor', {
    summary: 'Get a project',
    params: idParamsSchema,
    reply: reply(deskProjectSchema, 'The project'),
    errors: ['NOT_FOUND'],
  }),
  saveProject: route('PUT /desk/api/projects/{id}', 'editor', {
    summary: 'Edit a project; changes to an approved one are public immediately',
    params: idParamsSchema,
    body: json(z.strictObject({ revision: z.int().min(0), content: submittedProjectSchema }), 262_144),
    reply: reply(deskProjectSchema, 'The project'),
    errors: ['SLUG_TAKEN', ...editErrors],
  }),
  deleteProject: route('DELETE /desk/api/projects/{id}', 'editor', {
    summary:
      'Delete a rejected project; its anonymous uploads that nothing else uses are deleted a day after their upload',
    params: idParamsSchema,
    reply: reply(successSchema, 'Deleted'),
    errors: ['INVALID_TRANSITION', 'NOT_FOUND'],
  }),
  decideProject: route('POST /desk/api/projects/{id}/decision', 'editor', {
    summary:
      'Approve a project, or reject it with review notes; rejecting an approved project hides it immediately',
    params: idParamsSchema,
    body: json(
      z.strictObject({
        action: z.enum(['approved', 'rejected']),
        reason: z.string().trim().max(maxProjectReason).default(''),
      }),
    ),
    reply: reply(deskProjectSchema, 'The project'),
    errors: ['INVALID_TRANSITION', 'SLUG_TAKEN', 'NOT_FOUND'],
  }),
  featureProject: route('PUT /desk/api/projects/{id}/featured', 'editor', {
    summary: 'Feature an approved project, or stop featuring it',
    params: idParamsSchema,
    body: json(z.strictObject({ featured: z.boolean() })),
    reply: reply(successSchema, 'Done'),
    errors: ['INVALID_TRANSITION', 'NOT_FOUND'],
  }),
  orderProjects: route('PUT /desk/api/project-order', 'editor', {
    summary: 'Move an approved project before another one, or to the end with null',
    body: json(z.strictObject({ id: z.int().positive(), before: z.int().positive().nullable() })),
    reply: reply(successSchema, 'Done'),
    errors: ['INVALID_TRANSITION', 'NOT_FOUND'],
  }),
}
