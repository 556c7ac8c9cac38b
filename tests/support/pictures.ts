import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Sharp } from 'sharp'

export type Bytes = Buffer<ArrayBuffer>

const whole = async (picture: Sharp): Promise<Bytes> => Buffer.from(await picture.toBuffer())

/** A picture in which no two places are the same. */
export function noise(width: number, height: number): Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
      background: 'black',
    },
  })
}

const flat = (width: number, height: number, background = '#3b6cb4'): Sharp =>
  sharp({ create: { width, height, channels: 3, background } })

/** Frames of noise, one after the other. */
async function animation(width: number, height: number, frames: number): Promise<Sharp> {
  const pages = await Promise.all(Array.from({ length: frames }, () => noise(width, height).png().toBuffer()))
  return sharp(pages, { join: { animated: true } })
}

export function pngChunk(type: string, data: Uint8Array): Bytes {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1')

/** A PNG of one bit a pixel, written by hand; whatever size its header says. */
export function handMadePng(width: number, height: number, extra: readonly Bytes[] = []): Bytes {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height))
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Puts a chunk of its own kind behind the header. */
export function withPrivateChunk(png: Bytes, bytes: number): Bytes {
  return Buffer.concat([png.subarray(0, 33), pngChunk('prVt', Buffer.alloc(bytes, 7)), png.subarray(33)])
}

const box = (type: string, data: Uint8Array): Bytes => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + data.length, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data])
}

/** What a telephone puts behind a motion photo; with a place if wanted. */
export function shortFilm(place: string | null): Bytes {
  const said = place === null ? [] : [box('\xA9xyz', Buffer.from(`\0\x12\x15\xC7${place}`, 'latin1'))]
  return Buffer.concat([
    box('ftyp', Buffer.from('mp42\0\0\0\0isommp42', 'latin1')),
    box('mdat', Buffer.alloc(200_000, 5)),
    box('moov', box('udta', Buffer.concat(said))),
  ])
}

const gps = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '52/1 31/1 0/1',
  GPSLongitudeRef: 'E',
  GPSLongitude: '13/1 24/1 0/1',
}

const xmpPlace =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,31.0N"/></rdf:RDF></x:xmpmeta>'

export interface GoodPicture {
  bytes: Bytes
  type: string
  width: number
  height: number
  frames: number
  hasPosition: boolean
}

/** Real pictures of all five kinds, as cameras, telephones and programs make them. */
export async function goodPictures(): Promise<Record<string, GoodPicture>> {
  const jpeg = await whole(noise(1200, 800).jpeg({ quality: 90 }))
  const png = await whole(noise(700, 500).png())
  const still = { type: 'image/jpeg', width: 1200, height: 800, frames: 1, hasPosition: false }
  const motion = Buffer.concat([jpeg, shortFilm(null)])
  return {
    'a photograph': { ...still, bytes: jpeg },
    'a progressive JPEG': { ...still, bytes: await whole(noise(1200, 800).jpeg({ progressive: true })) },
    'a JPEG in CMYK': { ...still, bytes: await whole(noise(1200, 800).toColourspace('cmyk').jpeg()) },
    'a photograph on its side': {
      ...still,
      bytes: await whole(noise(1200, 800).jpeg().withMetadata({ orientation: 6 })),
      width: 800,
      height: 1200,
    },
    'a photograph with a place': {
      ...still,
      bytes: await whole(noise(1200, 800).jpeg().withExif({ IFD3: gps })),
      hasPosition: true,
    },
    'a photograph with a camera and no place': {
      ...still,
      bytes: await whole(
        noise(1200, 800)
          .jpeg()
          .withExif({ IFD0: { Model: 'Camera' } }),
      ),
    },
    'a motion photo': { ...still, bytes: motion },
    'a motion photo whose film has a place': {
      ...still,
      bytes: Buffer.concat([jpeg, shortFilm('+52.5166+013.4000/')]),
      hasPosition: true,
    },
    'a large PNG': {
      bytes: await whole(noise(3000, 2000).png({ compressionLevel: 1 })),
      type: 'image/png',
      width: 3000,
      height: 2000,
      frames: 1,
      hasPosition: false,
    },
    'a PNG with a private chunk of 30 MB': {
      bytes: withPrivateChunk(png, 30_000_000),
      type: 'image/png',
      width: 700,
      height: 500,
      frames: 1,
      hasPosition: false,
    },
    'a PNG of 16 bits with a place in its XMP': {
      bytes: await whole(noise(300, 200).toColourspace('rgb16').png().withXmp(xmpPlace)),
      type: 'image/png',
      width: 300,
      height: 200,
      frames: 1,
      hasPosition: true,
    },
    'a PNG of exactly 40 megapixels': {
      bytes: handMadePng(8000, 5000),
      type: 'image/png',
      width: 8000,
      height: 5000,
      frames: 1,
      hasPosition: false,
    },
    'a very tall screenshot': {
      bytes: await whole(flat(300, 30_000).png()),
      type: 'image/png',
      width: 300,
      height: 30_000,
      frames: 1,
      hasPosition: false,
    },
    'a WebP with bytes behind its end': {
      bytes: Buffer.concat([await whole(noise(900, 600).webp()), Buffer.from('<script>1</script>')]),
      type: 'image/webp',
      width: 900,
      height: 600,
      frames: 1,
      hasPosition: false,
    },
    'an animated WebP': {
      bytes: await whole((await animation(640, 360, 6)).webp({ delay: [90, 90, 90, 90, 90, 200], loop: 3 })),
      type: 'image/webp',
      width: 640,
      height: 360,
      frames: 6,
      hasPosition: false,
    },
    'a GIF': {
      bytes: await whole(noise(320, 240).gif()),
      type: 'image/gif',
      width: 320,
      height: 240,
      frames: 1,
      hasPosition: false,
    },
    'an animated GIF': {
      bytes: await whole((await animation(320, 240, 5)).gif({ delay: 100 })),
      type: 'image/gif',
      width: 320,
      height: 240,
      frames: 5,
      hasPosition: false,
    },
    'an AVIF': {
      bytes: await whole(noise(1000, 700).avif({ effort: 0 })),
      type: 'image/avif',
      width: 1000,
      height: 700,
      frames: 1,
      hasPosition: false,
    },
  }
}

const cut = (bytes: Bytes, share: number): Bytes => bytes.subarray(0, Math.floor(bytes.length * share))

export interface BadPicture {
  bytes: Bytes
  /** What the reason has to speak of. */
  reason: RegExp
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const html = '<!DOCTYPE html><html><body><script>alert(1)</script></body></html>'
const film = (brand: string): Bytes => box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`, 'latin1'))

/** What must not be taken, whatever it calls itself. */
export async function badPictures(): Promise<Record<string, BadPicture>> {
  const jpeg = await whole(noise(600, 400).jpeg())
  const png = await whole(noise(600, 400).png())
  const webp = await whole(noise(600, 400).webp())
  const gif = await whole(noise(600, 400).gif())
  const avif = await whole(noise(600, 400).avif({ effort: 0 }))
  const animatedGif = await whole((await animation(100, 100, 5)).gif())
  const animatedWebp = await whole((await animation(100, 100, 5)).webp())
  const incomplete = /ends before it is complete|damaged or incomplete/
  const noPicture = /does not begin as a picture/
  const tooMany = /million are possible/
  const brokenCrc = Buffer.from(png)
  brokenCrc.writeUInt8(brokenCrc.readUInt8(200) ^ 0xff, 200)
  const frameCount = Buffer.alloc(8)
  frameCount.writeUInt32BE(1000, 0)
  return {
    'an empty file': { bytes: Buffer.alloc(0), reason: /empty/ },
    'an SVG': { bytes: Buffer.from(svg), reason: /SVG/ },
    'an SVG with a preamble': {
      bytes: Buffer.from(`<?xml version="1.0"?>\n<!-- made by a program -->\n${svg}`),
      reason: /SVG/,
    },
    'HTML dressed as PNG by its name': { bytes: Buffer.from(html), reason: /markup/ },
    'HTML behind the signature of a PNG': {
      bytes: Buffer.concat([pngSignature, Buffer.from(html)]),
      reason: incomplete,
    },
    'a photograph with a byte before it': {
      bytes: Buffer.concat([Buffer.from(' '), jpeg]),
      reason: noPicture,
    },
    'bytes at random': {
      bytes: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)),
      reason: noPicture,
    },
    'half a JPEG': { bytes: cut(jpeg, 0.5), reason: incomplete },
    'a JPEG without its last two bytes': { bytes: jpeg.subarray(0, -2), reason: incomplete },
    'the first bytes of a JPEG and then others': {
      bytes: Buffer.concat([jpeg.subarray(0, 3), Buffer.alloc(5000, 'no picture')]),
      reason: incomplete,
    },
    'half a PNG': { bytes: cut(png, 0.5), reason: incomplete },
    'a PNG without its end': { bytes: png.subarray(0, -12), reason: incomplete },
    'a PNG with a changed byte': { bytes: brokenCrc, reason: incomplete },
    'half a WebP': { bytes: cut(webp, 0.5), reason: incomplete },
    'a WebP without its last byte': { bytes: webp.subarray(0, -1), reason: incomplete },
    'half an animated WebP': { bytes: cut(animatedWebp, 0.5), reason: incomplete },
    'half a GIF': { bytes: cut(gif, 0.5), reason: incomplete },
    'an animated GIF that ends between two frames': { bytes: cut(animatedGif, 0.6), reason: incomplete },
    'half an AVIF': { bytes: cut(avif, 0.5), reason: incomplete },
    'a PNG that says it has 900 megapixels': { bytes: handMadePng(30_000, 30_000), reason: tooMany },
    'a PNG of one row more than 40 megapixels': { bytes: handMadePng(8000, 5001), reason: tooMany },
    'a PNG of 100,000 pixels in one row': { bytes: handMadePng(100_000, 2), reason: /longer than 65535/ },
    'a PNG without any width': { bytes: handMadePng(0, 10), reason: incomplete },
    'an animated PNG of 1000 frames that are 40 megapixels together and more': {
      bytes: handMadePng(300, 200, [pngChunk('acTL', frameCount)]),
      reason: tooMany,
    },
    'an animated WebP whose frames are too many pixels together': {
      bytes: await whole(
        sharp(
          await Promise.all(
            Array.from({ length: 11 }, (_, frame) =>
              flat(2000, 1819, frame % 2 === 0 ? '#a00' : '#00a')
                .png()
                .toBuffer(),
            ),
          ),
          {
            join: { animated: true },
          },
        ).webp({ effort: 0 }),
      ),
      reason: tooMany,
    },
    'a HEIC': { bytes: Buffer.concat([film('heic'), Buffer.alloc(5000)]), reason: /HEIC/ },
    'a film dressed as AVIF': {
      bytes: Buffer.concat([film('avif'), Buffer.alloc(5000)]),
      reason: incomplete,
    },
    'a film': { bytes: shortFilm(null), reason: noPicture },
    'a PDF': { bytes: Buffer.from('%PDF-1.7\n%\xE2\xE3\xCF\xD3\n', 'latin1'), reason: /PDF/ },
    'a BMP': { bytes: Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]), reason: /BMP/ },
    'a TIFF': { bytes: await whole(noise(60, 40).tiff()), reason: /TIFF/ },
    'an archive': { bytes: Buffer.from('PK\x03\x04'.padEnd(100, '\0'), 'latin1'), reason: /archive/ },
  }
}
