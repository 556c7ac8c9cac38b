import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createImageMaker, renditionPath } from '../../src/server/images/image-maker.ts'
import type { ImageExamination, ImageMaker } from '../../src/server/images/image-maker.ts'
import { forkHelper } from '../../src/server/processes/fork-helper.ts'
import { badImages, goodImages } from '../support/fixtures/images.ts'
import type { BadImage, GoodImage } from '../support/fixtures/images.ts'
import { helperEntries } from '../support/server/server.ts'

let folder: string
let maker: ImageMaker

/** The renditions are in the folder of `path`. */
interface Examined {
  path: string
  result: ImageExamination
}
let good: Record<string, GoodImage>
let bad: Record<string, BadImage>
const examined = new Map<string, Examined>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skilldock-images-'))
  maker = createImageMaker({
    startProcess: () => forkHelper(helperEntries.images, 'images'),
    // Long enough for a busy machine.
    timeoutMs: 300_000,
  })
  good = await goodImages()
  bad = await badImages()
  await Promise.all(
    Object.entries(good).map(async ([name, { bytes }]) => examined.set(name, await examine(bytes))),
  )
}, 300_000)
afterAll(async () => {
  await maker.stop()
  await rm(folder, { recursive: true })
})

/** The names of the chunks of a WebP file. */
function chunksOf(webp: Buffer): string[] {
  const names: string[] = []
  for (
    let at = 12;
    at + 8 <= webp.length;
    at += 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) % 2)
  ) {
    names.push(webp.toString('latin1', at, at + 4))
  }
  return names
}

let count = 0
const examine = async (bytes: Buffer): Promise<Examined> => {
  count += 1
  const path = join(folder, `${count}.part`)
  await writeFile(path, bytes)
  return { path, result: await maker.examine(path, false) }
}

test('accepts images of all five types, and recognizes their properties', () => {
  const factsOf = ({ type, width, height, frames, hasPosition }: Omit<GoodImage, 'bytes'>) => ({
    type,
    width,
    height,
    frames,
    hasPosition,
  })
  const seen = [...examined].map(([name, { result }]) => [name, result.ok ? factsOf(result) : result.problem])
  const expected = Object.entries(good).map(([name, image]) => [name, factsOf(image)])
  expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(expected))
})

test('refuses incomplete and invalid images with the reason, and leaves no renditions', async () => {
  const names = Object.keys(bad)
  expect(names.length).toBeGreaterThanOrEqual(20)
  const reasons = await Promise.all(
    Object.entries(bad).map(async ([name, { bytes, reason }]) => {
      const { path, result } = await examine(bytes)
      await maker.clear(path)
      const outcome = result.ok ? 'accepted' : result.problem
      return [name, reason.test(outcome) ? 'refused' : outcome]
    }),
  )
  expect(Object.fromEntries(reasons)).toEqual(Object.fromEntries(names.map((name) => [name, 'refused'])))
  const copies = (await readdir(folder)).filter((name) => /\.(?:small|medium|large)\./.test(name))
  expect(copies).toHaveLength(examined.size * 3)
})

describe('the renditions', () => {
  const copies = async (name: string, from = examined.get(name)) => {
    if (from === undefined || !from.result.ok) throw new Error(`${name} was not accepted`)
    const { path, result } = from
    return Promise.all(
      result.renditions.map(async (rendition) => {
        const bytes = await readFile(renditionPath(path, rendition.step))
        return { rendition, bytes, metadata: await sharp(bytes, { animated: true }).metadata() }
      }),
    )
  }

  test('are 480, 960 and 1600 wide', async () => {
    const made = await copies('a large PNG')
    expect(made.map(({ rendition }) => [rendition.step, rendition.width, rendition.height])).toEqual([
      ['small', 480, 320],
      ['medium', 960, 640],
      ['large', 1600, 1067],
    ])
    expect(made.map(({ metadata }) => [metadata.format, metadata.width])).toEqual([
      ['webp', 480],
      ['webp', 960],
      ['webp', 1600],
    ])
    expect(made.map(({ rendition, bytes }) => rendition.size === bytes.length)).toEqual([true, true, true])
  })

  test('are never wider than the image, nor higher than browsers support', async () => {
    const widths = (made: Awaited<ReturnType<typeof copies>>) => made.map(({ rendition }) => rendition.width)
    expect(widths(await copies('a photograph'))).toEqual([480, 960, 1200])
    expect(widths(await copies('a GIF'))).toEqual([320, 320, 320])
    const tall = await copies('a very tall screenshot')
    expect(tall.every(({ rendition }) => rendition.height <= 16_000)).toBe(true)
  })

  test('are upright without an orientation tag', async () => {
    const [small] = await copies('a photograph on its side')
    expect(small?.rendition).toMatchObject({ width: 480, height: 720 })
    expect(small?.metadata.orientation).toBeUndefined()
  })

  test.each([
    'a photograph with a location',
    'a motion photo whose video has a location',
    'a PNG of 16 bits with a location in its XMP',
  ])('contain only image data: %s', async (name) => {
    for (const { bytes } of await copies(name)) {
      expect(chunksOf(bytes).filter((chunk) => !/^VP8[ LX]$/.test(chunk))).toEqual([])
    }
  })

  test('have the same animation', async () => {
    const webp = await copies('an animated WebP')
    expect(webp.map(({ metadata }) => [metadata.pages, metadata.loop, metadata.delay])).toEqual(
      webp.map(() => [6, 3, [90, 90, 90, 90, 90, 200]]),
    )
    const gif = await copies('an animated GIF')
    expect(gif.map(({ metadata, rendition }) => [metadata.pages, rendition.height])).toEqual(
      gif.map(() => [5, 120]),
    )
  })

  test('are the same for the same image', async () => {
    const once = await copies('a photograph')
    const again = await copies('once more', await examine(good['a photograph']?.bytes ?? Buffer.alloc(0)))
    expect(once.map(({ bytes }, index) => again[index]?.bytes.equals(bytes))).toEqual([true, true, true])
  })
})
