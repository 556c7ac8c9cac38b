import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { ImageType, RenditionStep } from '../../shared/contracts/images.ts'
import { maxImagePixels, renditionSteps, renditionWidths } from '../../shared/contracts/images.ts'
import { messageOf } from '../../shared/errors.ts'
import { openWindow } from './file-window.ts'
import type { FileWindow } from './file-window.ts'
import { renditionPath } from './image-messages.ts'
import type { ImageExamination, MadeRendition } from './image-messages.ts'
import { followOutline } from './image-outline.ts'
import { hasGpsPosition } from './image-position.ts'
import { ImageProblem } from './image-problem.ts'
import { headBytes, typeOf } from './image-type.ts'
import { texts } from './images.texts.ts'

// Allows only these decoders, whatever else the library supports.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((decoder) => `VipsForeignLoad${decoder}File`),
})
sharp.concurrency(1)
sharp.cache(false)

/** Maximum side of the supported formats. */
const maxSide = 65_535
/** Maximum side of WebP, rounded down. */
const maxRenditionHeight = 16_000

const formats: Record<string, ImageType> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  heif: 'image/avif',
}

/**
 * Examines the image at `path` and writes its renditions next to it, or returns the problem. Throws only if the file
 * can't be read or a rendition can't be written.
 */
export async function examineImage(path: string): Promise<ImageExamination> {
  const file = openWindow(path)
  try {
    const facts = await readFacts(path, file)
    return { ok: true, ...facts, renditions: await makeRenditions(path, facts.frames) }
  } catch (error) {
    if (!(error instanceof ImageProblem)) throw error
    return { ok: false, problem: error.message }
  } finally {
    file.close()
  }
}

async function readFacts(path: string, file: FileWindow) {
  const type = typeOf(file.read(0, headBytes))
  const outline = followOutline(file, type)
  const metadata = await sharp(path, { animated: isAnimated(type), limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw damaged(error)
    })
  // The library examined the same bytes; if it found another type, the file only starts like this one.
  if (formats[metadata.format] !== type || (type === 'image/avif' && metadata.compression !== 'av1')) {
    throw new ImageProblem(texts.otherContent)
  }
  const frames = Math.max(outline?.frames ?? 1, metadata.pages ?? 1)
  const upright =
    metadata.pageHeight === undefined
      ? metadata.autoOrient
      : { width: metadata.width, height: metadata.pageHeight }
  assertSize(upright.width, upright.height, frames)
  return { type, ...upright, frames, hasPosition: hasGpsPosition(file, metadata.exif, metadata.xmp) }
}

function assertSize(width: number, height: number, frames: number): void {
  if (Math.max(width, height) > maxSide) {
    throw new ImageProblem(texts.tooLong(width, height, maxSide))
  }
  if (width * height * frames <= maxImagePixels) return
  throw new ImageProblem(texts.tooManyPixels(width, height, frames, maxImagePixels))
}

const isAnimated = (type: ImageType): boolean => type === 'image/gif' || type === 'image/webp'

/** Decodes the complete image, because nothing else proves that it is intact. */
async function makeRenditions(path: string, frames: number): Promise<MadeRendition[]> {
  const sourceOf = frames > 1 ? openAnimation(path) : await decodeStill(path)
  const made: MadeRendition[] = []
  for (const step of renditionSteps) {
    made.push(await makeRendition(sourceOf, renditionPath(path, step), step, frames > 1))
  }
  return made
}

const decoding = { failOn: 'error', limitInputPixels: maxImagePixels, sequentialRead: true } as const
const fit = { height: maxRenditionHeight, fit: 'inside', withoutEnlargement: true } as const

/** Decodes once, applies the camera's orientation, and keeps the pixels of the largest rendition in memory. */
async function decodeStill(path: string): Promise<() => Sharp> {
  const width = Math.max(...Object.values(renditionWidths))
  try {
    const { data, info } = await sharp(path, { ...decoding, autoOrient: true })
      .resize({ width, ...fit })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    return () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  } catch (error) {
    throw damaged(error)
  }
}

/** All frames together would need too much memory, so each rendition decodes again; animations have no orientation. */
function openAnimation(path: string): () => Sharp {
  return () => sharp(path, { ...decoding, animated: true })
}

async function makeRendition(
  sourceOf: () => Sharp,
  path: string,
  step: RenditionStep,
  hasFrames: boolean,
): Promise<MadeRendition> {
  try {
    const info = await sourceOf()
      .resize({ width: renditionWidths[step], ...fit })
      .webp({ quality: 82, smartSubsample: true, effort: hasFrames ? 2 : 4 })
      .toFile(path)
    return {
      step,
      type: 'image/webp',
      width: info.width,
      height: info.pageHeight ?? info.height,
      size: info.size,
    }
  } catch (error) {
    throw damaged(error)
  }
}

const noRoom =
  /no space left|unable to (?:open|write|create)|write error|read-only file system|permission denied/i

/** Turns the library's errors into messages for users, except for those about this machine. */
function damaged(error: unknown): unknown {
  const message = messageOf(error)
  if (noRoom.test(message)) return error
  if (/premature end|truncated|bad seek|read error|unexpected end|end of (?:file|data)/i.test(message)) {
    return new ImageProblem(texts.incomplete)
  }
  return new ImageProblem(texts.damaged)
}
