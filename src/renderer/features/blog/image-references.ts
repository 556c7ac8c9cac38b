import { imageReferencePrefix, uploadReferencePrefix } from '../../../shared/contracts/content.ts'
import { trimCharacters, trimEndCharacters } from '../../../shared/trim-characters.ts'

/** `![alt](image:SHA256)` in a text, or `![alt](uploading:NAME)` while the image is being uploaded. */
export interface ImageReference {
  /** `image:SHA256` or `uploading:NAME`. */
  target: string
  /** Index among the references with the same target, from 0. */
  nth: number
  alt: string
  /** Offsets of the reference and of its alt text. */
  from: number
  to: number
  altFrom: number
  altTo: number
}

/** What follows the alt text. */
const targetPattern = /\]\((image:[a-f0-9]{64}|uploading:[\w.-]+)\)/y

/** Scans the text once. A regular expression for the whole reference would search the rest of the line at each `![`. */
export function findImages(markdown: string): ImageReference[] {
  const seen = new Map<string, number>()
  const images: ImageReference[] = []
  let from = -1
  for (let at = 0; at < markdown.length; at += 1) {
    const character = markdown.charAt(at)
    if (from < 0) {
      if (markdown.startsWith('![', at)) {
        from = at
        at += 1
      }
    } else if (character === '\n') from = -1
    else if (character === '\\' && markdown.charAt(at + 1) !== '\n') at += 1
    else if (character === ']') {
      targetPattern.lastIndex = at
      const [end, target] = targetPattern.exec(markdown) ?? []
      if (end !== undefined && target !== undefined) {
        const nth = seen.get(target) ?? 0
        seen.set(target, nth + 1)
        const altFrom = from + 2
        const alt = markdown.slice(altFrom, at).replaceAll(/\\([[\]])/g, '$1')
        images.push({ target, nth, alt, from, to: at + end.length, altFrom, altTo: at })
        at += end.length - 1
      }
      from = -1
    }
  }
  return images
}

/** Escapes alt text for use between the brackets. */
export function writeAlt(alt: string): string {
  const escaped = alt
    .replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
    .replaceAll(/[[\]]/g, String.raw`\$&`)
  return trimEndCharacters(escaped, '\\')
}

export function writeImage(target: string, alt = ''): string {
  return `![${writeAlt(alt)}](${target})`
}

export function imageTarget(sha256: string): string {
  return `${imageReferencePrefix}${sha256}`
}

/** The digest of an image in the media library; null for one that is being uploaded. */
export function digestOf(target: string): string | null {
  return target.startsWith(imageReferencePrefix) ? target.slice(imageReferencePrefix.length) : null
}

/** A target for a file that is being uploaded, unique in the text and among `taken`. */
export function uploadTarget(fileName: string, markdown: string, taken: Iterable<string>): string {
  const all = new Set([...findImages(markdown).map(({ target }) => target), ...taken])
  const cleaned = fileName.normalize('NFKD').replaceAll(/[^\w.-]+/g, '-')
  const name = trimCharacters(cleaned, '-').slice(-80) || 'image'
  const dot = name.lastIndexOf('.')
  const [base, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 1; ; number += 1) {
    const target = `${uploadReferencePrefix}${number === 1 ? name : `${base}-${number}${end}`}`
    if (!all.has(target)) return target
  }
}
