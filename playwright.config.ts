import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import type { PlaywrightTestConfig } from '@playwright/test'
import { BROWSER_ARGUMENTS, requireProgram } from './tests/support/programs.ts'
import { preferMemoryFolder } from './tests/support/prefer-memory-folder.ts'

preferMemoryFolder()

const chromium = requireProgram('chromium')

/**
 * Without V8's optimizing compilers, and without compiling functions before their first call, the pages of a test need a
 * tenth less CPU time, because hardly any of them lives long enough to make up for compiling.
 */
const COMPILE_LESS = '--js-flags=--no-maglev --no-turbofan --max-lazy'

const browser = (...args: string[]): PlaywrightTestConfig['use'] => ({
  browserName: 'chromium',
  viewport: { width: 1280, height: 800 },
  launchOptions: {
    ...(chromium === null ? {} : { executablePath: chromium }),
    chromiumSandbox: false,
    // With the limit, a browser context starts one process for its pages instead of three. Other sites and sandboxed
    // frames still have their own.
    args: [...BROWSER_ARGUMENTS, '--renderer-process-limit=1', ...args],
  },
})

export default defineConfig({
  globalSetup: './tests/support/build.ts',
  // Only for tests that hang: a busy machine is several times slower than an idle one.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // Each test has its own server, folder and browser context, and its browser needs half a core. A test spends a third
  // of its time waiting.
  fullyParallel: true,
  workers: Math.max(4, Math.floor(availableParallelism() / 2)),
  forbidOnly: true,
  outputDir: 'test-results',
  reporter: 'list',
  projects: [
    { name: 'desktop', testDir: 'tests/desktop' },
    {
      name: 'e2e',
      testDir: 'tests/e2e',
      grepInvert: /@alone/,
      // An animation would draw sixty frames a second while a test waits. Tests of animations turn them on.
      use: { ...browser(COMPILE_LESS), contextOptions: { reducedMotion: 'reduce' } },
    },
    // What is measured must run like in a user's browser.
    { name: 'measured', testDir: 'tests/e2e', grep: /@alone/, use: browser() },
  ],
})
