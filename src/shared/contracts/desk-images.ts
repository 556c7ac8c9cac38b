import { z } from 'zod'
import { document, reply, route } from '../route.ts'
import { successSchema } from './common.ts'
import { deskOffsetSchema } from './desk-common.ts'
import { deskPageSize } from '../list-page.ts'
import { imageSchema, maxBlogImageBytes, renditionSteps } from './images.ts'

// Part of the desk API, on the local listener under /desk/api (rulings, "Own endpoints").

const imageRowSchema = z
  .strictObject({
    ...imageSchema.shape,
    /** The posts and projects that use the image, including drafts. */
    usedBy: z.array(z.strictObject({ kind: z.enum(['post', 'project']), id: z.int(), title: z.string() })),
  })
  .meta({ id: 'ImageRow' })
export type ImageRow = z.infer<typeof imageRowSchema>

const digestParam = z.string().regex(/^[a-f0-9]{64}$/)

export const deskImageRoutes = {
  listImages: route('GET /desk/api/images', 'editor', {
    summary: `List images and where each is used, newest first, ${deskPageSize} per page`,
    query: z.object({ use: z.enum(['used', 'unused']).optional(), offset: deskOffsetSchema }),
    reply: reply(
      z.strictObject({ items: z.array(imageRowSchema), total: z.int(), bytes: z.int() }),
      'A page, the total number, and the total size in bytes',
    ),
  }),
  uploadImage: route('POST /desk/api/images', 'editor', {
    summary: 'Upload an image',
    body: {
      kind: 'multipart',
      parts: {
        image: {
          kind: 'file',
          maxBytes: maxBlogImageBytes,
          description: 'JPEG, PNG, WebP, GIF or AVIF, at most 100 MiB.',
          mediaType: 'image/*',
        },
      },
    },
    reply: reply(imageSchema, 'The image'),
    errors: ['INVALID_IMAGE', 'TOO_MANY_REQUESTS', 'STORAGE_UNAVAILABLE'],
  }),
  deleteImage: route('DELETE /desk/api/images/{sha256}', 'editor', {
    summary: 'Delete an unused image',
    params: z.object({ sha256: digestParam }),
    reply: reply(successSchema, 'Deleted'),
    errors: ['IMAGE_IN_USE', 'NOT_FOUND'],
  }),
  getRendition: route('GET /desk/api/images/{sha256}/{step}', 'editor', {
    summary: 'Get a rendition of an image, as public pages show it',
    params: z.object({ sha256: digestParam, step: z.enum(renditionSteps) }),
    reply: document('image/*', 'The rendition'),
    errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE'],
  }),
}
