import { chmod, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { recordPackages } from '../../scripts/bundled-packages.ts'
import { clientFileName, clientHeader, installScriptFileName } from '../shared/client-program.ts'
import { clientVersion } from './version.ts'

const mcpServer = 'node_modules/@modelcontextprotocol/server/dist'

// Paths are relative to the root of the project, where the build starts.
export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  plugins: [versionAlone(), oneProgram(), recordPackages()],
  ssr: { noExternal: true },
  // The MCP SDK's validator of answers by users, whom no tool asks: 40 kB instead of the 330 kB for Node.
  resolve: { alias: { '@modelcontextprotocol/server/_shims': resolve(mcpServer, 'shimsBrowser.mjs') } },
  build: {
    ssr: true,
    target: 'node20',
    // Keep the program readable for its users.
    minify: false,
    emptyOutDir: true,
    rolldownOptions: {
      input: { [clientFileName]: 'src/client/index.ts' },
      // Our modules have no side effects, so unused exports such as the desk's schemas can be dropped.
      treeshake: { moduleSideEffects: false, manualPureFunctions: ['z'] },
      output: { format: 'cjs', codeSplitting: false, entryFileNames: '[name]' },
    },
  },
})

/** Bundles only the version of package.json. */
function versionAlone(): Plugin {
  return {
    name: 'version-alone',
    enforce: 'pre',
    load: (id) => (id === resolve('package.json') ? JSON.stringify({ version: clientVersion }) : null),
  }
}

/**
 * Turns the bundle into an executable file. A file without an extension is CommonJS, or an ES module if a parent
 * package.json says so: the wrapped script runs as both.
 */
function oneProgram(): Plugin {
  return {
    name: 'one-program',
    async generateBundle(_options, bundle) {
      const script = bundle[clientFileName]
      if (script?.type !== 'chunk' || Object.keys(bundle).length !== 1) {
        this.error(`The client must be a single file, but the bundle has: ${Object.keys(bundle).join(', ')}`)
      }
      script.code = `${clientHeader(clientVersion)}\n${wrapped(script.code)}`
      const installScript = await readFile(join('src/client', installScriptFileName))
      this.emitFile({ type: 'asset', fileName: installScriptFileName, source: installScript })
    },
    async writeBundle({ dir }) {
      if (dir !== undefined) await chmod(join(dir, clientFileName), 0o755)
    },
  }
}

/** The parentheses make the engine compile the function eagerly instead of parsing it twice. */
const wrapped = (script: string): string => `import('node:module').then((function ({ createRequire }) {
const require = createRequire(process.execPath)
${script.trimEnd()}
}))
`
