import './require-node.ts'
import { fileURLToPath } from 'node:url'
import { runCommand } from './commands/run-command.ts'

// The bundle lies beside the validator's; from the sources the entry is the source itself.
const isSource = import.meta.url.endsWith('.ts')
const validator = isSource ? './wasm/validator-process.ts' : './validator.js'

process.exitCode = await runCommand(process.argv.slice(2), {
  validatorEntry: fileURLToPath(new URL(validator, import.meta.url)),
  // Two folders up from the source and from the bundle alike.
  appFolder: fileURLToPath(new URL('../..', import.meta.url)),
  skillsFolder: fileURLToPath(new URL('../../resources/skills', import.meta.url)),
  ...(isSource ? {} : { deskFolder: fileURLToPath(new URL('../renderer', import.meta.url)) }),
})
