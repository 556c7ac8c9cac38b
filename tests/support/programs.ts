import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, join } from 'node:path'
import { findRust, RUST_PACKAGES } from './client/rust-toolchain.ts'
import { C_TOOLCHAIN_PACKAGES, missingCToolchain } from '../../resources/skills/c-toolchain.ts'

/**
 * Programs outside node_modules that some tests need. `clang` is the C toolchain for WASI, `rust` the Rust toolchain
 * for WASI, `caddy` the reverse proxy and the program that creates its certificate, `xmllint` the XML validator,
 * `shells` the shells, linter and download programs for the install script, `promtool` Prometheus' validator,
 * `completing` the shells for which completion is generated, in a terminal, `manual` the checkers of manual pages,
 * `skopeo` a client of OCI registries, `wasmtime` a Python that can import wasmtime, `systemd` its programs and a Python
 * that receives its reports, `versitygw` an S3 server, `litestream` the program that replicates SQLite databases, and
 * `networks` the program that creates networks of several machines.
 */
export type Program =
  | 'chromium'
  | 'clang'
  | 'rust'
  | 'caddy'
  | 'xmllint'
  | 'shells'
  | 'promtool'
  | 'completing'
  | 'manual'
  | 'skopeo'
  | 'wasmtime'
  | 'systemd'
  | 'versitygw'
  | 'litestream'
  | 'networks'

/** The Debian packages that provide a program; `chromium` includes all Chromium-based browsers. */
export const DEBIAN_PACKAGES: Record<Program, readonly string[]> = {
  chromium: ['chromium-headless-shell'],
  clang: C_TOOLCHAIN_PACKAGES,
  rust: RUST_PACKAGES,
  caddy: ['caddy', 'openssl'],
  xmllint: ['libxml2-utils'],
  shells: ['shellcheck', 'dash', 'busybox', 'curl', 'wget'],
  promtool: ['prometheus'],
  completing: ['zsh', 'fish'],
  manual: ['mandoc', 'groff-base'],
  skopeo: ['skopeo'],
  wasmtime: ['python3-venv'],
  systemd: ['systemd', 'python3'],
  // Not in Debian, and Debian's Go is too old to build it.
  versitygw: [],
  litestream: ['python3-venv'],
  networks: ['iproute2'],
}

/** A description of the packages, for systems without a known package manager. */
const NEEDS: Record<Exclude<Program, 'chromium'>, string> = {
  clang: 'clang, lld, wasi-libc and compiler-rt',
  rust: 'cargo with the target wasm32-wasip1',
  caddy: 'caddy and openssl',
  xmllint: 'xmllint',
  shells: 'shellcheck, dash, busybox, curl and wget',
  promtool: 'promtool',
  completing: 'bash, zsh and fish',
  manual: 'mandoc and groff',
  skopeo: 'skopeo',
  wasmtime: 'python3 with venv and pip',
  systemd: 'systemd-notify, systemd-analyze and python3',
  versitygw: 'Go 1.25 or later',
  litestream: 'python3 with venv and pip',
  networks: 'ip of Linux',
}

/**
 * The only reasons for skipping a test when all programs are installed. The test has the text in its title, in
 * its suite's title or in its Playwright skip description, where tests/run.ts finds it.
 */
export const ALLOWED_SKIPS = {
  electron: "needs Electron's binary",
  otherSystem: 'needs another operating system',
  /** It comes from a registry of its own, which a complete run must not depend on. */
  wasmtime: 'needs wasmtime',
  /** As above. */
  versitygw: 'needs versitygw',
  /** As above. */
  litestream: 'needs litestream',
  /** Only root may create them, and not in every container. */
  networks: 'needs network namespaces',
  otherUser: 'needs another user than root',
} as const

/** True in `.ci/run`, where tests skipped for a missing program count as failed. */
export const isStrict = (): boolean => process.env['SKILLDOCK_TEST_STRICT'] === '1'

/** The path of a working program, or null. Looked up once per process. */
export const requireProgram = (program: Program): string | null => {
  const known = found.get(program)
  if (known !== undefined) return known
  const path = FINDERS[program]()
  found.set(program, path)
  return path
}

/**
 * For `describe.skipIf(skipWithout('clang'))` and `test.skip(skipWithout('chromium'), ...)`. In strict mode
 * nothing is skipped: the tests run and fail because the program is missing.
 */
export const skipWithout = (program: Program): boolean => !isStrict() && requireProgram(program) === null

/** The command that installs these programs on this system. */
export const installCommand = (programs: readonly Program[]): string => {
  if (process.platform === 'linux') {
    const packages = new Set(programs.flatMap((program) => DEBIAN_PACKAGES[program]))
    const sudo = process.getuid?.() === 0 ? '' : 'sudo '
    return `${sudo}apt-get install -y ${[...packages].join(' ')}`
  }
  // Playwright can install a browser on any system, but nothing else.
  const commands = programs.map((program) =>
    program === 'chromium' ? 'npx playwright install chromium' : `install ${NEEDS[program]}`,
  )
  return commands.join('; ')
}

/** Clears the lookup cache, after programs have been installed. */
export const forgetPrograms = (): void => found.clear()

const found = new Map<Program, string | null>()

const findInPath = (...names: string[]): string | null => {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const files = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return files.find((file) => existsSync(file) && runs(file)) ?? null
}

/** Arguments that make a program exit immediately with status 0, unless `--version` does. */
const PROBES: Record<string, readonly string[]> = {
  busybox: ['true'],
  caddy: ['version'],
  dash: ['-c', ':'],
  ip: ['-V'],
  mandoc: ['-l', '/dev/null'],
  openssl: ['version'],
}

/** Whether a program runs. A file on PATH may be a shim of a program that is not installed. */
const runs = (file: string): boolean => {
  const probe = PROBES[basename(file, '.exe')] ?? ['--version']
  return spawnSync(file, probe, { stdio: 'ignore' }).status === 0
}

/** The path of the first program, if all of them are installed. */
const findAll = (...names: string[]): string | null => {
  const paths = names.map((name) => findInPath(name))
  return paths.includes(null) ? null : (paths[0] ?? null)
}

// Playwright's own browser, downloaded by `playwright install chromium`.
const findPlaywrightChromium = (): string | null => {
  // Loaded on demand, because most test files do not need it.
  const playwright: typeof import('@playwright/test') = createRequire(import.meta.url)('@playwright/test')
  const file = playwright.chromium.executablePath()
  return existsSync(file) && runs(file) ? file : null
}

/**
 * The arguments of the browser. Unlike the others, the headless shell runs a sandboxed frame in the process of its
 * page by default.
 */
export const BROWSER_ARGUMENTS = ['--site-per-process', '--disable-dev-shm-usage', '--disable-gpu']

// All have the same engine; the first has no support for screens and uses a third less CPU time.
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** A Python of its own, in which only wasmtime is installed. */
export const WASMTIME_FOLDER = join(import.meta.dirname, '../../node_modules/.cache/wasmtime')

/** The interpreter of a Python environment. */
export const pythonIn = (folder: string): string =>
  join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')

export const wasmtimePython = pythonIn(WASMTIME_FOLDER)

const findWasmtime = (): string | null =>
  spawnSync(wasmtimePython, ['-c', 'import wasmtime'], { stdio: 'ignore' }).status === 0
    ? wasmtimePython
    : null

/** The S3 server, built from its sources. */
export const VERSITYGW = join(import.meta.dirname, '../../node_modules/.cache/versitygw', 'versitygw')

/** A Python environment with the package that contains the program. */
export const LITESTREAM_FOLDER = join(import.meta.dirname, '../../node_modules/.cache/litestream')

export const LITESTREAM = join(LITESTREAM_FOLDER, 'bin/litestream')

const FINDERS: Record<Program, () => string | null> = {
  chromium: () => findInPath(...BROWSERS) ?? findPlaywrightChromium(),
  caddy: () => (findInPath('openssl', 'openssl.exe') === null ? null : findInPath('caddy', 'caddy.exe')),
  xmllint: () => findInPath('xmllint', 'xmllint.exe'),
  promtool: () => findInPath('promtool', 'promtool.exe'),
  completing: () => findAll('bash', 'zsh', 'fish', 'script'),
  manual: () => findAll('mandoc', 'groff'),
  skopeo: () => findInPath('skopeo'),
  shells: () => findAll('shellcheck', 'dash', 'bash', 'busybox', 'curl', 'wget'),
  clang: () => (missingCToolchain().length === 0 ? findInPath('clang', 'clang.exe') : null),
  rust: () => findRust()?.cargo ?? null,
  wasmtime: findWasmtime,
  systemd: () => findAll('systemd-notify', 'systemd-analyze', 'python3'),
  versitygw: () => (existsSync(VERSITYGW) ? VERSITYGW : null),
  litestream: () => (existsSync(LITESTREAM) ? LITESTREAM : null),
  networks: () => findInPath('ip'),
}
