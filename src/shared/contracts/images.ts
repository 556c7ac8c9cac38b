import { z } from 'zod'

/** Supported image types (section 4.4), detected from the bytes; the file name and declared type are ignored. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const
export type ImageType = (typeof imageTypes)[number]

/** Section 8 and rulings: maximum bytes per upload. */
export const maxBlogImageBytes = 104_857_600
export const maxShowcaseImageBytes = 10_485_760
/** Limit for width × height × frames. */
export const maxImagePixels = 40_000_000

/** The size steps of renditions, smallest first, and their widths; a narrower image keeps its own width. */
export const renditionSteps = ['small', 'medium', 'large'] as const
export type RenditionStep = (typeof renditionSteps)[number]
export const largestStep = renditionSteps[2]
export const renditionWidths: Record<RenditionStep, number> = { small: 480, medium: 960, large: 1600 }

const digestSchema = z.string().regex(/^[a-f0-9]{64}$/)

/** A copy for public pages: upright and without metadata. Named by the digest of its own bytes. */
export const renditionSchema = z.strictObject({
  /** The size step; an image that is narrower than a step still has it. */
  step: z.enum(renditionSteps),
  sha256: digestSchema,
  type: z.enum(imageTypes),
  width: z.int().positive(),
  height: z.int().positive(),
  size: z.int().positive(),
})
export type Rendition = z.infer<typeof renditionSchema>

/** An image as uploaded. */
export const imageSchema = z
  .strictObject({
    sha256: digestSchema,
    type: z.enum(imageTypes),
    /** Width and height after applying the EXIF orientation. */
    width: z.int().positive(),
    height: z.int().positive(),
    frames: z.int().positive(),
    size: z.int().positive(),
    /** Whether the metadata contains a location; public copies have no metadata. */
    hasPosition: z.boolean(),
    uploadedAt: z.iso.datetime(),
    /** Null for an image from the public form or the public upload. */
    uploadedBy: z.string().nullable(),
    renditions: z.array(renditionSchema),
  })
  .meta({ id: 'Image' })
export type Image = z.infer<typeof imageSchema>

/** Undefined for an image without renditions. */
export const largestRendition = (image: Pick<Image, 'renditions'> | null): Rendition | undefined =>
  image?.renditions.find(({ step }) => step === largestStep)

/** UploadSuccess (rulings, "Bodies"). */
export const uploadSuccessSchema = z
  .strictObject({
    url: z.url().describe('Serves the uploaded bytes.'),
    key: z.string(),
  })
  .meta({ id: 'UploadSuccess' })
export type UploadSuccess = z.infer<typeof uploadSuccessSchema>

/** The file name of an image: under /uploads/ for the original, under /media/ for a rendition. */
export function imageFileName(sha256: string, type: ImageType): string {
  return `${sha256}.${type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)}`
}
