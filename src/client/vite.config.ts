import { chmod, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'
import { clientFileName, clientHeader, installerFileName } from '../shared/client-program.ts'
import { clientVersion } from './version.ts'

// Paths are from the root of the project, where the build starts.
export default defineConfig({
  logLevel: 'warn',
  publicDir: false,
  plugins: [versionAlone(), oneProgram()],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    // Whoever installs it may read it.
    minify: false,
    emptyOutDir: true,
    rolldownOptions: {
      input: { [clientFileName]: 'src/client/index.ts' },
      // Importing a module does nothing but declare: what nobody uses of it, such as the schemas of the desk, stays out.
      treeshake: { moduleSideEffects: false, manualPureFunctions: ['z'] },
      output: { format: 'cjs', codeSplitting: false, entryFileNames: '[name]' },
    },
  },
})

/** Of package.json the program needs one line. */
function versionAlone(): Plugin {
  return {
    name: 'version-alone',
    enforce: 'pre',
    load: (id) => (id === resolve('package.json') ? JSON.stringify({ version: clientVersion }) : null),
  }
}

/**
 * Makes one program of the script. A file without an ending is CommonJS, or a module where a package.json above it
 * says so: what it is wrapped into runs as both.
 */
function oneProgram(): Plugin {
  return {
    name: 'one-program',
    async generateBundle(_options, bundle) {
      const script = bundle[clientFileName]
      if (script?.type !== 'chunk' || Object.keys(bundle).length !== 1) {
        this.error(`The client did not become one file: ${Object.keys(bundle).join(', ')}`)
      }
      script.code = `${clientHeader(clientVersion)}\n${wrapped(script.code)}`
      const installer = await readFile(join('src/client', installerFileName))
      this.emitFile({ type: 'asset', fileName: installerFileName, source: installer })
    },
    async writeBundle({ dir }) {
      if (dir !== undefined) await chmod(join(dir, clientFileName), 0o755)
    },
  }
}

/** In brackets, which have the engine compile it at once; it would otherwise be read twice. */
const wrapped = (script: string): string => `import('node:module').then((function ({ createRequire }) {
const require = createRequire(process.execPath)
${script.trimEnd()}
}))
`
