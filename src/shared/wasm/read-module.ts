import { countOf } from '../text.ts'
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

// Section ids in the required order. Tags and the data count were added later and are out of numerical order.
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

/** Whether this is the name of a non-custom section. */
export const isSectionName = (name: string): boolean => SECTIONS_IN_ORDER.some(([, known]) => known === name)

const SECTION_RANKS = new Map(SECTIONS_IN_ORDER.map(([id, name], rank) => [id, { name, rank }]))

/** Counts the local variables declared by all function bodies. Does not read the instructions. */
const readCodeSection = (reader: ByteReader, functionCount: number): number => {
  const sectionAt = reader.offset
  const count = reader.count(2, 'function bodies')
  if (count !== functionCount) {
    refuse(
      'malformed',
      `The module declares ${countOf(functionCount, 'function')} but has ${countOf(count, 'body', 'bodies')}`,
      sectionAt,
    )
  }
  let locals = 0
  for (let body = 0; body < count; body += 1) {
    const at = reader.offset
    const size = reader.u32('the size of a function body')
    if (size > reader.remaining) reader.throwEndsInside(`the body of function ${body}`)
    const end = reader.offset + size
    const groups = reader.u32('the number of local variables')
    for (let group = 0; group < groups; group += 1) {
      locals += reader.u32('the number of local variables')
      skipValueType(reader)
    }
    if (reader.offset > end) refuse('malformed', `The body of function ${body} ends inside its locals`, at)
    if (locals > LIMITS.declaredLocals) {
      const max = LIMITS.declaredLocals
      refuse('limit', `The functions declare more than ${max} local variables in total`, at)
    }
    reader.offset = end
  }
  return locals
}

/** Collects the summary of a module while reading its sections. */
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
      refuse(
        'malformed',
        `The module declares ${countOf(functions, 'function')} but has no bodies`,
        this.#file.offset,
      )
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
      const message = `The ${name} section declares ${size} bytes, but the file ends after ${file.remaining}`
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

  /** Returns the section's name. Throws if it is not allowed at this position. */
  #placeSection(id: number, offset: number): string {
    if (id === CUSTOM) return 'custom'
    const known = SECTION_RANKS.get(id)
    if (!known) return refuse('unsupported', `The file has a section with the unknown id ${id}`, offset)
    if (this.#seen.has(id)) refuse('section-order', `The ${known.name} section appears twice`, offset)
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
        // Globals, elements, data and tags are not needed here. The engine validates them.
        return
    }
    reader.expectEnd()
  }
}

/**
 * Reads the imports, exports and declarations of a core WebAssembly module, but not its instructions. This is not a
 * validation: an engine may still reject the module. Time is linear in the size of the file, and memory is bounded by
 * `LIMITS`.
 *
 * Never throws. If the module cannot be read, returns the `problem`.
 */
export const readModule = (bytes: Uint8Array): ModuleReading => {
  try {
    if (bytes.length > LIMITS.moduleBytes) {
      refuse('limit', `The file has ${bytes.length} bytes; the maximum is ${LIMITS.moduleBytes}`, 0)
    }
    checkHeader(bytes)
    return { ok: true, module: new ModuleReader(bytes).read() }
  } catch (error) {
    if (error instanceof ModuleRefusal) return { ok: false, problem: error.problem }
    throw error
  }
}
