import { writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { examineImage } from '../../../src/server/images/examine-image.ts'
import type { FileWindow } from '../../../src/server/images/file-window.ts'
import { followOutline } from '../../../src/server/images/image-outline.ts'
import { hasGpsPosition } from '../../../src/server/images/image-position.ts'
import { ImageProblem } from '../../../src/server/images/image-problem.ts'
import { headBytes, typeOf } from '../../../src/server/images/image-type.ts'
import { assert, refusing } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

type Parts = Pick<Target, 'seeds' | 'words'>

async function imageParts(): Promise<Parts> {
  const image = sharp({ create: { width: 9, height: 7, channels: 3, background: '#808080' } }).withExif({
    IFD0: { Copyright: 'nobody' },
    IFD3: { GPSLatitude: '1/1 2/1 3/1' },
  })
  const seeds = await Promise.all(
    (['png', 'jpeg', 'gif', 'webp', 'avif'] as const).map((format) =>
      image.clone().toFormat(format).toBuffer(),
    ),
  )
  return {
    seeds: seeds.map((bytes) => new Uint8Array(bytes)),
    words: [
      '\xff\xd8\xff',
      '\xff\xd9',
      '\xff\xda',
      'IDAT',
      'IEND',
      'eXIf',
      'GIF89a',
      '\x21\xff',
      '\x3b',
      'Exif\0\0',
      'II*\0',
      'MM\0*',
      'ftypavif',
    ],
  }
}

/** Our own readers of an image's structure and position. */
export async function imageTarget(): Promise<Target> {
  return {
    batchSize: 250,
    ...(await imageParts()),
    read(bytes) {
      const buffer = Buffer.from(bytes.buffer)
      const file: FileWindow = {
        size: buffer.length,
        read: (at, length) => buffer.subarray(at, at + length),
        close: () => undefined,
      }
      refusing(ImageProblem, () => followOutline(file, typeOf(buffer.subarray(0, headBytes))))
      const exif = buffer.indexOf('Exif\0\0')
      hasGpsPosition(file, exif === -1 ? buffer : buffer.subarray(exif), buffer)
    },
  }
}

/** The examination with the decoders, which runs in a process of its own in the server. */
export async function decodingTarget(file: string): Promise<Target> {
  return {
    batchSize: 10,
    ...(await imageParts()),
    async read(bytes) {
      writeFileSync(file, bytes)
      const result = await examineImage(file)
      if (result.ok) assert(result.renditions.length === 3, 'an image has fewer than three renditions')
      else assert(result.problem !== '', 'an image was refused without a reason')
    },
  }
}
