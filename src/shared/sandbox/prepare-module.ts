import type { RunLimits } from '../contracts/evidence.ts'
import { ByteReader } from '../wasm/byte-reader.ts'
import { checkCommandModule } from '../wasm/command-module.rules.ts'
import { describeModuleProblem, ModuleRefusal } from '../wasm/module-problem.ts'
import type { ModuleSummary } from '../wasm/module-summary.ts'
import { readModule } from '../wasm/read-module.ts'
import { readSignature, readTypeSection } from '../wasm/type-section.ts'
import type { TypeTable } from '../wasm/type-section.ts'
import { clampLimits } from './clamp-maximums.ts'
import { compileProblem } from './compile-cost.ts'

const pageBytes = 65_536
/** For all tables together. Each entry takes about twenty bytes in the engine. */
const maxTableEntries = 1_000_000

type PreparedModule =
  | { ok: true; bytes: Uint8Array<ArrayBuffer>; imports: string[]; minMemoryBytes: number; clamped: boolean }
  | { ok: false; detail: string }

/**
 * Checks a module with the rules for publishing before it is compiled, and lowers the maximums of its memory and tables.
 * A module whose memory use cannot be limited is rejected.
 */
export function prepareModule(
  bytes: Uint8Array<ArrayBuffer>,
  limits: Pick<RunLimits, 'memoryBytes'>,
): PreparedModule {
  try {
    return prepare(bytes, limits)
  } catch (error) {
    // From sections that `readModule` does not parse.
    if (error instanceof ModuleRefusal) return { ok: false, detail: describeModuleProblem(error.problem) }
    throw error
  }
}

function prepare(
  bytes: Uint8Array<ArrayBuffer>,
  { memoryBytes }: Pick<RunLimits, 'memoryBytes'>,
): PreparedModule {
  const reading = readModule(bytes)
  if (!reading.ok) return { ok: false, detail: describeModuleProblem(reading.problem) }
  const { module } = reading
  const [problem] = checkCommandModule(module)
  if (problem !== undefined) return { ok: false, detail: problem.message }
  const maxPages = Math.floor(memoryBytes / pageBytes)
  const detail =
    exceedsLimits(module, maxPages) ?? usesUnboundedMemory(bytes, module) ?? isTooCostly(bytes, module)
  if (detail !== null) return { ok: false, detail }
  const [memory] = module.memories
  const minPages = memory?.minPages ?? 0
  const entries = module.tables.reduce((sum, { min }) => sum + min, 0)
  const share = Math.floor((maxTableEntries - entries) / Math.max(1, module.tables.length))
  const clamped = clampLimits(bytes, module, {
    memory: maxPages,
    table: (index) => (module.tables[index]?.min ?? 0) + share,
  })
  return {
    ok: true,
    bytes: clamped,
    imports: [...new Set(module.imports.map(({ name }) => name))],
    minMemoryBytes: minPages * pageBytes,
    clamped: (memory?.maxPages ?? Infinity) > maxPages,
  }
}

function exceedsLimits({ memories, tables }: ModuleSummary, maxPages: number): string | null {
  if (memories.length > 1) {
    return `Has ${memories.length} memories, but only one is supported. Not run.`
  }
  const pages = memories[0]?.minPages ?? 0
  if (pages > maxPages) {
    return `Needs ${mebibytes(pages)} MiB of memory to start, but the limit is ${mebibytes(maxPages)} MiB. Not run.`
  }
  const entries = tables.reduce((sum, { min }) => sum + min, 0)
  if (entries > maxTableEntries) {
    return `Needs tables of ${entries} entries, but the limit is ${maxTableEntries}. Not run.`
  }
  return null
}

const mebibytes = (pages: number): string => String(Math.round((pages / 16) * 10) / 10)

/** Garbage-collected objects are outside of the memory whose size is limited here. */
function usesUnboundedMemory(bytes: Uint8Array, module: ModuleSummary): string | null {
  const types = sectionReader(bytes, module, typeSection)
  const table = types === null ? null : readTypeSection(types)
  if (table?.offsets.includes(notAFunction) === true) {
    return 'Uses garbage-collected objects, whose memory cannot be limited. Not run.'
  }
  const holdsReferences =
    module.tables.some(({ elementType }) => !boundedElements.has(elementType)) ||
    (table !== null && tagsHoldReferences(bytes, module, table))
  return holdsReferences ? 'Stores references, whose number cannot be limited. Not run.' : null
}

function isTooCostly(bytes: Uint8Array, module: ModuleSummary): string | null {
  const code = sectionReader(bytes, module, codeSection)
  return code === null ? null : compileProblem(code, module.imports.length)
}

const typeSection = 1
const codeSection = 10
const tagSection = 13
const notAFunction = -1
const boundedElements: ReadonlySet<string> = new Set(['funcref', 'externref', '(ref func)'])
const numbers: ReadonlySet<string> = new Set(['i32', 'i64', 'f32', 'f64', 'v128'])

/** An exception with a reference may contain another exception, and so on without limit. */
function tagsHoldReferences(bytes: Uint8Array, module: ModuleSummary, table: TypeTable): boolean {
  const tags = sectionReader(bytes, module, tagSection)
  if (tags === null) return false
  const count = tags.count(2, 'tags')
  for (let tag = 0; tag < count; tag += 1) {
    tags.byte('the attribute of a tag')
    const signature = readSignature(table, tags.u32('the type of a tag'))
    if (signature?.params.some((type) => !numbers.has(type)) === true) return true
  }
  return false
}

function sectionReader(bytes: Uint8Array, { sections }: ModuleSummary, id: number): ByteReader | null {
  const section = sections.find((one) => one.id === id)
  if (section === undefined) return null
  const head = new ByteReader(bytes, section.offset + 1, bytes.length, 'The file')
  head.u32('the size of a section')
  return new ByteReader(bytes, head.offset, head.offset + section.size, `The ${section.name} section`)
}
