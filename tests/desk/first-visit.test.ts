import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../support/server/command-line.ts'

const desk = join(projectRoot, 'out/renderer')

/** The files that a page refers to, as paths in the folder of the built desk. */
const filesIn = (html: string): string[] =>
  [...html.matchAll(/(?:src|href)="\/desk\/([^"]+)"/g)].map(([, file = '']) => file)

/** The size of what is sent to a browser. */
const sentBytes = (file: string): number => {
  const path = join(desk, file)
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size
}

describe('the built desk', () => {
  const page = readFileSync(join(desk, 'index.html'), 'utf8')
  const [pages = ''] = /<template id="pages">.*?<\/template>/s.exec(page) ?? []
  const first = filesIn(page.replace(pages, ''))
  const later = filesIn(pages)

  test('sends at most 285 kB before it can show anything', () => {
    const sizes = Object.fromEntries(first.map((file) => [file, sentBytes(file)]))
    const total = Object.values(sizes).reduce((sum, size) => sum + size, 0)
    expect(Object.keys(sizes).filter((file) => file.endsWith('.js')).length).toBeGreaterThan(3)
    expect(total, JSON.stringify(sizes, null, 2)).toBeLessThanOrEqual(285_000)
  })

  test('lists the scripts and style sheets of all other pages, to be fetched after the first view', () => {
    expect(later.filter((file) => first.includes(file))).toEqual([])
    expect(later.filter((file) => !existsSync(join(desk, file)))).toEqual([])
    for (const name of ['agents-area', 'content-routes', 'settings-page', 'shared']) {
      for (const type of ['js', 'css']) {
        const found = later.filter((file) => file.startsWith(`assets/${name}-`) && file.endsWith(`.${type}`))
        expect(found, `${name}, ${type}`).toHaveLength(1)
      }
    }
  })
})
