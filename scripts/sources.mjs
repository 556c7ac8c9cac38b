import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The inputs of a build. A change in any of them makes the build stale. */
const inputs = [
  'src',
  'electron.vite.config.ts',
  'package-lock.json',
  'scripts/ascii-only.ts',
  'scripts/build.mjs',
  'scripts/bundled-packages.ts',
  'scripts/imported-by.ts',
  'scripts/leave-out.ts',
  'scripts/shipped.mjs',
]

export const root = join(import.meta.dirname, '..')
export const stampFile = join(root, 'out', 'sources.sha256')

/** False in an installed package, which contains only the build. */
export function hasSources() {
  return existsSync(join(root, 'electron.vite.config.ts'))
}

/** Whether the build tools are installed. */
export function canBuild() {
  return hasSources() && existsSync(join(root, 'node_modules', 'electron-vite', 'package.json'))
}

export function isFresh() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashSources()
}

/** SHA-256 over the names and contents of all inputs, except tests, which are not built. */
export function hashSources() {
  const hash = createHash('sha256')
  for (const input of inputs) addTo(hash, input)
  return hash.digest('hex')
}

function addTo(hash, path) {
  const full = join(root, path)
  if (!existsSync(full)) return
  if (statSync(full).isDirectory()) {
    const entries = readdirSync(full, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      if (entry.isDirectory() || !/\.test\.tsx?$/.test(entry.name)) addTo(hash, `${path}/${entry.name}`)
    }
    return
  }
  hash.update(`${path}\0`)
  hash.update(readFileSync(full))
}
