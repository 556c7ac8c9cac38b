// Builds `out/` if it is out of date. Concurrent builds are safe: each works in its own folder, which is then renamed.
//
//   node scripts/build.mjs                  build if stale
//   node scripts/build.mjs --if-possible    the same, but do nothing if the build tools are not installed
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { canBuild, hashSources, isFresh, root } from './sources.mjs'

/** Builds `out/`. Throws with the bundlers' output if that fails. */
export async function build() {
  const stamp = hashSources()
  // Absolute, because each part of the build resolves a relative path from a different root.
  const made = join(root, `out-${process.pid}`)
  const recorded = `${made}.packages`
  writeFileSync(recorded, '')
  const results = await Promise.allSettled([
    bundle('electron-vite/bin/electron-vite.js', ['build', '--outDir', made], recorded),
    ...viteBuilds
      .filter(({ config }) => existsSync(join(root, config)))
      .map(({ config, options, folder }) =>
        bundle(
          'vite/bin/vite.js',
          ['build', ...options, '--config', config, '--outDir', join(made, folder)],
          recorded,
        ),
      ),
  ])
  const packages = [...new Set(readFileSync(recorded, 'utf8').split('\n'))].filter(Boolean).toSorted()
  rmSync(recorded)
  const failed = results.filter(({ status }) => status === 'rejected')
  if (failed.length > 0) {
    rmSync(made, { recursive: true, force: true })
    throw new Error(`The build failed:\n${failed.map(({ reason }) => reason.message).join('')}`)
  }
  writeFileSync(join(made, 'packages.txt'), `${packages.join('\n')}\n`)
  try {
    // Not imported above, because without packages the build only says what to install.
    const { checkLicenses, readShipped } = await import('./shipped.mjs')
    const { bundled, installed } = readShipped(packages)
    checkLicenses([...bundled, ...installed])
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    throw error
  }
  const assets = join(made, 'renderer/assets')
  if (existsSync(assets)) await compressScripts(assets)
  writeFileSync(join(made, 'sources.sha256'), stamp)
  putInPlace(made)
}

/** The publish client is a single file with its own build, and so are the processes that a server starts. */
const viteBuilds = [
  { config: 'src/client/vite.config.ts', options: [], folder: 'client' },
  { config: 'src/server/vite.config.ts', options: ['--app'], folder: 'main' },
]

/** Runs a bundler, which records packages (scripts/bundled-packages.ts). Throws with its output if it fails. */
async function bundle(program, args, recorded) {
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules', program), ...args, '--logLevel', 'warn'],
    {
      cwd: root,
      env: { ...process.env, SKILLDOCK_BUNDLED_PACKAGES: recorded },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(output)
}

/** Writes a compressed copy beside each script and style sheet, which the server sends to browsers. */
async function compressScripts(folder) {
  const compress = promisify(brotliCompress)
  const names = readdirSync(folder).filter((name) => /\.(?:js|css)$/.test(name))
  await Promise.all(
    names.map(async (name) =>
      writeFileSync(join(folder, `${name}.br`), await compress(readFileSync(join(folder, name)))),
    ),
  )
}

function putInPlace(made) {
  const out = join(root, 'out')
  const old = `${made}-old`
  try {
    // Keep the result of a concurrent build of the same sources, which may already be in use.
    if (isFresh()) return
    moveAway(out, old)
    renameSync(made, out)
  } catch (error) {
    if (!isFresh()) throw error
  } finally {
    rmSync(made, { recursive: true, force: true })
    rmSync(old, { recursive: true, force: true })
  }
}

function moveAway(out, old) {
  try {
    renameSync(out, old)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const ifPossible = process.argv.includes('--if-possible')
  if (!canBuild()) {
    if (!ifPossible) {
      process.stderr.write('The build tools are not installed. Run: npm ci\n')
      process.exitCode = 1
    }
  } else if (!isFresh()) {
    try {
      await build()
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    }
  }
}
