import { fileURLToPath } from 'node:url'

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
      pictures: './images/image-process.ts',
      backups: './backup/backup-process.ts',
    }
  : {
      modules: './validator.js',
      agents: './agents.js',
      pictures: './pictures.js',
      backups: './backups.js',
    }
const markdown = isSource ? './content/markdown-worker.ts' : './markdown.js'
const worker = isSource ? './composition/worker-process.ts' : './worker.js'

process.exitCode = await runProcess(process.argv.slice(2), {
  startHelper: (kind, mayWrite) =>
    forkHelper(fileURLToPath(new URL(helpers[kind], import.meta.url)), kind, mayWrite),
  markdownEntry: fileURLToPath(new URL(markdown, import.meta.url)),
  workerEntry: fileURLToPath(new URL(worker, import.meta.url)),
  // Two folders up, from the source as well as from the bundle.
  appFolder: fileURLToPath(new URL('../..', import.meta.url)),
  skillsFolder: fileURLToPath(new URL('../../resources/skills', import.meta.url)),
  ...(isSource
    ? {}
    : {
        deskFolder: fileURLToPath(new URL('../renderer', import.meta.url)),
        clientFolder: fileURLToPath(new URL('../client', import.meta.url)),
      }),
})
