import { ByteReader } from './byte-reader.ts'
import {
  type Declared,
  readExportSection,
  readFunctionSection,
  readImportSection,
  readMemorySection,
  readTableSection,
  ResultBudget,
} from './external-sections.ts'
import { checkHeader } from './module-header.ts'
import { ModuleRefusal, refuse } from './module-problem.ts'
import type { ModuleReading, ModuleSection, ModuleSummary } from './module-summary.ts'
import { LIMITS } from './module-summary.ts'
import { noTypes, readTypeSection } from './type-section.ts'
import { skipValueType } from './value-types.ts'

const CUSTOM = 0

// Section ids in the order in which they must come: tags and the data count were added later and
// stand where they are needed, not where their number says.
const SECTIONS_IN_ORDER: readonly (readonly [id: number, name: string])[] = [
  [1, 'type'],
  [2, 'import'],
  [3, 'function'],
  [4, 'table'],
  [5, 'memory'],
  [13, 'tag'],
  [6, 'global'],
  [7, 'export'],
  [8, 'start'],
  [9, 'element'],
  [12, 'data count'],
  [10, 'code'],
  [11, 'data'],
]

/** Whether sections that are no custom ones are called so. */
export const isSectionName = (name: string): boolean => SECTIONS_IN_ORDER.some(([, known]) => known === name)

const SECTION_RANKS = new Map(SECTIONS_IN_ORDER.map(([id, name], rank) => [id, { name, rank }]))

/** Adds up the local variables that the function bodies declare; of the code it reads nothing else. */
const readCodeSection = (reader: ByteReader, functionCount: number): number => {
  const sectionAt = reader.offset
  const count = reader.count(2, 'function bodies')
  if (count !== functionCount) {
    refuse('malformed', `The module declares ${functionCount} functions but has ${count} bodies`, sectionAt)
  }
  let locals = 0
  for (let body = 0; body < count; body += 1) {
    const at = reader.offset
    const size = reader.u32('the size of a function body')
    if (size > reader.remaining) reader.endsInside(`the body of function ${body}`)
    const end = reader.offset + size
    const groups = reader.u32('the number of local variables')
    for (let group = 0; group < groups; group += 1) {
      locals += reader.u32('the number of local variables')
      skipValueType(reader)
    }
    if (reader.offset > end) refuse('malformed', `The body of function ${body} ends inside its locals`, at)
    if (locals > LIMITS.declaredLocals) {
      const most = LIMITS.declaredLocals
      refuse('limit', `The functions declare more than ${most} local variables together`, at)
    }
    reader.offset = end
  }
  return locals
}

/** Holds what is known so far of one module while its sections pass by. */
class ModuleReader {
  readonly #budget = new ResultBudget()
  readonly #declared: Declared = {
    types: noTypes,
    importedFunctionTypes: [],
    ownFunctionTypes: new Uint32Array(0),
    memories: [],
    tables: [],
  }
  readonly #summary: ModuleSummary
  readonly #file: ByteReader
  readonly #customNames = new Set<string>()
  readonly #seen = new Set<number>()
  #lastRank = -1
  #hasCode = false

  constructor(bytes: Uint8Array) {
    this.#file = new ByteReader(bytes, 8, bytes.length, 'The file')
    this.#summary = {
      size: bytes.length,
      imports: [],
      exports: [],
      memories: this.#declared.memories,
      tables: this.#declared.tables,
      start: null,
      functionCount: 0,
      declaredLocals: 0,
      sections: [],
      customSections: [],
    }
  }

  read(): ModuleSummary {
    while (this.#file.remaining > 0) this.#readSection()
    const functions = this.#declared.ownFunctionTypes.length
    if (functions > 0 && !this.#hasCode) {
      refuse('malformed', `The module declares ${functions} functions but has no bodies`, this.#file.offset)
    }
    this.#summary.functionCount = functions
    this.#summary.customSections = [...this.#customNames]
    return this.#summary
  }

  #readSection(): void {
    const file = this.#file
    const offset = file.offset
    const id = file.byte('the id of a section')
    const name = this.#placeSection(id, offset)
    const size = file.u32(`the size of the ${name} section`)
    if (size > file.remaining) {
      const message = `The ${name} section says it has ${size} bytes, but the file ends after ${file.remaining}`
      refuse('truncated', message, offset)
    }
    const end = file.offset + size
    const reader = new ByteReader(file.bytes, file.offset, end, `The ${name} section`)
    const section: ModuleSection = { id, name, offset, size }
    this.#budget.entries(this.#summary.sections.push(section), 'sections', offset)
    if (id === CUSTOM) section.name = this.#readCustom(reader)
    else this.#readContents(id, reader)
    file.offset = end
  }

  /** The section's name, after checking that it may stand here. */
  #placeSection(id: number, offset: number): string {
    if (id === CUSTOM) return 'custom'
    const known = SECTION_RANKS.get(id)
    if (!known) return refuse('unsupported', `The file has a section of the unknown kind ${id}`, offset)
    if (this.#seen.has(id)) refuse('section-order', `The ${known.name} section is there twice`, offset)
    this.#seen.add(id)
    if (known.rank < this.#lastRank) {
      const before = SECTIONS_IN_ORDER[this.#lastRank]?.[1] ?? ''
      refuse('section-order', `The ${known.name} section must come before the ${before} section`, offset)
    }
    this.#lastRank = known.rank
    return known.name
  }

  #readCustom(reader: ByteReader): string {
    const name = this.#budget.name(reader, 'the name of a custom section')
    this.#customNames.add(name)
    return name
  }

  #readContents(id: number, reader: ByteReader): void {
    const declared = this.#declared
    const summary = this.#summary
    switch (id) {
      case 1:
        declared.types = readTypeSection(reader)
        break
      case 2:
        summary.imports = readImportSection(reader, declared, this.#budget)
        break
      case 3:
        declared.ownFunctionTypes = readFunctionSection(reader, declared.types)
        break
      case 4:
        readTableSection(reader, declared, this.#budget)
        break
      case 5:
        readMemorySection(reader, declared, this.#budget)
        break
      case 7:
        summary.exports = readExportSection(reader, declared, this.#budget)
        break
      case 8:
        summary.start = reader.u32('the start function')
        break
      case 10:
        this.#hasCode = true
        summary.declaredLocals = readCodeSection(reader, declared.ownFunctionTypes.length)
        break
      default:
        // Globals, elements, data and tags say nothing that is asked here: the engine checks them.
        return
    }
    reader.expectEnd()
  }
}

/**
 * Reads the outline of a core WebAssembly module: what it imports, exports and declares, never what its
 * functions do. It is no validation: what it accepts may still be refused by an engine. Time is linear
 * in the size of the file, and memory is bounded by `LIMITS`, whatever the bytes say.
 *
 * Never throws: what cannot be read comes back as `problem`.
 */
export const readModule = (bytes: Uint8Array): ModuleReading => {
  try {
    if (bytes.length > LIMITS.moduleBytes) {
      refuse('limit', `The file has ${bytes.length} bytes; at most ${LIMITS.moduleBytes} are allowed`, 0)
    }
    checkHeader(bytes)
    return { ok: true, module: new ModuleReader(bytes).read() }
  } catch (error) {
    if (error instanceof ModuleRefusal) return { ok: false, problem: error.problem }
    throw error
  }
}
