import { z } from 'zod'
import { document, reply, route } from '../route.ts'
import type { MultipartPart } from '../route.ts'
import { maxBlogImageBytes, maxShowcaseImageBytes, uploadSuccessSchema } from './images.ts'

// Section 4.4, and the addresses under which pictures are served.

/** The part `image` of an upload. */
export function imagePart(maxBytes: number): MultipartPart {
  return {
    kind: 'file',
    maxBytes,
    description: `JPEG, PNG, WebP, GIF or AVIF, at most ${maxBytes} bytes; the bytes decide which.`,
    mediaType: 'image/*',
  }
}

const fileParams = z.object({
  file: z
    .string()
    .max(80)
    .describe(
      'The SHA-256 of the picture with the ending of its type: `jpg`, `png`, `webp`, `gif` or `avif`.',
    ),
})

export const uploadRoutes = {
  uploadBlogImage: route({
    method: 'POST',
    path: '/api/blog/upload-image',
    tag: 'Uploads',
    summary: 'Add a picture for the blog',
    access: 'administrator',
    statuses: 'upload',
    body: { kind: 'multipart', parts: { image: imagePart(maxBlogImageBytes) } },
    reply: reply(uploadSuccessSchema, 'Where it is'),
    errors: [
      'INVALID_IMAGE',
      'INVALID_MULTIPART',
      'BODY_TOO_LARGE',
      'BODY_INCOMPLETE',
      'TOO_MANY_REQUESTS',
      'STORAGE_UNAVAILABLE',
    ],
  }),
  uploadShowcaseImage: route({
    method: 'POST',
    path: '/api/showcase/upload-image',
    tag: 'Uploads',
    summary: 'Add a picture for a showcase project; one that no project uses is deleted after a day',
    access: 'public',
    statuses: 'upload',
    body: { kind: 'multipart', parts: { image: imagePart(maxShowcaseImageBytes) } },
    reply: reply(uploadSuccessSchema, 'Where it is'),
    errors: [
      'INVALID_IMAGE',
      'INVALID_MULTIPART',
      'BODY_TOO_LARGE',
      'BODY_INCOMPLETE',
      'TOO_MANY_REQUESTS',
      'STORAGE_UNAVAILABLE',
    ],
  }),
  getUpload: route({
    method: 'GET',
    path: '/uploads/{file}',
    tag: 'Uploads',
    summary: 'Get a picture as it was sent',
    access: 'public',
    params: fileParams,
    reply: document('image/*', 'The same bytes'),
    errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'],
  }),
  getMedia: route({
    method: 'GET',
    path: '/media/{file}',
    tag: 'Uploads',
    summary: 'Get a copy of a picture as pages show it: upright and without metadata',
    access: 'public',
    params: fileParams,
    reply: document('image/*', 'The copy'),
    errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'],
  }),
}
