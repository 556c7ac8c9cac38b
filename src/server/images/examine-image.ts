import sharp from 'sharp'
import type { Sharp } from 'sharp'
import type { ImageType, Rendition } from '../../shared/contracts/images.ts'
import { maxImagePixels, renditionWidths } from '../../shared/contracts/images.ts'
import { openWindow } from './file-window.ts'
import type { FileWindow } from './file-window.ts'
import { renditionPath } from './image-messages.ts'
import type { ImageExamination, MadeRendition } from './image-messages.ts'
import { followOutline } from './picture-outline.ts'
import { tellsPosition } from './picture-position.ts'
import { PictureProblem } from './picture-problem.ts'
import { headBytes, typeOf } from './picture-type.ts'

// Only these decoders are used, whatever else the library would recognize in a file.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((decoder) => `VipsForeignLoad${decoder}File`),
})
sharp.concurrency(1)
sharp.cache(false)

/** No format of them has longer sides, and no picture of a page. */
const maxSide = 65_535
/** What WebP allows, rounded down. */
const maxRenditionHeight = 16_000

const steps: readonly Rendition['step'][] = ['small', 'medium', 'large']
const formats: Record<string, ImageType> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  heif: 'image/avif',
}

/**
 * Says what the picture at `path` is and puts its copies beside it, or says what is wrong with it. Throws only when
 * the file cannot be read or a copy not be written.
 */
export async function examineImage(path: string): Promise<ImageExamination> {
  const file = openWindow(path)
  try {
    const facts = await readFacts(path, file)
    return { ok: true, ...facts, renditions: await makeRenditions(path, facts.frames) }
  } catch (error) {
    if (!(error instanceof PictureProblem)) throw error
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
  // The library went by the same bytes; where it sees something else, they are not what they begin as.
  if (formats[metadata.format] !== type || (type === 'image/avif' && metadata.compression !== 'av1')) {
    throw new PictureProblem('The file begins as a picture and is none. Send it as it came from its program.')
  }
  const frames = Math.max(outline?.frames ?? 1, metadata.pages ?? 1)
  const upright =
    metadata.pageHeight === undefined
      ? metadata.autoOrient
      : { width: metadata.width, height: metadata.pageHeight }
  assertBelievable(upright.width, upright.height, frames)
  return { type, ...upright, frames, hasPosition: tellsPosition(file, metadata.exif, metadata.xmp) }
}

function assertBelievable(width: number, height: number, frames: number): void {
  if (Math.max(width, height) > maxSide) {
    throw new PictureProblem(
      `The picture is ${width} by ${height}; no side may be longer than ${maxSide}. Make it smaller.`,
    )
  }
  if (width * height * frames <= maxImagePixels) return
  const times = frames > 1 ? ` in ${frames} frames` : ''
  throw new PictureProblem(
    `The picture has ${width} by ${height} pixels${times}; ${maxImagePixels / 1_000_000} million are possible ` +
      'in all. Make it smaller.',
  )
}

const isAnimated = (type: ImageType): boolean => type === 'image/gif' || type === 'image/webp'

/** Decodes all of the picture, for nothing else shows that it is whole. */
async function makeRenditions(path: string, frames: number): Promise<MadeRendition[]> {
  const sourceOf = frames > 1 ? openAnimation(path) : await decodeStill(path)
  const made: MadeRendition[] = []
  for (const [index, step] of steps.entries()) {
    const width = renditionWidths[index] ?? 0
    // oxlint-disable-next-line no-await-in-loop
    made.push(await makeRendition(sourceOf, renditionPath(path, step), step, width, frames > 1))
  }
  return made
}

const decoding = { failOn: 'error', limitInputPixels: maxImagePixels, sequentialRead: true } as const
const fit = { height: maxRenditionHeight, fit: 'inside', withoutEnlargement: true } as const

/** Decodes once, turns it as its camera says, and has the pixels of the largest copy in memory. */
async function decodeStill(path: string): Promise<() => Sharp> {
  const width = Math.max(...renditionWidths)
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

/** All frames together would be too much to have in memory; they carry no mark of which way is up. */
function openAnimation(path: string): () => Sharp {
  return () => sharp(path, { ...decoding, animated: true })
}

async function makeRendition(
  sourceOf: () => Sharp,
  path: string,
  step: Rendition['step'],
  width: number,
  hasFrames: boolean,
): Promise<MadeRendition> {
  try {
    const info = await sourceOf()
      .resize({ width, ...fit })
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

/** The library's reasons are for programmers; those that are about this machine stay what they are. */
function damaged(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error)
  if (noRoom.test(message)) return error
  if (/premature end|truncated|bad seek|read error|unexpected end|end of (?:file|data)/i.test(message)) {
    return new PictureProblem('The picture ends before it is complete. Send the whole file.')
  }
  return new PictureProblem('The picture cannot be decoded: it is damaged or incomplete. Send it again.')
}
