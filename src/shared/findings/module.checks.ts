import type { ModuleFacts } from '../contracts/desk-review.ts'
import { countOf, defineCheck, inBinary, inDigits, inModule, listWords } from './check.ts'
import type { Check } from './check.ts'

const manyExports = 40
const leastDebug = 16_384
const leastCarried = 65_536
const leastData = 1_048_576

/** What compilers export beside the entry and the memory. */
const USUAL_EXPORT =
  /^(?:memory|_start|_initialize|__indirect_function_table|__(?:data|heap|stack|table|memory|wasm|global|tls|main|original|dso|rtti|new|pin|unpin|collect)\w*|asyncify_\w+|go_\w+|malloc|free|calloc|realloc|cabi_\w+)$/

/** Custom sections that compilers and linkers write. */
const USUAL_SECTION =
  /^(?:name|\.debug_.*|sourceMappingURL|external_debug_info|producers|target_features|build_id|linking|reloc\..*|dylink(?:\.0)?|component-type.*|metadata\.code\..*|type|import|function|table|memory|tag|global|export|start|element|data count|code|data)$/s

/** Features that a runtime of this year may still lack. */
const RARE_FEATURES: ReadonlySet<string> = new Set([
  'atomics',
  'exception-handling',
  'fp16',
  'gc',
  'memory64',
  'multimemory',
  'relaxed-simd',
  'shared-everything',
  'tail-call',
  'wide-arithmetic',
])

const sizeOf = ({ sections }: ModuleFacts, name: string): number =>
  sections.find((section) => section.name === name)?.size ?? 0

/** Grows by one where a size doubles: a judgement holds as long as it stays about as large. */
const magnitude = (size: number): number => Math.floor(Math.log2(Math.max(1, size)))

/** What it is made of. */
export const moduleChecks: readonly Check[] = [
  defineCheck({
    id: 'exports-many',
    severity: 'note',
    means: 'The module exports more than 40 things.',
    needs: ['module'],
    find({ module: { exportCount } }) {
      if (exportCount <= manyExports) return []
      return [
        {
          place: inModule,
          title: `It exports ${inDigits(exportCount)} things`,
          reason:
            'A command needs two, _start and memory. More are left over from a library, and can be called by whoever runs it.',
          advice: 'Nothing, unless the names do not belong to what the skill says it does.',
          key: [exportCount],
        },
      ]
    },
  }),
  defineCheck({
    id: 'exports-unusual',
    severity: 'note',
    means: 'The module exports names that no compiler adds by itself.',
    needs: ['module'],
    find({ module: { exports, exportCount } }) {
      const names = exports.map(({ name }) => name).filter((name) => !USUAL_EXPORT.test(name))
      if (names.length === 0) return []
      return [
        {
          place: inModule,
          title: `It exports ${countOf(names.length, 'name')} of its own`,
          reason: `Beside what a command needs it exports ${listWords(names, 6)}. Nothing calls that when it runs.`,
          advice: 'See whether the names belong to what the skill says it does.',
          key: [exportCount, ...names.toSorted()],
        },
      ]
    },
  }),
  defineCheck({
    id: 'debug-heavy',
    severity: 'warning',
    means: 'Names and debug data make up half of the module or more.',
    needs: ['module'],
    find({ module: { details }, size }) {
      const debug = details?.debugBytes ?? 0
      if (debug < leastDebug || debug * 2 < size) return []
      return [
        {
          place: inModule,
          title: `${inBinary(debug)} of ${inBinary(size)} are debug data`,
          reason:
            'Names and debug sections at least double the size, and everybody downloads them with each use.',
          advice: 'Ask for a build without them, for example with wasm-strip or with strip = true.',
          key: [magnitude(debug)],
        },
      ]
    },
  }),
  defineCheck({
    id: 'section-carried',
    severity: 'warning',
    means: 'Custom sections that no compiler writes have 64 KiB or more.',
    needs: ['module'],
    find({ module: { sections } }) {
      const own = sections.filter(({ name }) => !USUAL_SECTION.test(name))
      const bytes = own.reduce((sum, { size }) => sum + size, 0)
      if (bytes < leastCarried) return []
      return [
        {
          place: inModule,
          title: `It carries ${inBinary(bytes)} that the program cannot reach`,
          reason: `${listWords([...new Set(own.map(({ name }) => name))], 5)}: what stands in a custom section is no part of the program, but everybody downloads it.`,
          advice: 'Find out what it is. Ask for a build without it.',
          key: [magnitude(bytes), ...new Set(own.map(({ name }) => name).toSorted())],
        },
      ]
    },
  }),
  defineCheck({
    id: 'data-large',
    severity: 'note',
    means: 'The module has 1 MiB of data or more, and at least four times as much as code.',
    needs: ['module'],
    find({ module }) {
      const data = sizeOf(module, 'data')
      const code = sizeOf(module, 'code')
      if (data < leastData || data < code * 4) return []
      return [
        {
          place: inModule,
          title: `${inBinary(data)} of data stand beside ${inBinary(code)} of code`,
          reason:
            'What it does is decided by its data more than by its code: tables, a dictionary, or a program for an interpreter.',
          advice:
            'Look at the strings under Inside. The readme should say what the data is and where it is from.',
          key: [magnitude(data)],
        },
      ]
    },
  }),
  defineCheck({
    id: 'features-rare',
    severity: 'note',
    means: 'The module needs features of WebAssembly that not every runtime has.',
    needs: ['module'],
    find({ module: { details } }) {
      const rare = (details?.targetFeatures ?? []).filter((feature) => RARE_FEATURES.has(feature)).toSorted()
      if (rare.length === 0) return []
      return [
        {
          place: inModule,
          title: `It was built with ${listWords(rare, 4)}`,
          reason:
            'Not every runtime has these features yet; where they are missing the module does not load.',
          advice: 'See that the readme says so, or ask for a build without them.',
          key: rare,
        },
      ]
    },
  }),
]
