// Builds `out/` when it is not what the sources say. Two builds at once do no harm: each works in a folder
// of its own, and the finished one is put in place by a rename.
//
//   node scripts/build.mjs                  build if stale
//   node scripts/build.mjs --if-possible    the same, and nothing where the means to build are not installed
import { spawnSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { canBuild, hashSources, isFresh, root } from './sources.mjs'

/** Brings `out/` up to date; throws with what the bundler said when that fails. */
export function build() {
  const stamp = hashSources()
  const folder = `out-${process.pid}`
  const bundler = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  const made = join(root, folder)
  // Absolute, for each part of the build takes a relative one from a root of its own.
  const result = spawnSync(process.execPath, [bundler, 'build', '--outDir', made, '--logLevel', 'warn'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (result.status !== 0) {
    rmSync(made, { recursive: true, force: true })
    throw new Error(`The build failed:\n${result.stdout}${result.stderr}`)
  }
  writeFileSync(join(made, 'sources.sha256'), stamp)
  putInPlace(made)
}

function putInPlace(made) {
  const out = join(root, 'out')
  const old = `${made}-old`
  try {
    // A build of the same sources that was faster stays: somebody may be running it already.
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
      process.stderr.write('What is needed to build is not installed. Run: npm ci\n')
      process.exitCode = 1
    }
  } else if (!isFresh()) {
    try {
      build()
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    }
  }
}
