import { defineConfig } from '@playwright/test'
import { requireProgram } from './tests/support/programs.ts'

const chromium = requireProgram('chromium')

export default defineConfig({
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // Two cores are soon shared out, and the tests measure times.
  workers: 1,
  forbidOnly: true,
  outputDir: 'test-results',
  reporter: 'list',
  projects: [
    { name: 'desktop', testDir: 'tests/desktop' },
    {
      name: 'e2e',
      testDir: 'tests/e2e',
      timeout: 30_000,
      expect: { timeout: 5000 },
      use: {
        browserName: 'chromium',
        viewport: { width: 1280, height: 800 },
        launchOptions: {
          ...(chromium === null ? {} : { executablePath: chromium }),
          chromiumSandbox: false,
          args: ['--disable-dev-shm-usage', '--disable-gpu'],
        },
      },
    },
  ],
})
