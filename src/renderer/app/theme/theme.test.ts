import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tokens } from './tokens.ts'

const renderer = join(import.meta.dirname, '../..')

/** WCAG 2.2, relative luminance of `#RRGGBB`. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

const surfaces = ['app', 'sheet', 'raised', 'sunken', 'hover', 'accentTint'] as const
const texts = ['ink', 'ink2', 'ink3', 'accent', 'ok', 'warn', 'bad'] as const

test.each([0, 1] as const)('text is readable on every surface, scheme %i', (scheme) => {
  for (const text of texts) {
    for (const surface of surfaces) {
      expect(
        contrast(tokens[text][scheme], tokens[surface][scheme]),
        `${text} on ${surface}`,
      ).toBeGreaterThan(4.5)
    }
  }
  for (const surface of ['app', 'sheet', 'raised'] as const) {
    expect(
      contrast(tokens.control[scheme], tokens[surface][scheme]),
      `control on ${surface}`,
    ).toBeGreaterThan(3)
  }
  for (const mark of ['c1', 'c2', 'c3', 'c4', 'c5'] as const) {
    expect(contrast(tokens[mark][scheme], tokens.sheet[scheme]), `${mark} in charts`).toBeGreaterThan(3)
  }
  expect(contrast(tokens.onAccent[scheme], tokens.accent[scheme])).toBeGreaterThan(4.5)
  expect(contrast(tokens.sheet[scheme], tokens.bad[scheme])).toBeGreaterThan(4.5)
  expect(contrast(tokens.onInvert[scheme], tokens.invert[scheme])).toBeGreaterThan(4.5)
})

test('colors are defined only in the theme', () => {
  const files = globSync('**/*.{ts,tsx,css}', { cwd: renderer }).filter(
    (file) => !file.startsWith(join('app', 'theme')),
  )
  expect(files.length).toBeGreaterThan(100)
  const colored = files.filter((file) =>
    /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|oklch)\(/i.test(
      readFileSync(join(renderer, file), 'utf8'),
    ),
  )
  expect(colored).toEqual([])
})
