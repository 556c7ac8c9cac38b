import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { framePages } from './frame-pages.ts'
import { prefetchPages } from './prefetch-pages.ts'

// Paths are relative to the project's root: electron-vite bundles this file into its own configuration, where
// `import.meta.dirname` differs from that of a plain `vite --config`.
export default defineConfig({
  root: 'src/renderer',
  base: '/desk/',
  plugins: [
    react(),
    // electron-vite sets a relative base, with which only the first page of the desk would find its files.
    { name: 'desk-base', config: () => ({ base: '/desk/' }) },
    framePages(),
    prefetchPages(),
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
            { name: 'mantine', test: /node_modules[\\/](?:@mantine|@floating-ui)[\\/]/ },
            // The configuration is evaluated with the library, before any schema.
            { name: 'zod', test: /node_modules[\\/]zod[\\/]|[\\/]zod-config\.ts$/ },
            // One file for modules that several pages share, instead of one per combination of pages.
            { name: 'common', minShareCount: 2 },
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
