import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../shared/errors.ts'
import { makeStylesheet } from './stylesheet.ts'
import type { FontFile } from './stylesheet.ts'

interface SiteFile {
  mediaType: string
  bytes: Buffer
}

interface SiteFiles {
  /** Null if there is no file with this name. */
  find(name: string): SiteFile | null
  styles: string
  mark: string
  preload: readonly string[]
}

const families: Record<string, FontFile['family']> = {
  inter: 'Inter Variable',
  'jetbrains-mono': 'JetBrains Mono Variable',
}

const markSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><style>path{stroke:#211f1b}rect{fill:#1b5e86}' +
  '@media(prefers-color-scheme:dark){path{stroke:#ece9e3}rect{fill:#82bbe0}}</style><path ' +
  'd="M2.5 10v4.5a3 3 0 0 0 3 3h9a3 3 0 0 0 3-3V10" fill="none" stroke-width="2.6" stroke-linecap="round"/>' +
  '<rect x="5" y="2.5" width="10" height="8" rx="1.5"/></svg>'

/**
 * The stylesheet, icon and fonts of the pages. The fonts are those of the built desk in `deskFolder`; without it, pages
 * use system fonts. Loaded with the first page, to keep the start of the server fast.
 */
export function createSiteFiles(deskFolder: string | null): () => SiteFiles {
  let made: SiteFiles | null = null
  return () => (made ??= makeSiteFiles(deskFolder))
}

function makeSiteFiles(deskFolder: string | null): SiteFiles {
  const files = new Map<string, SiteFile>()
  const fonts = deskFolder === null ? [] : findFonts(join(deskFolder, 'assets'))
  for (const { file, bytes } of fonts) files.set(file, { mediaType: 'font/woff2', bytes })
  const add = (name: string, ending: string, mediaType: string, text: string): string => {
    const bytes = Buffer.from(text)
    const file = `${name}-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.${ending}`
    files.set(file, { mediaType, bytes })
    return file
  }
  return {
    find: (name) => files.get(name) ?? null,
    styles: add('site', 'css', 'text/css; charset=utf-8', makeStylesheet(fonts)),
    mark: add('mark', 'svg', 'image/svg+xml', markSvg),
    preload: fonts.filter(({ subset }) => subset === 'latin').map(({ file }) => file),
  }
}

function findFonts(folder: string): (FontFile & { bytes: Buffer })[] {
  return listFiles(folder).flatMap((file) => {
    const match = /^(inter|jetbrains-mono)-(latin|latin-ext)-wght-normal-[\w-]+\.woff2$/.exec(file)
    const family = families[match?.[1] ?? '']
    if (match === null || family === undefined) return []
    const subset = match[2] === 'latin' ? 'latin' : 'latin-ext'
    return [{ family, subset, file, bytes: readFileSync(join(folder, file)) }]
  })
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
