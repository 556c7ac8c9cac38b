import { defineConfig } from 'electron-vite'
import { recordPackages } from './scripts/bundled-packages.ts'
import { leaveOut } from './scripts/leave-out.ts'
import renderer from './src/renderer/vite.config.ts'

// Paths are from the root of the project: electron-vite bundles this file before it reads it.
export default defineConfig({
  main: {
    // `debug` colors its lines with a package that happens to be installed for other tools.
    plugins: [leaveOut('supports-color'), recordPackages()],
    build: {
      target: 'node24',
      sourcemap: true,
      externalizeDeps: false,
      rolldownOptions: {
        // Only packages with native parts stay imports. See docs/decisions/002.
        external: ['better-sqlite3', 'sharp'],
        input: {
          index: 'src/main/index.ts',
          server: 'src/server/utility.ts',
          cli: 'src/server/cli.ts',
          validator: 'src/server/wasm/validator-process.ts',
          pictures: 'src/server/images/image-process.ts',
          markdown: 'src/server/content/markdown-worker.ts',
          worker: 'src/server/composition/worker-process.ts',
          agents: 'src/server/agents/agents-process.ts',
          backups: 'src/server/backup/backup-process.ts',
        },
        output: { chunkFileNames: 'chunks/[name]-[hash].js' },
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
