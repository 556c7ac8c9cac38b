import { z } from 'zod'

/** What the bytes of a picture may be (section 4.4), whatever its name and its declared type say. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const
export type ImageType = (typeof imageTypes)[number]

/** Section 8 and rulings: bytes of one upload. */
export const maxBlogImageBytes = 104_857_600
export const maxShowcaseImageBytes = 10_485_760
/** Width times height times frames. */
export const maxImagePixels = 40_000_000

/** The widths in which public pages show a picture; a narrower picture keeps its own. */
export const renditionWidths = [480, 960, 1600] as const

const digestSchema = z.string().regex(/^[a-f0-9]{64}$/)

/** A copy that pages show: turned upright, without metadata. Named by the digest of its own bytes. */
export const renditionSchema = z.strictObject({
  /** One of the three steps, also where the picture itself is narrower. */
  step: z.enum(['small', 'medium', 'large']),
  sha256: digestSchema,
  type: z.enum(imageTypes),
  width: z.int().positive(),
  height: z.int().positive(),
  size: z.int().positive(),
})
export type Rendition = z.infer<typeof renditionSchema>

/** A picture as it was uploaded. */
export const imageSchema = z
  .strictObject({
    sha256: digestSchema,
    type: z.enum(imageTypes),
    /** Upright: after the orientation that it carries. */
    width: z.int().positive(),
    height: z.int().positive(),
    frames: z.int().positive(),
    size: z.int().positive(),
    /** Whether it tells where it was taken; public copies do not. */
    hasPosition: z.boolean(),
    uploadedAt: z.iso.datetime(),
    /** Null for a picture from the public form or upload. */
    uploadedBy: z.string().nullable(),
    renditions: z.array(renditionSchema),
  })
  .meta({ id: 'Image' })
export type Image = z.infer<typeof imageSchema>

/** UploadSuccess (rulings, "Bodies"). */
export const uploadSuccessSchema = z
  .strictObject({
    url: z.url().describe('Serves the same bytes.'),
    key: z.string(),
  })
  .meta({ id: 'UploadSuccess' })
export type UploadSuccess = z.infer<typeof uploadSuccessSchema>

/** The name of a picture's file, below /uploads/ as it was sent, below /media/ for a rendition. */
export function imageFileName(sha256: string, type: ImageType): string {
  return `${sha256}.${type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)}`
}
