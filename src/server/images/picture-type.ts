import type { ImageType } from '../../shared/contracts/images.ts'
import { PictureProblem } from './picture-problem.ts'

/** How many bytes of the start are looked at. */
export const headBytes = 512

const accepted = 'Send a JPEG, PNG, WebP, GIF or AVIF.'

/** What else is sent in place of a picture, and how it is called. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'a PDF'],
  [/^(?:II\*\0|MM\0\*)/, 'a TIFF or a raw photograph'],
  [/^BM/, 'a BMP'],
  [/^(?:\u00FF\n|[^]{4}JXL )/, 'a JPEG XL'],
  [/^PK[^ -~]{2}/, 'an archive'],
]

/** Bytes of U+FEFF in UTF-8, which some editors write first. */
const byteOrderMark = '\xEF\xBB\xBF'

/** Whether markup is an SVG: after declarations and comments comes its doctype or its element. */
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
  if (isSvg(markup)) return 'an SVG, which can hold programs'
  if (/^<(?:!doctype|html|head|body|script|\?xml|!--)/i.test(markup)) return 'a text with markup'
  return others.find(([pattern]) => pattern.test(head))?.[1]
}

/** The type of a picture by its first bytes; its name and its declared type say nothing. Throws PictureProblem. */
export function typeOf(head: Buffer): ImageType {
  const text = head.toString('latin1')
  if (text.startsWith('\xFF\xD8\xFF')) return 'image/jpeg'
  if (text.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
  const brands = brandsOf(head)
  if (brands.includes('avif') || brands.includes('avis')) return 'image/avif'
  if (head.length === 0) throw new PictureProblem(`The file is empty. ${accepted}`)
  const other = brands.some((brand) => /^(?:hei[cxs]|hev[cx]|mif1)$/.test(brand))
    ? 'a HEIC, which few browsers show'
    : describeOther(text)
  throw new PictureProblem(
    other === undefined
      ? `The file does not begin as a picture does, whatever its name says. ${accepted}`
      : `The file is ${other}. ${accepted}`,
  )
}

/** The brands of an ISO media file, the major one first; none where it is no such file. */
function brandsOf(head: Buffer): string[] {
  if (head.length < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return []
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [head.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4))
  return brands
}
