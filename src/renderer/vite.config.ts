import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { recordPackages } from '../../scripts/bundled-packages.ts'
import { importedBy } from '../../scripts/imported-by.ts'
import { complete, contractsWithoutSchemas } from './contracts-without-schemas.ts'
import { framePages } from './frame-pages.ts'
import { prefetchPages } from './prefetch-pages.ts'

/** Whether the page's own script imports the module, so that the first view needs it. */
const isFirst = importedBy(['src/renderer/app/main.tsx'], (id) => id.endsWith(complete))

// Paths are relative to the project's root: electron-vite bundles this file into its own configuration, where
// `import.meta.dirname` differs from that of a plain `vite --config`.
export default defineConfig({
  root: 'src/renderer',
  base: '/desk/',
  resolve: { alias: [{ find: /^zod$/, replacement: resolve('src/renderer/lib/zod.ts') }] },
  plugins: [
    react(),
    // electron-vite sets a relative base, with which only the first page of the desk would find its files.
    { name: 'desk-base', config: () => ({ base: '/desk/' }) },
    contractsWithoutSchemas(),
    framePages([recordPackages()]),
    prefetchPages(),
    recordPackages(),
  ],
  server: { port: 5173, strictPort: true, proxy: { '/desk/api': 'http://127.0.0.1:4200' } },
  build: {
    target: 'chrome120',
    minify: true,
    // Fonts stay separate files, because the content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    // One style sheet in a fixed order, whichever page is loaded first.
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'src/renderer/index.html',
      // Without it, the build reads thousands of icons to use forty.
      experimental: { lazyBarrel: true },
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ },
            {
              name: (id, graph) =>
                isFirst(id, graph) && /node_modules[\\/](?:@mantine|@floating-ui)[\\/]/.test(id)
                  ? 'mantine'
                  : null,
            },
            // What several pages share: one file for what the first view needs, and one for the rest, instead of one per
            // combination of pages.
            {
              name: (id, graph) => (isFirst(id, graph) ? 'common' : 'shared'),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
      // Every file of Mantine begins with "use client", which means nothing here. The second warning asks for
      // lazyBarrel, which is on.
      onLog(level, log, report) {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE' && log.code !== 'LARGE_BARREL_MODULES') report(level, log)
      },
    },
  },
})
