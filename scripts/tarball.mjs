// Packs the program as an npm package that needs no build, to `dist/skilldock-VERSION.tgz`.
//
//   npm run tarball
import { execFileSync, execSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from './build.mjs'
import { checkNode } from './node-checksums.mjs'
import { readShipped } from './shipped.mjs'
import { isFresh, root } from './sources.mjs'

const { load } = createRequire(import.meta.url)('js-yaml')

/** What only this package needs: the command, and the pages that the README leads to. */
const more = [
  'scripts/{skilldock,sources}.mjs',
  '{README,CHANGELOG,CONTRIBUTING,SECURITY}.md',
  'docs/**/*.{md,yml}',
  'docs/examples/*',
  'docs/screens/review-{dark,light}.png',
]

/**
 * Writes what is packed to an empty folder. npm installs what has native parts, and Node; everything else is bundled.
 * @param {string} folder
 * @param {ReturnType<typeof readShipped>} shipped
 */
function stage(folder, { manifest, imported, installed }) {
  for (const file of listFiles()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  const { name, version, description, homepage, license, author, type, bin, main, engines } = manifest
  const dependencies = Object.fromEntries(imported.map((one) => [one, manifest.dependencies[one]]))
  const { optionalDependencies } = manifest
  const man = ['./man/skilldock.1']
  const described = { name, version, description, homepage, license, author, type, bin, man, main, engines }
  const staged = { ...described, dependencies, optionalDependencies }
  mkdirSync(join(folder, 'man'))
  const manual = execFileSync(process.execPath, [join(root, 'out/main/cli.js'), 'man'])
  writeFileSync(join(folder, man[0]), manual)
  writeJson(join(folder, 'package.json'), staged)
  writeJson(join(folder, 'npm-shrinkwrap.json'), shrinkwrapOf(staged, installed))
}

/** The files of the desktop app without `node_modules`, and more. */
function listFiles() {
  const { files } = load(readFileSync(join(root, 'electron-builder.yml'), 'utf8'))
  const patterns = files.filter((pattern) => !/^!?node_modules\//.test(pattern))
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  return globSync([...patterns.filter((pattern) => !pattern.startsWith('!')), ...more], {
    cwd: root,
    exclude: excluded,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}

/** The exact versions and checksums of everything that npm installs with it. */
function shrinkwrapOf(staged, installed) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = staged
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, version, license, dependencies, optionalDependencies, bin, engines },
      ...Object.fromEntries(installed.map(({ folder }) => [folder, packages[folder]])),
    },
  }
}

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

/**
 * Packs the current build. Returns the path of `skilldock-VERSION.tgz`.
 * @param {string} destination a folder
 */
export function pack(destination) {
  const shipped = readShipped()
  for (const name of shipped.nodes) {
    const brought = join(root, 'node_modules', name)
    // npm installs only the one for this system.
    if (existsSync(brought)) checkNode(name, brought)
  }
  const folder = join(destination, 'package')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  stage(folder, shipped)
  // Through a shell, because npm is a script on Windows.
  execSync('npm pack --loglevel=error', {
    cwd: folder,
    env: { ...process.env, npm_config_pack_destination: destination },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(folder, { recursive: true })
  return join(destination, `${shipped.manifest.name}-${shipped.manifest.version}.tgz`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  if (!isFresh()) await build()
  const file = pack(join(root, 'dist'))
  process.stdout.write(`${relative(root, file)}\n`)
}
