import type { ImageType } from '../../shared/contracts/images.ts'
import { ImageProblem } from './image-problem.ts'
import { texts } from './images.texts.ts'

/** Bytes at the start of a file that determine its type. */
export const headBytes = 512

/** Other types that people upload, with their names. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, texts.types.pdf],
  [/^(?:II\*\0|MM\0\*)/, texts.types.tiff],
  [/^BM/, texts.types.bmp],
  [/^(?:\u00FF\n|[^]{4}JXL )/, texts.types.jpegXl],
  [/^PK[^ -~]{2}/, texts.types.archive],
]

/** U+FEFF in UTF-8, which some editors write at the start. */
const byteOrderMark = '\xEF\xBB\xBF'

/** Whether markup is an SVG: its doctype or root element, after declarations and comments. */
function isSvg(markup: string): boolean {
  let rest = markup
  for (;;) {
    rest = rest.trimStart()
    const end = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : null
    if (end === null) return /^<(?:svg[\s>]|!doctype\s+svg\b)/i.test(rest)
    const found = rest.indexOf(end)
    if (found < 0) return false
    rest = rest.slice(found + end.length)
  }
}

function describeOther(head: string): string | undefined {
  const markup = (head.startsWith(byteOrderMark) ? head.slice(byteOrderMark.length) : head).trimStart()
  if (isSvg(markup)) return texts.types.svg
  if (/^<(?:!doctype|html|head|body|script|\?xml|!--)/i.test(markup)) return texts.types.markup
  return others.find(([pattern]) => pattern.test(head))?.[1]
}

/** The type of an image by its first bytes, whatever its name and declared type are. Throws ImageProblem. */
export function typeOf(head: Buffer): ImageType {
  const text = head.toString('latin1')
  if (text.startsWith('\xFF\xD8\xFF')) return 'image/jpeg'
  if (text.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
  const brands = brandsOf(head)
  if (brands.includes('avif') || brands.includes('avis')) return 'image/avif'
  if (head.length === 0) throw new ImageProblem(texts.empty)
  const other = brands.some((brand) => /^(?:hei[cxs]|hev[cx]|mif1)$/.test(brand))
    ? texts.types.heic
    : describeOther(text)
  throw new ImageProblem(other === undefined ? texts.noImage : texts.otherType(other))
}

/** The brands of an ISO media file, the major one first; empty for other files. */
function brandsOf(head: Buffer): string[] {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}
