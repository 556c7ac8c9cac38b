// Builds `out/` when it is not what the sources say. Two builds at once do no harm: each works in a folder
// of its own, and the finished one is put in place by a rename.
//
//   node scripts/build.mjs                  build if stale
//   node scripts/build.mjs --if-possible    the same, and nothing where the means to build are not installed
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { canBuild, hashSources, isFresh, root } from './sources.mjs'

/** Brings `out/` up to date; throws with what the bundlers said when that fails. */
export async function build() {
  const stamp = hashSources()
  // Absolute, for each part of the build takes a relative one from a root of its own.
  const made = join(root, `out-${process.pid}`)
  const results = await Promise.allSettled([
    bundle('electron-vite/bin/electron-vite.js', ['build', '--outDir', made]),
    ...(existsSync(join(root, clientConfig))
      ? [bundle('vite/bin/vite.js', ['build', '--config', clientConfig, '--outDir', join(made, 'client')])]
      : []),
  ])
  const failed = results.filter(({ status }) => status === 'rejected')
  if (failed.length > 0) {
    rmSync(made, { recursive: true, force: true })
    throw new Error(`The build failed:\n${failed.map(({ reason }) => reason.message).join('')}`)
  }
  writeFileSync(join(made, 'sources.sha256'), stamp)
  putInPlace(made)
}

/** What developers install is one file with a build of its own. */
const clientConfig = 'src/client/vite.config.ts'

/** Runs a bundler until it ends; throws with what it said when it fails. */
async function bundle(program, words) {
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules', program), ...words, '--logLevel', 'warn'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  }
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(said)
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
      await build()
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    }
  }
}
