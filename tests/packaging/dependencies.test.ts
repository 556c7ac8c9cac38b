import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readShipped } from '../../scripts/shipped.mjs'
import { projectRoot } from '../support/server/command-line.ts'

const { manifest, bundled, imported, installed } = readShipped()
/** Names of the packages that the program's own code imports. */
const used = new Set(
  globSync('src/**/*.{ts,tsx,css}', { cwd: projectRoot })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => [
      ...readFileSync(join(projectRoot, file), 'utf8').matchAll(
        /(?:from |import |import\(|url\()'((?:@[\w-]+\/)?[\w.-]+)/g,
      ),
    ])
    .map(([, name]) => name),
)

test('the dependencies are exactly what ships; what only builds and tests is a development dependency', () => {
  const top = bundled.filter(({ folder, name }) => folder === `node_modules/${name}`)
  // A used package may leave it to us to install what it needs.
  const peers = top
    .filter(({ name }) => used.has(name))
    .flatMap(({ peerDependencies }) => Object.keys(peerDependencies ?? {}))
  const ships = [...top.map(({ name }) => name), ...imported].filter(
    (name) => used.has(name) || peers.includes(name),
  )
  expect(Object.keys(manifest.dependencies).toSorted()).toEqual(ships.toSorted())
})

test('`npm ls --omit=dev` and an audit see every package that ships', () => {
  const hidden = [...bundled, ...installed].filter((part) => 'dev' in part)
  expect(hidden.map(({ name }) => name)).toEqual([])
})

test('only packages with native parts are imported when the program runs', () => {
  expect(imported).toEqual(['better-sqlite3', 'sharp'])
})

test('every dependency has an exact version', () => {
  const versions = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([])
})

test('decision 002 gives the reason for every dependency', () => {
  const decision = readFileSync(join(projectRoot, 'docs/decisions/002-libraries.md'), 'utf8')
  const known = [...decision.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell]) => {
    let scope = ''
    return (cell ?? '').split(', ').map((name) => {
      scope = /^@[^/]+/.exec(name)?.[0] ?? scope
      return name.startsWith('/') ? `${scope}${name}` : name
    })
  })
  const isKnown = (name: string): boolean =>
    known.some((one) => one === name || (one.endsWith('*') && name.startsWith(one.slice(0, -1))))
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  expect(names.filter((name) => !isKnown(name) && !name.startsWith('@types/'))).toEqual([])
})
