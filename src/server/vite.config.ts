import { defineConfig } from 'vite'
import type { EnvironmentOptions, ViteBuilder } from 'vite'
import { asciiOnly } from '../../scripts/ascii-only.ts'
import { recordPackages } from '../../scripts/bundled-packages.ts'
import { leaveOut } from '../../scripts/leave-out.ts'

/** The processes and threads that a server starts. Paths are from the root of the project. */
const entries = {
  validator: 'src/server/wasm/validator-process.ts',
  images: 'src/server/images/image-process.ts',
  markdown: 'src/server/content/markdown-worker.ts',
  worker: 'src/server/composition/worker-process.ts',
  agents: 'src/server/agents/agents-process.ts',
  backups: 'src/server/backup/backup-process.ts',
}

/** Each is built by itself, so that it starts from one file, with nothing that only another one needs. */
const environment = ([name, file]: [string, string]): [string, EnvironmentOptions] => [
  name,
  {
    consumer: 'server',
    resolve: { noExternal: true, external: ['better-sqlite3', 'sharp'] },
    build: {
      target: 'node24',
      sourcemap: true,
      minify: false,
      emptyOutDir: false,
      rolldownOptions: {
        input: { [name]: file },
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
]

async function buildApp({ environments, build }: ViteBuilder): Promise<void> {
  for (const [name, one] of Object.entries(environments)) if (name in entries) await build(one)
}

export default defineConfig({
  publicDir: false,
  plugins: [leaveOut('supports-color'), asciiOnly(), recordPackages()],
  // Vite would also build a page.
  builder: { buildApp },
  environments: Object.fromEntries(Object.entries(entries).map(environment)),
})
