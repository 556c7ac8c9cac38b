// Writes what the shipped program consists of, without the tools that build and test it, to `dist/sbom.json` (CycloneDX).
//
//   npm run sbom
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import parseExpression from 'spdx-expression-parse'
import { build } from './build.mjs'
import { readShipped } from './shipped.mjs'
import { isFresh, root } from './sources.mjs'

const { ComponentBuilder } = Contrib.FromNodePackageJson.Builders
const { ExternalReferenceFactory } = Contrib.FromNodePackageJson.Factories
const { LicenseFactory } = Contrib.License.Factories
const builder = new ComponentBuilder(new ExternalReferenceFactory(), new LicenseFactory(parseExpression))

/**
 * CycloneDX 1.6 as JSON. The same build always gives the same text.
 * @param {ReturnType<typeof readShipped>} shipped
 */
export function makeSbom({ manifest, bundled, installed, locate }) {
  const components = new Map([...bundled, ...installed].map((part) => [part.folder, componentOf(part)]))
  const program = builder.makeComponent(manifest, Enums.ComponentType.Application)
  program.purl = purlOf(manifest)
  program.bomRef.value = program.purl
  const connect = (component, from, { dependencies, optionalDependencies }) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const needed = components.get(locate(from, name))
      // A dependency of which nothing is used is not bundled.
      if (needed !== undefined) component.dependencies.add(needed.bomRef)
    }
  }
  connect(program, '', manifest)
  for (const part of [...bundled, ...installed]) connect(components.get(part.folder), part.folder, part)
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: program }),
    components: new Models.ComponentRepository(components.values()),
  })
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`
}

function componentOf(part) {
  const { folder, name, version, license, integrity, optional } = part
  const file = join(root, folder, 'package.json')
  // npm does not install the parts for other systems, so only the lock file describes them.
  const described = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const component = builder.makeComponent({ ...described, name, version, license })
  component.purl = purlOf(part)
  component.bomRef.value = `${component.purl}#${folder}`
  component.scope = optional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required
  const digest = /^sha512-(.+)$/.exec(integrity ?? '')?.[1]
  if (digest !== undefined) {
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex'))
  }
  return component
}

const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!isFresh()) await build()
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'dist/sbom.json'), makeSbom(readShipped()))
}
