import { defineConfig } from 'electron-vite'
import { asciiOnly } from './scripts/ascii-only.ts'
import { recordPackages } from './scripts/bundled-packages.ts'
import { importedBy } from './scripts/imported-by.ts'
import { leaveOut } from './scripts/leave-out.ts'
import renderer from './src/renderer/vite.config.ts'

const inFolder = (names: readonly string[]): string[] => names.map((name) => `src/server/commands/${name}.ts`)
const isOfServer = importedBy(['src/server/utility.ts', ...inFolder(['serve', 'start'])])
// Also loaded by the app, by `--help`, and by an old Node, which could not load the rest.
const isShared = importedBy([
  'src/main/index.ts',
  'src/server/processes/fork-helper.ts',
  ...inFolder(['require-node', 'run-command', 'help']),
])
const isOfCommands = importedBy(
  inFolder(['backup', 'doctor', 'mirror', 'people', 'rebuild', 'restore', 'storage', 'token', 'verify']),
)

// Paths are from the root of the project: electron-vite bundles this file before it reads it.
export default defineConfig({
  main: {
    // `debug` colors its lines with a package that happens to be installed for other tools.
    plugins: [leaveOut('supports-color'), asciiOnly(), recordPackages()],
    build: {
      target: 'node24',
      sourcemap: true,
      externalizeDeps: false,
      // src/server/vite.config.ts builds into the same folder.
      emptyOutDir: false,
      rolldownOptions: {
        // Only packages with native parts stay imports. See docs/decisions/002.
        external: ['better-sqlite3', 'sharp'],
        input: {
          index: 'src/main/index.ts',
          server: 'src/server/utility.ts',
          cli: 'src/server/cli.ts',
        },
        output: {
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: {
            groups: [
              // Few files, because each takes time: with one for each combination of commands and helper processes, a server
              // would start a quarter later.
              {
                name: (id, graph) => {
                  if (!isOfServer(id, graph)) return null
                  if (isShared(id, graph)) return 'shared'
                  return isOfCommands(id, graph) ? 'commands' : 'services'
                },
                includeDependenciesRecursively: false,
              },
            ],
          },
        },
      },
    },
  },
  preload: {
    plugins: [recordPackages()],
    build: {
      // A sandboxed preload is CommonJS and can require nothing but Electron.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer,
})
