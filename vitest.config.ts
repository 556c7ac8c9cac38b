import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'
import { long, measuring } from './tests/support/measuring.ts'
import { preferMemoryFolder } from './tests/support/prefer-memory-folder.ts'

preferMemoryFolder()

const files = ['src/**/*.test.ts', 'resources/**/*.test.ts', 'tests/**/*.test.ts']

/** Files that mock modules. Other files must not share a process with them, because they could load a mock. */
const mocking = globSync(files, { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').includes('vi.mock('),
)

/** Starts the slowest files first, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method
    const sorted = await super.sort(specifications)
    return sorted.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)))
  }
}

const isLong = ({ moduleId }: TestSpecification): boolean => long.some((file) => moduleId.endsWith(file))

export default defineConfig({
  test: {
    environment: 'node',
    // Only for tests that hang: a busy machine is several times slower than an idle one.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // SQLite reads it once per process, when the first database is opened (src/server/db/allow-uris.ts).
    env: { SQLITE_USE_URI: '1' },
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['tests/support/build.ts'],
    reporters: ['default'],
    // A worker waits for other processes almost half of its time, so four more than cores keep all cores busy.
    maxWorkers: availableParallelism() + 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: files,
          exclude: [...mocking, ...measuring],
          // Many files share a process, because loading the server again would take longer than most files
          // do. `put-back.ts` undoes what a file changes in its process.
          isolate: false,
          setupFiles: ['tests/support/put-back.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'mocking', include: mocking, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { name: 'alone', include: measuring, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
