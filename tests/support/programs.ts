import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, join } from 'node:path'
import { findRust, RUST_PACKAGES } from './client/rust-toolchain.ts'
import { C_TOOLCHAIN_PACKAGES, missingCToolchain } from '../../resources/skills/c-toolchain.ts'

/**
 * Programs outside node_modules that some tests need. `clang` stands for all that builds C for WASI, `rust` for the
 * same of Rust, `caddy` for a reverse proxy and what makes its certificate, `xmllint` for what checks XML against its
 * schema, `shells` for those that run the installer, what checks it, and what it downloads with.
 */
export type Program = 'chromium' | 'clang' | 'rust' | 'caddy' | 'xmllint' | 'shells'

/** What Debian calls what a program needs; `chromium` stands for any browser of its kind. */
export const DEBIAN_PACKAGES: Record<Program, readonly string[]> = {
  chromium: ['chromium-headless-shell'],
  clang: C_TOOLCHAIN_PACKAGES,
  rust: RUST_PACKAGES,
  caddy: ['caddy', 'openssl'],
  xmllint: ['libxml2-utils'],
  shells: ['shellcheck', 'dash', 'busybox', 'curl', 'wget'],
}

/** The same in words, for systems without a package manager to count on. */
const NEEDS: Record<Exclude<Program, 'chromium'>, string> = {
  clang: 'clang, lld and wasi-libc',
  rust: 'cargo with the target wasm32-wasip1',
  caddy: 'caddy and openssl',
  xmllint: 'xmllint',
  shells: 'shellcheck, dash, busybox, curl and wget',
}

/**
 * The only reasons for which a test may be skipped where every program is installed. Such a test carries
 * the text in its title, its suite's title or its Playwright skip description, so that tests/run.ts sees it.
 */
export const ALLOWED_SKIPS = {
  electron: "needs Electron's binary",
  otherSystem: 'needs another operating system',
  otherUser: 'needs another user than root',
} as const

/** True in `.ci/run`, where a test skipped for a missing program counts as failed. */
export const isStrict = (): boolean => process.env['SKILLDOCK_TEST_STRICT'] === '1'

/** The path of a program that is ready for use, or null. Looked up once in a process. */
export const requireProgram = (program: Program): string | null => {
  const known = found.get(program)
  if (known !== undefined) return known
  const path = FINDERS[program]()
  found.set(program, path)
  return path
}

/**
 * For `describe.skipIf(skipWithout('clang'))` and `test.skip(skipWithout('chromium'), ...)`. In strict mode
 * nothing is skipped: the tests run and fail with the program's absence as their reason.
 */
export const skipWithout = (program: Program): boolean => !isStrict() && requireProgram(program) === null

/** The one command that would provide what is missing for these programs on this system. */
export const installCommand = (programs: readonly Program[]): string => {
  if (process.platform === 'linux') {
    const packages = new Set(programs.flatMap((program) => DEBIAN_PACKAGES[program]))
    const sudo = process.getuid?.() === 0 ? '' : 'sudo '
    return `${sudo}apt-get install -y ${[...packages].join(' ')}`
  }
  // Playwright brings a browser to any system, but nothing else.
  const commands = programs.map((program) =>
    program === 'chromium' ? 'npx playwright install chromium' : `install ${NEEDS[program]}`,
  )
  return commands.join('; ')
}

/** Forgets what was looked up, after something has been installed. */
export const forgetPrograms = (): void => found.clear()

const found = new Map<Program, string | null>()

const findInPath = (...names: string[]): string | null => {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const files = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return files.find((file) => existsSync(file) && runs(file)) ?? null
}

/** What makes a program end at once with status 0, where that is not `--version`. */
const PROBES: Record<string, readonly string[]> = {
  busybox: ['true'],
  caddy: ['version'],
  dash: ['-c', ':'],
  openssl: ['version'],
}

/** A file on PATH may be a shim of something that is not installed, so only a program that runs is there. */
const runs = (file: string): boolean => {
  const probe = PROBES[basename(file, '.exe')] ?? ['--version']
  return spawnSync(file, probe, { stdio: 'ignore' }).status === 0
}

/** The path of the first one, where every one of them is there. */
const findAll = (...names: string[]): string | null => {
  const paths = names.map((name) => findInPath(name))
  return paths.includes(null) ? null : (paths[0] ?? null)
}

// Playwright's own browser, downloaded by `playwright install chromium`.
const findPlaywrightChromium = (): string | null => {
  // Loaded here and not above, for most test files never need it.
  const playwright: typeof import('@playwright/test') = createRequire(import.meta.url)('@playwright/test')
  const file = playwright.chromium.executablePath()
  return existsSync(file) && runs(file) ? file : null
}

/**
 * What the browser is started with. The headless shell keeps a sandboxed frame in the process of its page unless
 * it is told to do as the others do.
 */
export const BROWSER_ARGUMENTS = ['--site-per-process', '--disable-dev-shm-usage', '--disable-gpu']

// The same engine in each; the first is without what only a screen needs, and does with a third less computing.
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

const FINDERS: Record<Program, () => string | null> = {
  chromium: () => findInPath(...BROWSERS) ?? findPlaywrightChromium(),
  caddy: () => (findInPath('openssl', 'openssl.exe') === null ? null : findInPath('caddy', 'caddy.exe')),
  xmllint: () => findInPath('xmllint', 'xmllint.exe'),
  shells: () => findAll('shellcheck', 'dash', 'bash', 'busybox', 'curl', 'wget'),
  clang: () => (missingCToolchain().length === 0 ? findInPath('clang', 'clang.exe') : null),
  rust: () => findRust()?.cargo ?? null,
}
