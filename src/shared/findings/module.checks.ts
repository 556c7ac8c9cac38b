import type { ModuleFacts } from '../contracts/desk-review.ts'
import { defineCheck, formatBinarySize, inModule, listWords } from './define-check.ts'
import type { Check } from './define-check.ts'
import { countOf, formatInteger } from '../text.ts'

const manyExports = 40
const minDebug = 16_384
const minCarried = 65_536
const minData = 1_048_576

/** Names that compilers export, including the entry point and the memory. */
const USUAL_EXPORT =
  /^(?:memory|_start|_initialize|__indirect_function_table|__(?:data|heap|stack|table|memory|wasm|global|tls|main|original|dso|rtti|new|pin|unpin|collect)\w*|asyncify_\w+|go_\w+|malloc|free|calloc|realloc|cabi_\w+)$/

/** Custom sections that compilers and linkers write. */
const USUAL_SECTION =
  /^(?:name|\.debug_.*|sourceMappingURL|external_debug_info|producers|target_features|build_id|linking|reloc\..*|dylink(?:\.0)?|component-type.*|metadata\.code\..*|type|import|function|table|memory|tag|global|export|start|element|data count|code|data)$/s

/** Features that some current runtimes still lack. */
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

/** The binary logarithm, so that a dismissal applies until the size crosses a power of two. */
const magnitude = (size: number): number => Math.floor(Math.log2(Math.max(1, size)))

/** What the module consists of. */
export const moduleChecks: readonly Check[] = [
  defineCheck({
    id: 'exports-many',
    severity: 'note',
    means: 'The module has more than 40 exports.',
    needs: ['module'],
    find({ module: { exportCount } }) {
      if (exportCount <= manyExports) return []
      return [
        {
          place: inModule,
          title: `The module has ${formatInteger(exportCount)} exports`,
          reason:
            'A command needs only _start and memory. Others are left over from a library and can be called by the host.',
          advice: 'You can dismiss this, unless the names do not fit what the skill does.',
          key: [exportCount],
        },
      ]
    },
  }),
  defineCheck({
    id: 'exports-unusual',
    severity: 'note',
    means: 'The module exports names that compilers do not add.',
    needs: ['module'],
    find({ module: { exports, exportCount } }) {
      const names = exports.map(({ name }) => name).filter((name) => !USUAL_EXPORT.test(name))
      if (names.length === 0) return []
      return [
        {
          place: inModule,
          title: `The module has ${countOf(names.length, 'unusual export')}`,
          reason: `Besides what a command needs, it exports ${listWords(names, 6)}, which nothing calls when the module runs.`,
          advice: 'Check whether the names fit what the skill does.',
          key: [exportCount, ...names.toSorted()],
        },
      ]
    },
  }),
  defineCheck({
    id: 'debug-heavy',
    severity: 'warning',
    means: 'Half of the module or more is names and debug data.',
    needs: ['module'],
    find({ module: { details }, size }) {
      const debug = details?.debugBytes ?? 0
      if (debug < minDebug || debug * 2 < size) return []
      return [
        {
          place: inModule,
          title: `${formatBinarySize(debug)} of ${formatBinarySize(size)} is debug data`,
          reason: 'Names and debug sections at least double the size of each download.',
          advice: 'Ask for a build without them, for example with wasm-strip or strip = true.',
          key: [magnitude(debug)],
        },
      ]
    },
  }),
  defineCheck({
    id: 'section-carried',
    severity: 'warning',
    means: 'The module has 64 KiB or more of custom sections that compilers do not write.',
    needs: ['module'],
    find({ module: { sections } }) {
      const own = sections.filter(({ name }) => !USUAL_SECTION.test(name))
      const bytes = own.reduce((sum, { size }) => sum + size, 0)
      if (bytes < minCarried) return []
      return [
        {
          place: inModule,
          title: `The module contains ${formatBinarySize(bytes)} that it cannot access`,
          reason: `${listWords([...new Set(own.map(({ name }) => name))], 5)}: custom sections are not part of the program, but every user downloads them.`,
          advice: 'Find out what it is, and ask for a build without it.',
          key: [magnitude(bytes), ...new Set(own.map(({ name }) => name).toSorted())],
        },
      ]
    },
  }),
  defineCheck({
    id: 'data-large',
    severity: 'note',
    means: 'The module has 1 MiB of data or more, and at least four times as much data as code.',
    needs: ['module'],
    find({ module }) {
      const data = sizeOf(module, 'data')
      const code = sizeOf(module, 'code')
      if (data < minData || data < code * 4) return []
      return [
        {
          place: inModule,
          title: `The module has ${formatBinarySize(data)} of data and ${formatBinarySize(code)} of code`,
          reason:
            'Its behavior depends more on its data than on its code: tables, a dictionary, or a program for an interpreter.',
          advice:
            'Look at the strings under Module. The readme should say what the data is and where it comes from.',
          key: [magnitude(data)],
        },
      ]
    },
  }),
  defineCheck({
    id: 'features-rare',
    severity: 'note',
    means: 'The module needs WebAssembly features that not every runtime supports.',
    needs: ['module'],
    find({ module: { details } }) {
      const rare = (details?.targetFeatures ?? []).filter((feature) => RARE_FEATURES.has(feature)).toSorted()
      if (rare.length === 0) return []
      return [
        {
          place: inModule,
          title: `The module uses ${listWords(rare, 4)}`,
          reason: 'Not every runtime supports these features yet. Without them, the module does not load.',
          advice: 'Check that the readme mentions them, or ask for a build without them.',
          key: rare,
        },
      ]
    },
  }),
]
