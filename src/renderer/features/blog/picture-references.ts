import { imageReferencePrefix } from '../../../shared/contracts/content.ts'

/** `![alt](image:SHA256)` in a text, or `![alt](uploading:NAME)` while the picture is on its way. */
export interface PictureReference {
  /** `image:SHA256` or `uploading:NAME`. */
  target: string
  /** Which of those with the same target it is, from 0. */
  nth: number
  alt: string
  /** Its places in the text, and those of the alternative text in it. */
  from: number
  to: number
  altFrom: number
  altTo: number
}

export const uploadingPrefix = 'uploading:'
export const maxAltCharacters = 300

const pattern = /!\[((?:\\.|[^\]\\\n])*)\]\((image:[a-f0-9]{64}|uploading:[\w.-]+)\)/g

export function findPictures(markdown: string): PictureReference[] {
  const seen = new Map<string, number>()
  return [...markdown.matchAll(pattern)].map((match) => {
    const [whole, written = '', target = ''] = match
    const nth = seen.get(target) ?? 0
    seen.set(target, nth + 1)
    const altFrom = match.index + 2
    return {
      target,
      nth,
      alt: written.replaceAll(/\\([[\]])/g, '$1'),
      from: match.index,
      to: match.index + whole.length,
      altFrom,
      altTo: altFrom + written.length,
    }
  })
}

/** An alternative text as it is written between the brackets. */
export function writeAlt(alt: string): string {
  return alt
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/[[\]]/g, String.raw`\$&`)
    .replace(/\\+$/, '')
}

export function writePicture(target: string, alt = ''): string {
  return `![${writeAlt(alt)}](${target})`
}

export function imageTarget(sha256: string): string {
  return `${imageReferencePrefix}${sha256}`
}

/** The digest of a picture of the library; null for one that is on its way. */
export function digestOf(target: string): string | null {
  return target.startsWith(imageReferencePrefix) ? target.slice(imageReferencePrefix.length) : null
}

/** A target for a file that is being uploaded, as no other one in the text or among `taken`. */
export function uploadTarget(fileName: string, markdown: string, taken: Iterable<string>): string {
  const all = new Set([...findPictures(markdown).map(({ target }) => target), ...taken])
  const cleaned = fileName.normalize('NFKD').replaceAll(/[^\w.-]+/g, '-')
  const name = cleaned.replaceAll(/^-+|-+$/g, '').slice(-80) || 'picture'
  const dot = name.lastIndexOf('.')
  const [base, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 1; ; number += 1) {
    const target = `${uploadingPrefix}${number === 1 ? name : `${base}-${number}${end}`}`
    if (!all.has(target)) return target
  }
}
