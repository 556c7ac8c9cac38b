import { z } from 'zod'
import { imageTypes, maxImagePixels, renditionSchema } from '../../shared/contracts/images.ts'
import type { ImageType, Rendition } from '../../shared/contracts/images.ts'
import type { HelperAnswer } from '../processes/helper-worker.ts'

/** A copy that lies in a file beside the picture. */
export type MadeRendition = Omit<Rendition, 'sha256'>

/** What a picture is, and its copies; or what is wrong with it, in words for whoever sent it. */
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
  /** `isStuck`: the process is still at work on it and has to be ended. */
  | { ok: false; problem: string; isStuck?: boolean | undefined }

/** What the process says of each picture. `failed`: the file could not be read or its copies not be written. */
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
    renditions: z.array(renditionSchema.omit({ sha256: true })).length(3),
  }),
  z.object({
    ...answered,
    ok: z.literal(false),
    problem: z.string().min(1).max(500),
    isStuck: z.boolean().optional(),
  }),
  z.object({ ...answered, ok: z.null(), failed: z.string() }),
])

/** Where the process puts a copy of the picture at `path`; a start sweeps away what was left there. */
export function renditionPath(path: string, step: Rendition['step']): string {
  return `${path}.${step}.part`
}
