// Generates the files in resources/icons from icon.svg.
//
//   node tests/support/desk/icons.ts
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Page } from '@playwright/test'
import { requireProgram } from '../programs.ts'

const folder = join(import.meta.dirname, '../../../resources/icons')

/** Sizes of the PNG files for Linux, in pixels. */
const pngSizes = [16, 24, 32, 48, 64, 128, 256, 512] as const
const icoSizes = [16, 20, 24, 32, 40, 48, 64, 256] as const
/** The entry types of an ICNS file that contain a PNG, with their sizes. */
const icnsKinds = {
  icp4: 16,
  icp5: 32,
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
} as const

interface Bitmap {
  size: number
  png: Buffer
  /** Four bytes per pixel (red, green, blue, alpha), from the top left. */
  pixels: Buffer
}

/** The part of the drawing without the margin for macOS. */
const cropped = '84 84 856 856'

/** All files of the folder by name, rendered from the drawing. */
export async function makeIcons(page: Page): Promise<Map<string, Buffer>> {
  const svg = await readFile(join(folder, 'icon.svg'), 'utf8')
  const crop = svg.replace('viewBox="0 0 1024 1024"', `viewBox="${cropped}"`)
  const files = new Map<string, Buffer>()
  const pngs = await draw(page, crop, pngSizes)
  for (const { size, png } of pngs) files.set(`linux/${size}x${size}.png`, png)
  files.set('icon.ico', toIco(await draw(page, crop, icoSizes)))
  files.set('icon.icns', toIcns(await draw(page, svg, [...new Set(Object.values(icnsKinds))])))
  return files
}

async function draw(page: Page, svg: string, sizes: readonly number[]): Promise<Bitmap[]> {
  const drawn = await page.evaluate(
    async ({ source, edges }) => {
      const image = new Image()
      const toText = (bytes: Uint8Array): string => {
        let text = ''
        for (const byte of bytes) text += String.fromCodePoint(byte)
        return btoa(text)
      }
      // Without its own size, the drawing would be scaled as a bitmap instead of being rendered.
      const at = async (edge: number): Promise<{ png: string; pixels: string }> => {
        const sized = source.replace('<svg ', `<svg width="${edge}" height="${edge}" `)
        image.src = `data:image/svg+xml,${encodeURIComponent(sized)}`
        await image.decode()
        const canvas = new OffscreenCanvas(edge, edge)
        const context = canvas.getContext('2d')
        if (context === null) throw new Error('There is no canvas.')
        context.drawImage(image, 0, 0)
        const pixels = new Uint8Array(context.getImageData(0, 0, edge, edge).data.buffer)
        const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
        return { png: toText(bytes), pixels: toText(pixels) }
      }
      const bitmaps = []
      for (const edge of edges) bitmaps.push(await at(edge))
      return bitmaps
    },
    { source: svg, edges: [...sizes] },
  )
  return drawn.map(({ png, pixels }, index) => ({
    size: sizes[index] ?? 0,
    png: Buffer.from(png, 'base64'),
    pixels: Buffer.from(pixels, 'base64'),
  }))
}

function toIcns(bitmaps: readonly Bitmap[]): Buffer {
  const parts = Object.entries(icnsKinds).map(([kind, size]) => {
    const png = bitmaps.find((bitmap) => bitmap.size === size)?.png ?? Buffer.alloc(0)
    return Buffer.concat([Buffer.from(kind), uint32be(png.length + 8), png])
  })
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from('icns'), uint32be(body.length + 8), body])
}

function uint32be(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Only the largest entry is a PNG, because not all Windows programs support smaller ones. */
function toIco(bitmaps: readonly Bitmap[]): Buffer {
  const bodies = bitmaps.map((bitmap) => (bitmap.size === 256 ? bitmap.png : toBitmap(bitmap)))
  const header = Buffer.alloc(6 + 16 * bitmaps.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(bitmaps.length, 4)
  let offset = header.length
  for (const [index, { size }] of bitmaps.entries()) {
    const at = 6 + 16 * index
    const length = bodies[index]?.length ?? 0
    // 256 is encoded as 0.
    header.writeUInt8(size % 256, at)
    header.writeUInt8(size % 256, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += length
  }
  return Buffer.concat([header, ...bodies])
}

/** Rows from the bottom, blue first, followed by the legacy mask, which is empty because of the alpha channel. */
function toBitmap({ size, pixels }: Bitmap): Buffer {
  const mask = Buffer.alloc(Math.ceil(size / 32) * 4 * size)
  const header = Buffer.alloc(40)
  header.writeUInt32LE(header.length, 0)
  header.writeInt32LE(size, 4)
  header.writeInt32LE(size * 2, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(32, 14)
  header.writeUInt32LE(pixels.length + mask.length, 20)
  const rows = Array.from({ length: size }, (_, row) => {
    const line = Buffer.from(pixels.subarray((size - 1 - row) * size * 4, (size - row) * size * 4))
    for (let at = 0; at < line.length; at += 4)
      line.set([line[at + 2] ?? 0, line[at + 1] ?? 0, line[at] ?? 0], at)
    return line
  })
  return Buffer.concat([header, ...rows, mask])
}

const main = async (): Promise<void> => {
  const program = requireProgram('chromium')
  if (program === null) throw new Error('Chromium is not installed.')
  const browser = await chromium.launch({ executablePath: program, chromiumSandbox: false })
  try {
    const files = await makeIcons(await browser.newPage())
    await mkdir(join(folder, 'linux'), { recursive: true })
    await Promise.all([...files].map(([name, bytes]) => writeFile(join(folder, name), bytes)))
  } finally {
    await browser.close()
  }
}

if (import.meta.main) await main()
