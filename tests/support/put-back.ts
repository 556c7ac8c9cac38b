import { afterAll, vi } from 'vitest'

// One process runs many test files (vitest.config.ts), so each file restores what it changed.
const variables = { ...process.env }
const folder = process.cwd()

afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  for (const name of Object.keys(process.env)) {
    if (!(name in variables)) delete process.env[name]
  }
  Object.assign(process.env, variables)
  process.chdir(folder)
})
