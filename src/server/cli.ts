import * as nodeModule from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const inFolder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// Two folders up, from the source as well as from the bundle.
const appFolder = inFolder('../..')

// Saves a fifth of the processor time of a start, if the folder can be written to. Missing in Node versions that are too
// old, which `require-node.ts` reports.
nodeModule.enableCompileCache?.(join(appFolder, 'node_modules/.cache/skilldock'))

// Other commands end soon, and would spend a tenth of their processor time on collecting garbage.
if (['serve', 'start'].includes(process.argv[2] ?? '')) await import('./operations/young-heap.ts')

// Static imports would all be evaluated before the first one in the bundle.
await import('./commands/require-node.ts')
const { runProcess } = await import('./commands/run-command.ts')
const { forkHelper } = await import('./processes/fork-helper.ts')

// Bundles are all in one folder; when run from source, each entry is the source file itself.
const isSource = import.meta.url.endsWith('.ts')
const helpers = isSource
  ? {
      modules: './wasm/validator-process.ts',
      agents: './agents/agents-process.ts',
      images: './images/image-process.ts',
      backups: './backup/backup-process.ts',
    }
  : {
      modules: './validator.js',
      agents: './agents.js',
      images: './images.js',
      backups: './backups.js',
    }
const markdown = isSource ? './content/markdown-worker.ts' : './markdown.js'
const worker = isSource ? './composition/worker-process.ts' : './worker.js'

process.exitCode = await runProcess(process.argv.slice(2), {
  startHelper: (kind, mayWrite) => forkHelper(inFolder(helpers[kind]), kind, mayWrite),
  markdownEntry: inFolder(markdown),
  workerEntry: inFolder(worker),
  appFolder,
  skillsFolder: inFolder('../../resources/skills'),
  ...(isSource
    ? {}
    : {
        deskFolder: inFolder('../renderer'),
        clientFolder: inFolder('../client'),
      }),
})
