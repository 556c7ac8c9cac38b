import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { makeIcons } from '../support/desk/icons.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const folder = join(import.meta.dirname, '../../resources/icons')

/** The mean difference between the decoded pixels of two images, from 0 to 255. */
const difference = (page: Page, images: readonly Buffer[], type: string): Promise<number> =>
  page.evaluate(
    async ([sources, kind]) => {
      const pixels = await Promise.all(
        sources.map(async (source) => {
          const image = new Image()
          image.src = `data:${kind};base64,${source}`
          await image.decode()
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
          context?.drawImage(image, 0, 0)
          return context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray()
        }),
      )
      const [first = new Uint8ClampedArray(), second = new Uint8ClampedArray()] = pixels
      if (first.length === 0 || first.length !== second.length) return 255
      return first.reduce((sum, value, at) => sum + Math.abs(value - (second[at] ?? 0)), 0) / first.length
    },
    [images.map((image) => image.toString('base64')), type] as const,
  )

test('each committed icon matches icon.svg', async ({ page }) => {
  const made = await makeIcons(page)
  const linux = (await readdir(join(folder, 'linux'))).map((name) => `linux/${name}`)
  const committed = [...linux, 'icon.icns', 'icon.ico']
  expect([...made.keys()].toSorted()).toEqual(committed.toSorted())
  for (const [name, bytes] of made) {
    const old = await readFile(join(folder, name))
    // Browsers cannot decode this format, but its last entry is a PNG of the largest size.
    const images = [bytes, old].map((file) =>
      name.endsWith('.icns') ? file.subarray(file.lastIndexOf(Buffer.from('89504e47', 'hex'))) : file,
    )
    const type = name.endsWith('.ico') ? 'image/x-icon' : 'image/png'
    // Other versions of Chromium may render edges slightly differently.
    expect([name, await difference(page, images, type)]).toEqual([name, expect.closeTo(0, 0)])
  }
})

test('the macOS icon contains every size that the system uses', async () => {
  const bytes = await readFile(join(folder, 'icon.icns'))
  expect(bytes.toString('latin1', 0, 4)).toBe('icns')
  expect(bytes.readUInt32BE(4)).toBe(bytes.length)
  const images: [string, number][] = []
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at + 4)) {
    // The width is at byte 16 of a PNG.
    images.push([bytes.toString('latin1', at, at + 4), bytes.readUInt32BE(at + 8 + 16)])
  }
  expect(images).toEqual([
    ['icp4', 16],
    ['icp5', 32],
    ['ic11', 32],
    ['ic12', 64],
    ['ic07', 128],
    ['ic13', 256],
    ['ic08', 256],
    ['ic14', 512],
    ['ic09', 512],
    ['ic10', 1024],
  ])
})
