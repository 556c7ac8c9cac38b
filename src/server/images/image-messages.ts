import { z } from 'zod'
import { imageTypes, maxImagePixels, renditionSchema, renditionSteps } from '../../shared/contracts/images.ts'
import type { ImageType, Rendition, RenditionStep } from '../../shared/contracts/images.ts'
import type { HelperAnswer } from '../processes/helper-worker.ts'

/** A rendition in a file next to the image. */
export type MadeRendition = Omit<Rendition, 'sha256'>

/** The properties and renditions of an image, or its problem as a message for the uploader. */
export type ImageExamination =
  | {
      ok: true
      type: ImageType
      width: number
      height: number
      frames: number
      hasPosition: boolean
      renditions: MadeRendition[]
    }
  /** `isStuck`: the process is still decoding it and must be killed. */
  | { ok: false; problem: string; isStuck?: boolean | undefined }

/** The process's answer for each image. `failed`: the file could not be read or a rendition could not be written. */
export type ImageAnswer = HelperAnswer & (ImageExamination | { ok: null; failed: string })

const answered = { id: z.number(), rss: z.number() }

export const imageAnswerSchema: z.ZodType<ImageAnswer> = z.union([
  z.object({
    ...answered,
    ok: z.literal(true),
    type: z.enum(imageTypes),
    width: z.int().positive(),
    height: z.int().positive(),
    frames: z.int().positive().max(maxImagePixels),
    hasPosition: z.boolean(),
    renditions: z.array(renditionSchema.omit({ sha256: true })).length(renditionSteps.length),
  }),
  z.object({
    ...answered,
    ok: z.literal(false),
    problem: z.string().min(1).max(500),
    isStuck: z.boolean().optional(),
  }),
  z.object({ ...answered, ok: z.null(), failed: z.string() }),
])

/** Path of a rendition of the image at `path`; leftovers are removed at the next start. */
export function renditionPath(path: string, step: RenditionStep): string {
  return `${path}.${step}.part`
}
