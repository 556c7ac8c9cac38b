import type { ModuleFacts } from '../contracts/desk-review.ts'
import { defineCheck, formatBinarySize, inModule } from './define-check.ts'
import type { Check } from './define-check.ts'
import { countOf, formatInteger } from '../text.ts'

const pageBytes = 65_536
/** The sandbox's memory limit: 64 MiB. */
const sandboxPages = 1024
const manyPages = 256

const imports = ({ imports: imported }: ModuleFacts, ...names: string[]): boolean =>
  names.some((name) => imported.includes(name))

/** Whether the module can run, and what it needs. */
export const executionChecks: readonly Check[] = [
  defineCheck({
    id: 'module-unchecked',
    severity: 'error',
    means: 'The stored module is missing or changed, or no longer passes validation.',
    find({ problem }) {
      if (problem === null) return []
      return [
        {
          place: inModule,
          title: 'The module could not be checked',
          reason: `${problem} Other findings about the module may be outdated or missing.`,
          advice: 'Do not approve it. Ask the publisher to submit it again as a new version.',
          key: [problem],
        },
      ]
    },
  }),
  defineCheck({
    id: 'output-impossible',
    severity: 'error',
    means: 'The examples declare output, but the module has no way to write any.',
    needs: ['module'],
    find({ manifest, module }) {
      if (imports(module, 'fd_write', 'fd_pwrite')) return []
      if (manifest.examples.every(({ output }) => output === '')) return []
      return [
        {
          place: inModule,
          title: 'The module cannot write the output that the examples declare',
          reason:
            'It imports neither fd_write nor fd_pwrite, and nothing else in WASI preview 1 writes output.',
          advice:
            'Run the examples to confirm. Reject it: the module is not the one that the manifest describes.',
          key: [],
        },
      ]
    },
  }),
  defineCheck({
    id: 'input-unread',
    severity: 'warning',
    means: 'The examples have input, but the module has no way to read it.',
    needs: ['module'],
    find({ manifest, module }) {
      if (imports(module, 'fd_read', 'fd_pread')) return []
      if (manifest.examples.every(({ input }) => input === '')) return []
      return [
        {
          place: inModule,
          title: 'The module cannot read the input of the examples',
          reason: 'It imports neither fd_read nor fd_pread, so its output cannot depend on the input.',
          advice: 'Run the examples. If they pass, their output is hard-coded in the module.',
          key: [],
        },
      ]
    },
  }),
  defineCheck({
    id: 'memory-beyond-limit',
    severity: 'error',
    means: "The module's initial memory exceeds the sandbox's limit of 64 MiB.",
    needs: ['module'],
    find({ module: { memory } }) {
      if (memory.minPages <= sandboxPages) return []
      return [
        {
          place: inModule,
          title: `The initial memory is ${formatBinarySize(memory.minPages * pageBytes)}`,
          reason: `That is ${countOf(memory.minPages, 'page')}. The sandbox allows ${formatInteger(sandboxPages)}, so the examples cannot be run here.`,
          advice: 'Ask for a module that starts small and grows its memory when needed.',
          key: [memory.minPages],
        },
      ]
    },
  }),
  defineCheck({
    id: 'memory-large',
    severity: 'warning',
    means: "The module's initial memory is 16 MiB or more.",
    needs: ['module'],
    find({ module: { memory } }) {
      if (memory.minPages < manyPages || memory.minPages > sandboxPages) return []
      return [
        {
          place: inModule,
          title: `The initial memory is ${formatBinarySize(memory.minPages * pageBytes)}`,
          reason: 'Every run needs that much memory, however small the input is.',
          advice: 'Find out what it is needed for. Most toolchains start with 1 to 2 MiB.',
          key: [memory.minPages],
        },
      ]
    },
  }),
  defineCheck({
    id: 'memory-unbounded',
    severity: 'note',
    means: 'The module declares no maximum memory.',
    needs: ['module'],
    find({ module: { memory } }) {
      if (memory.maxPages !== null) return []
      return [
        {
          place: inModule,
          title: 'The module declares no maximum memory',
          reason:
            'It may grow to 4 GiB if the runtime sets no limit of its own. Most toolchains declare none.',
          advice: 'You can dismiss this, unless the skill is meant for devices with little memory.',
          key: [],
        },
      ]
    },
  }),
  defineCheck({
    id: 'start-function',
    severity: 'warning',
    means: 'A function runs when the module is instantiated, before _start.',
    needs: ['module'],
    find({ module }) {
      if (!module.hasStart) return []
      const index = module.details?.start ?? null
      return [
        {
          place: inModule,
          title: 'Code runs before the entry point',
          reason: `The module has a start section${index === null ? '' : ` (function ${index})`}. That function runs when the module is instantiated, even if _start is never called.`,
          advice: 'Look at that function under Module. A command does not need one.',
          key: [index ?? -1],
        },
      ]
    },
  }),
]
