import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  DEBIAN_PACKAGES,
  VERSITYGW,
  LITESTREAM_FOLDER,
  WASMTIME_FOLDER,
  forgetPrograms,
  pythonIn,
  requireProgram,
  type Program,
} from './programs.ts'

const APT_SECONDS = 300
const DOWNLOAD_SECONDS = 60
const BUILD_SECONDS = 600
const SILENT_SECONDS = 20

/**
 * Tries to install the missing programs and returns those that are still missing. As root it uses apt, which
 * also installs a browser's libraries; otherwise only wasmtime and Playwright's Chromium can be downloaded. A failure
 * is not an error, because tests that need the program are then skipped.
 */
export const provideMissingPrograms = async (needed: readonly Program[]): Promise<Program[]> => {
  // Set to leave the system unchanged.
  if (process.env['SKILLDOCK_TEST_PROVIDE'] === '0') return missingOf(needed)
  if (missingOf(needed).length > 0 && mayUseApt()) installWithApt(missingOf(needed))
  if (missingOf(needed).includes('chromium')) await downloadChromium()
  if (missingOf(needed).includes('wasmtime')) installWithPip('wasmtime', WASMTIME_FOLDER, '../fuzz')
  if (missingOf(needed).includes('litestream'))
    installWithPip('litestream', LITESTREAM_FOLDER, '../operations')
  if (missingOf(needed).includes('versitygw')) buildVersitygw()
  return missingOf(needed)
}

const missingOf = (programs: readonly Program[]): Program[] =>
  programs.filter((program) => requireProgram(program) === null)

const mayUseApt = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

const installWithApt = (programs: readonly Program[]): void => {
  runApt('update')
  // One program at a time, because a package that the distribution lacks must not affect the others.
  for (const program of programs) {
    const packages = DEBIAN_PACKAGES[program]
    if (packages.length === 0) continue
    console.log(`Installing ${packages.join(' ')} ...`)
    runApt('install', '-y', '--no-install-recommends', ...packages)
  }
  forgetPrograms()
}

const runApt = (...args: string[]): void => {
  spawnSync('apt-get', ['-q', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
    timeout: APT_SECONDS * 1000,
  })
}

/** Installs the pinned packages of a folder's `python-packages.txt` in an environment of their own. */
const installWithPip = (name: Program, target: string, folder: string): void => {
  console.log(`Installing ${name} ...`)
  const requirements = join(import.meta.dirname, folder, 'python-packages.txt')
  const run = (file: string, ...args: string[]): void =>
    void spawnSync(file, args, { stdio: 'ignore', timeout: DOWNLOAD_SECONDS * 1000 })
  run('python3', '-m', 'venv', target)
  run(
    pythonIn(target),
    '-m',
    'pip',
    'install',
    '--require-hashes',
    '--only-binary',
    ':all:',
    '-r',
    requirements,
  )
  forgetPrograms()
}

const buildVersitygw = (): void => {
  console.log('Building versitygw ...')
  // Go compares the sources with its public record of digests.
  spawnSync('go', ['install', 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'], {
    env: { ...process.env, GOBIN: dirname(VERSITYGW), GOFLAGS: '' },
    stdio: 'ignore',
    timeout: BUILD_SECONDS * 1000,
  })
  forgetPrograms()
}

const downloadChromium = async (): Promise<void> => {
  console.log("Trying Playwright's own download of Chromium ...")
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-download-'))
  const playwright = join(import.meta.dirname, '../../node_modules/@playwright/test/cli.js')
  // Playwright downloads to the temporary folder, where the progress can be observed. It starts a child
  // process, so on POSIX both run in one process group that can be killed.
  const child = spawn(process.execPath, [playwright, 'install', '--no-shell', 'chromium'], {
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
    stdio: 'ignore',
    detached: process.platform !== 'win32',
  })
  try {
    await endedOrStuck(child, folder)
  } finally {
    endGroup(child)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    forgetPrograms()
  }
}

const endedOrStuck = (child: ChildProcess, folder: string): Promise<void> =>
  new Promise((settle) => {
    let size = 0
    let silent = 0
    let seconds = 0
    const watch = setInterval(() => {
      const before = size
      size = folderSize(folder)
      silent = size === before ? silent + 1 : 0
      seconds += 1
      if (silent >= SILENT_SECONDS || seconds >= DOWNLOAD_SECONDS) finish()
    }, 1000)
    const finish = (): void => {
      clearInterval(watch)
      settle()
    }
    child.once('error', finish)
    child.once('close', finish)
  })

const folderSize = (folder: string): number => {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((total, size) => total + size, 0)
  } catch {
    // A folder was removed while it was being read.
    return 0
  }
}

const endGroup = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null) return
  if (process.platform === 'win32') {
    child.kill()
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
