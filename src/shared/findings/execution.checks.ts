import type { ModuleFacts } from '../contracts/desk-review.ts'
import { countOf, defineCheck, inBinary, inDigits, inModule } from './check.ts'
import type { Check } from './check.ts'

const pageBytes = 65_536
/** What a run in the sandbox gets at most: 64 MiB. */
const sandboxPages = 1024
const manyPages = 256

const imports = ({ imports: names }: ModuleFacts, ...wanted: string[]): boolean =>
  wanted.some((name) => names.includes(name))

/** Whether it can run, and what it needs for that. */
export const executionChecks: readonly Check[] = [
  defineCheck({
    id: 'module-unchecked',
    severity: 'error',
    means: 'The stored module is missing, changed, or is refused by the checks of today.',
    find({ problem }) {
      if (problem === null) return []
      return [
        {
          place: inModule,
          title: 'The module could not be checked',
          reason: `${problem} What is said here of it was found before, or not at all.`,
          advice: 'Do not approve it. Ask the publisher to submit it again under a new version.',
          key: [problem],
        },
      ]
    },
  }),
  defineCheck({
    id: 'output-impossible',
    severity: 'error',
    means: 'The examples declare output, and the module has no way to write any.',
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
            'Run the examples to see it. Reject it: the module is not the one that the manifest describes.',
          key: [],
        },
      ]
    },
  }),
  defineCheck({
    id: 'input-unread',
    severity: 'warning',
    means: 'The examples have input, and the module has no way to read it.',
    needs: ['module'],
    find({ manifest, module }) {
      if (imports(module, 'fd_read', 'fd_pread')) return []
      if (manifest.examples.every(({ input }) => input === '')) return []
      return [
        {
          place: inModule,
          title: 'The module cannot read the input that the examples give it',
          reason:
            'It imports neither fd_read nor fd_pread, so whatever goes in, the output does not depend on it.',
          advice: 'Run it with another input: where the output stays the same, the examples are built in.',
          key: [],
        },
      ]
    },
  }),
  defineCheck({
    id: 'memory-beyond-limit',
    severity: 'error',
    means: 'The module wants more memory to begin with than a run here gets (64 MiB).',
    needs: ['module'],
    find({ module: { memory } }) {
      if (memory.minPages <= sandboxPages) return []
      return [
        {
          place: inModule,
          title: `It begins with ${inBinary(memory.minPages * pageBytes)} of memory`,
          reason: `That is ${countOf(memory.minPages, 'page')}; a run in the sandbox gets ${inDigits(sandboxPages)}, so its examples cannot be tried here.`,
          advice: 'Ask for a module that begins small and grows when it needs to.',
          key: [memory.minPages],
        },
      ]
    },
  }),
  defineCheck({
    id: 'memory-large',
    severity: 'warning',
    means: 'The module begins with 16 MiB of memory or more.',
    needs: ['module'],
    find({ module: { memory } }) {
      if (memory.minPages < manyPages || memory.minPages > sandboxPages) return []
      return [
        {
          place: inModule,
          title: `It begins with ${inBinary(memory.minPages * pageBytes)} of memory`,
          reason: 'Whoever runs it pays for that with every run, however small the input is.',
          advice: 'Look at what it needs that for. Most toolchains begin with 1 to 2 MiB.',
          key: [memory.minPages],
        },
      ]
    },
  }),
  defineCheck({
    id: 'memory-unbounded',
    severity: 'note',
    means: 'The module sets no maximum for its memory.',
    needs: ['module'],
    find({ module: { memory } }) {
      if (memory.maxPages !== null) return []
      return [
        {
          place: inModule,
          title: 'Its memory has no maximum',
          reason:
            'It may grow to 4 GiB where the runtime sets no limit of its own. Most toolchains leave it so.',
          advice: 'Nothing, unless the skill is meant for places with little memory.',
          key: [],
        },
      ]
    },
  }),
  defineCheck({
    id: 'start-function',
    severity: 'warning',
    means: 'A function of the module runs before _start, as soon as it is instantiated.',
    needs: ['module'],
    find({ module }) {
      if (!module.hasStart) return []
      const index = module.details?.start ?? null
      return [
        {
          place: inModule,
          title: 'Something runs before the entry point',
          reason: `The module has a start section${index === null ? '' : ` (function ${index})`}: it runs while the module is being instantiated, before anybody calls _start, and in programs that only want to look at it.`,
          advice: 'Look at that function under Inside. A command does not need it.',
          key: [index ?? -1],
        },
      ]
    },
  }),
]
