// What the program is made of: the one list behind the license check, the notices, the SBOM and the installable package.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import parseExpression from 'spdx-expression-parse'
import { root } from './sources.mjs'

/** Licenses of packages that may be shipped, as SPDX identifiers. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
])

/** Licenses that are only fine for some packages, and for a reason. */
const allowedFor = {
  // A list of names; the notices attribute it.
  'CC-BY-3.0': /^spdx-exceptions$/,
  // Fonts.
  'OFL-1.1': /^@fontsource/,
  // libvips and its libraries are separate files that are linked when the program runs, and can be replaced.
  'LGPL-3.0-or-later': /^@img\/sharp-/,
}

/** The packages that are never bundled, because an entry of the repository's package.json installs them. */
const nodes = ({ optionalDependencies }) => Object.keys(optionalDependencies)

/**
 * A package: its folder as in package-lock.json, and what that says about it.
 * @typedef {{ folder: string, name: string, version: string, license?: string, integrity?: string, dev?: boolean,
 *   optional?: boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string> }} Part
 */

/**
 * Reads what a build contains.
 * @param {string[]} [recorded] the lines of `out/packages.txt`
 */
export function readShipped(recorded = readLines('out/packages.txt')) {
  const manifest = readJson('package.json')
  const { packages } = readJson('package-lock.json')
  const isFolder = (line) => line.startsWith('node_modules/')
  // The app brings Electron, and the command line works without it.
  const imported = recorded.filter((line) => !isFolder(line) && line !== 'electron')
  /** @returns {Part} */
  const describe = (folder) => {
    const entry = packages[folder]
    if (entry === undefined) throw new Error(`package-lock.json does not contain ${folder}`)
    return { folder, name: nameOf(folder), ...entry }
  }
  return {
    manifest,
    /** Compiled into `out/`. */
    bundled: recorded.filter(isFolder).map(describe),
    /** Names of what `out/` imports when it runs: packages with native parts. */
    imported,
    /** Names of the packages that bring Node. */
    nodes: nodes(manifest),
    /** The folder of a package's dependency, found like Node does. */
    locate: (from, name) => locate(packages, from, name),
    /** `imported` with everything that it needs on any system, and Node: npm installs them. */
    installed: [...closure(packages, [...imported, ...nodes(manifest)])].map(describe),
  }
}

/** Throws with the names of all packages whose license is not on the list. */
export function checkLicenses(packages) {
  const wrong = packages.filter(({ name, license }) => !isAllowed(name, license))
  if (wrong.length === 0) return
  const lines = wrong.map(({ name, version, license }) => `  ${name} ${version}: ${license ?? 'no license'}`)
  throw new Error(
    `These packages would be shipped, but their licenses are not on the list in scripts/shipped.mjs:\n${lines.join('\n')}\n`,
  )
}

function isAllowed(name, license) {
  const permits = (node) => {
    if (node.conjunction === 'and') return permits(node.left) && permits(node.right)
    if (node.conjunction === 'or') return permits(node.left) || permits(node.right)
    const id = node.plus ? `${node.license}+` : node.license
    return allowed.has(id) || (allowedFor[id]?.test(name) ?? false)
  }
  try {
    return permits(parseExpression(license ?? ''))
  } catch {
    // Not an SPDX expression, such as "SEE LICENSE IN …".
    return false
  }
}

/**
 * The folders of packages with all their dependencies.
 * @param {string[]} names
 */
function closure(packages, names) {
  const found = new Set(names.map((name) => `node_modules/${name}`))
  // A set also visits what is added during the loop.
  for (const folder of found) {
    const { dependencies, optionalDependencies } = packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      found.add(locate(packages, folder, name))
    }
  }
  return [...found].toSorted()
}

function locate(packages, from, name) {
  if (from === '') return `node_modules/${name}`
  const nested = `${from}/node_modules/${name}`
  if (nested in packages) return nested
  const outer = from.lastIndexOf('/node_modules/')
  return locate(packages, outer === -1 ? '' : from.slice(0, outer), name)
}

const nameOf = (folder) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
const readLines = (path) => readFileSync(join(root, path), 'utf8').trimEnd().split('\n')
