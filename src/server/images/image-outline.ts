import type { ImageType } from '../../shared/contracts/images.ts'
import type { FileWindow } from './file-window.ts'
import { ImageProblem } from './image-problem.ts'
import { texts } from './images.texts.ts'

const incomplete = (): ImageProblem => new ImageProblem(texts.incomplete)

/**
 * Parses the structure of an image to its end, for formats whose decoder doesn't notice truncation, and returns the
 * number of frames if the decoder doesn't count them, else null. Data after the end is ignored. Throws ImageProblem.
 */
export function followOutline(file: FileWindow, type: ImageType): { frames: number } | null {
  if (type === 'image/png') return followPng(file)
  if (type === 'image/gif') followGif(file)
  if (type === 'image/jpeg') followJpeg(file)
  return null
}

const endOfImage = 0xd9
const startOfScan = 0xda
const sliceBytes = 65_536

/** A truncated JPEG decodes without an error; only its last rows are missing. */
function followJpeg(file: FileWindow): void {
  let at = 2
  for (;;) {
    const head = file.read(at, 4)
    if (head[0] !== 0xff) {
      // Skips data between two segments, as decoders do; there must be another segment.
      at = findMarker(file, at)
      continue
    }
    const marker = head[1]
    if (marker === endOfImage) return
    if (marker === undefined || head.length < 4) throw incomplete()
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else {
      at += 2 + head.readUInt16BE(2)
      if (marker === startOfScan) at = findMarker(file, at)
    }
  }
}

/** Position of the next marker, except for those that occur within a scan. */
function findMarker(file: FileWindow, from: number): number {
  let at = from
  for (;;) {
    const slice = file.read(at, sliceBytes)
    if (slice.length < 2) throw incomplete()
    for (let found = slice.indexOf(0xff); found >= 0; found = slice.indexOf(0xff, found + 1)) {
      const next = slice[found + 1]
      const isWithin = next === 0 || next === 0xff || (next !== undefined && next >= 0xd0 && next <= 0xd7)
      if (next !== undefined && !isWithin) return at + found
    }
    // The last byte may be the first half of a marker.
    at += slice.length - 1
  }
}

/** An animated PNG has its number of frames in `acTL`, which the decoder ignores. */
function followPng(file: FileWindow): { frames: number } {
  let frames = 1
  let at = 8
  for (;;) {
    const head = file.read(at, 12)
    if (head.length < 12) throw incomplete()
    const length = head.readUInt32BE(0)
    const name = head.toString('latin1', 4, 8)
    if (name === 'acTL') frames = Math.max(1, head.readUInt32BE(8))
    at += 12 + length
    if (at > file.size) throw incomplete()
    if (name === 'IEND') return { frames }
  }
}

function followGif(file: FileWindow): void {
  const byte = (at: number): number => {
    const value = file.read(at, 1)[0]
    if (value === undefined) throw incomplete()
    return value
  }
  const afterTable = (flags: number, at: number): number =>
    (flags & 0x80) === 0 ? at : at + 3 * 2 ** ((flags & 7) + 1)
  const afterBlocks = (from: number): number => {
    let at = from
    for (let length = byte(at); length > 0; length = byte(at)) at += 1 + length
    return at + 1
  }

  let at = afterTable(byte(10), 13)
  for (;;) {
    const kind = byte(at)
    if (kind === 0x3b) return
    if (kind === 0x21) at = afterBlocks(at + 2)
    else if (kind === 0x2c) at = afterBlocks(afterTable(byte(at + 9), at + 10) + 1)
    else throw new ImageProblem(texts.damagedGif)
  }
}
