import { defineConfig } from 'electron-vite'
import renderer from './src/renderer/vite.config.ts'

// Paths are from the root of the project: electron-vite bundles this file before it reads it.
export default defineConfig({
  main: {
    build: {
      target: 'node24',
      sourcemap: true,
      // Only what cannot be bundled stays an import: the native part of SQLite. See docs/decisions/002.
      externalizeDeps: true,
      rolldownOptions: {
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
