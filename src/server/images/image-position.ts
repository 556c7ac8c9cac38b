import type { FileWindow } from './file-window.ts'

const sliceBytes = 1_048_576
const longestMark = 64

/**
 * Marks of location data: XMP in any of its containers, the tables of a text chunk, and the video of a motion photo
 * (ISO 6709 in `©xyz`, or Apple's own key).
 */
const marks =
  /GPS(?:Latitude|Longitude|Position|Coordinates|DestLatitude)|\xA9xyz\0.{3}[+-]\d|com\.apple\.quicktime\.location\.ISO6709/s

/** Whether an image contains location data. `exif` and `xmp` come from its decoder. */
export function hasGpsPosition(file: FileWindow, exif: Buffer | undefined, xmp: Buffer | undefined): boolean {
  if (exif !== undefined && hasGpsPlace(exif)) return true
  if (xmp !== undefined && marks.test(xmp.toString('latin1'))) return true
  for (let at = 0; at < file.size; at += sliceBytes - longestMark) {
    if (marks.test(file.read(at, sliceBytes).toString('latin1'))) return true
  }
  return false
}

const gpsDirectory = 0x8825
/** Latitude and longitude of the camera, and of its target. */
const placeTags = new Set([0x02, 0x04, 0x14, 0x16])

/** Looks for a position in the directories of an Exif block; broken ones are ignored. */
function hasGpsPlace(exif: Buffer): boolean {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return false
  const short = (at: number): number => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number): number => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const entriesOf = (at: number): { tag: number; value: number }[] => {
    if (at + 2 > tiff.length) return []
    const count = Math.min(short(at), Math.floor((tiff.length - at - 2) / 12))
    return Array.from({ length: count }, (_, index) => {
      const entry = at + 2 + index * 12
      return { tag: short(entry), value: long(entry + 8) }
    })
  }
  const gps = entriesOf(long(4)).find(({ tag }) => tag === gpsDirectory)
  return gps !== undefined && entriesOf(gps.value).some(({ tag }) => placeTags.has(tag))
}
