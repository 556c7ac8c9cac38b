import { z } from 'zod'
import { document, reply, route, section } from '../route.ts'
import type { MultipartPart } from '../route.ts'
import { maxBlogImageBytes, maxShowcaseImageBytes, uploadSuccessSchema } from './images.ts'

// Section 4.4, and the endpoints that serve the images.

/** The `image` part of an upload. */
function imagePart(maxBytes: number): MultipartPart {
  return {
    kind: 'file',
    maxBytes,
    description: `JPEG, PNG, WebP, GIF or AVIF, at most ${maxBytes / 1_048_576} MiB; the type is detected from the bytes.`,
    mediaType: 'image/*',
  }
}

const fileParams = z.object({
  file: z
    .string()
    .max(80)
    .describe('The SHA-256 of the image plus the file extension: `jpg`, `png`, `webp`, `gif` or `avif`.'),
})

const uploadErrors = [
  'INVALID_IMAGE',
  'INVALID_MULTIPART',
  'BODY_TOO_LARGE',
  'BODY_INCOMPLETE',
  'TOO_MANY_REQUESTS',
  'STORAGE_UNAVAILABLE',
] as const

export const uploadRoutes = section('Uploads', {
  uploadBlogImage: route('POST /api/blog/upload-image', 'editor', {
    summary: 'Upload an image for the blog',
    statuses: 'upload',
    body: { kind: 'multipart', parts: { image: imagePart(maxBlogImageBytes) } },
    reply: reply(uploadSuccessSchema, 'The address of the image'),
    errors: uploadErrors,
  }),
  uploadShowcaseImage: route('POST /api/showcase/upload-image', 'public', {
    summary: 'Upload an image for a showcase project; images that no project uses are deleted after a day',
    rateLimit: 'submission',
    statuses: 'upload',
    body: { kind: 'multipart', parts: { image: imagePart(maxShowcaseImageBytes) } },
    reply: reply(uploadSuccessSchema, 'The address of the image'),
    errors: uploadErrors,
  }),
  getUpload: route('GET /uploads/{file}', 'public', {
    summary: 'Get an image as uploaded',
    params: fileParams,
    reply: document('image/*', 'The uploaded bytes'),
    errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'],
  }),
  getMedia: route('GET /media/{file}', 'public', {
    summary: 'Get a rendition of an image, as public pages show it: upright and without metadata',
    params: fileParams,
    reply: document('image/*', 'The rendition'),
    errors: ['NOT_FOUND', 'STORAGE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'],
  }),
})
