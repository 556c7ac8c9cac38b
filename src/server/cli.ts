import './commands/require-node.ts'
import { fileURLToPath } from 'node:url'
import { runCommand } from './commands/run-command.ts'

// Bundles are all in one folder; when run from source, each entry is the source file itself.
const isSource = import.meta.url.endsWith('.ts')
const modules = isSource ? './wasm/validator-process.ts' : './validator.js'
const agents = isSource ? './agents/agents-process.ts' : './agents.js'
const markdown = isSource ? './content/markdown-worker.ts' : './markdown.js'
const worker = isSource ? './composition/worker-process.ts' : './worker.js'
const pictures = isSource ? './images/image-process.ts' : './pictures.js'
const backups = isSource ? './backup/backup-process.ts' : './backups.js'

process.exitCode = await runCommand(process.argv.slice(2), {
  helpers: {
    modules: fileURLToPath(new URL(modules, import.meta.url)),
    pictures: fileURLToPath(new URL(pictures, import.meta.url)),
    agents: fileURLToPath(new URL(agents, import.meta.url)),
    backups: fileURLToPath(new URL(backups, import.meta.url)),
  },
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
