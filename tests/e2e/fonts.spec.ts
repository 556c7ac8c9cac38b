import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { projectRoot } from '../support/server/command-line.ts'
import { skipWithout } from '../support/programs.ts'

test.skip(skipWithout('chromium'), 'needs Chromium')

const latin = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x2010, 0x2027],
  [0x2030, 0x203a],
  ...[0x131, 0x152, 0x153, 0x2c6, 0x2da, 0x2dc, 0x20ac, 0x2122, 0x2191, 0x2193, 0x2212, 0xfffd].map(
    (one) => [one, one] as const,
  ),
] as const

const weights = [400, 500, 600, 700]

for (const family of ['inter', 'jetbrains-mono']) {
  test(`the smaller font has the characters and widths of the installed one, from which scripts/fonts.py makes it: ${family}`, async ({
    page,
  }) => {
    const name = `${family}-latin-wght-normal.woff2`
    const read = (folder: string): string => readFileSync(join(projectRoot, folder, name)).toString('base64')
    const measured = await page.evaluate(
      async ({ fonts, ranges, all }) => {
        const characters = ranges.flatMap(([first, last]) =>
          Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
        )
        const context = new OffscreenCanvas(60, 60).getContext('2d', { willReadFrequently: true })
        if (context === null) throw new Error('no canvas')
        const draw = (font: string, character: string): string => {
          context.clearRect(0, 0, 60, 60)
          context.font = `32px ${font}`
          context.fillText(character, 10, 40)
          return context.getImageData(0, 0, 60, 60).data.join()
        }
        const widthOf = (font: string, weight: number, features: string, text: string): number => {
          const line = document.createElement('span')
          line.style.font = `${weight} 32px ${font}`
          line.style.fontFeatureSettings = features
          line.textContent = text
          document.body.append(line)
          const { width } = line.getBoundingClientRect()
          line.remove()
          return width
        }
        const measure = async (font: string, base64: string) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
          const face = new FontFace(font, bytes, { weight: '400 700' })
          document.fonts.add(await face.load())
          const sentence = 'AVATAR Tooltip 1.10.1 – 3x3 e\u0301'
          return {
            drawn: characters.map((character) => [character, draw(font, character)]),
            widths: all.flatMap((weight) => [
              ...[...characters, sentence].map((text) => widthOf(font, weight, 'normal', text)),
              widthOf(font, weight, "'calt' 0, 'tnum'", sentence),
            ]),
          }
        }
        return {
          whole: await measure('whole', fonts.whole),
          smaller: await measure('smaller', fonts.smaller),
        }
      },
      {
        fonts: {
          whole: read(`node_modules/@fontsource-variable/${family}/files`),
          smaller: read('src/renderer/app/theme/fonts'),
        },
        ranges: latin,
        all: weights,
      },
    )
    expect(measured.smaller.widths).toEqual(measured.whole.widths)
    const whole = new Map(measured.whole.drawn.map(([character, pixels]) => [character, pixels]))
    expect(measured.smaller.drawn.filter(([character, pixels]) => pixels !== whole.get(character))).toEqual(
      [],
    )
  })
}
