import type { ModuleDetails } from '../contracts/desk-review.ts'
import type { ByteReader } from './byte-reader.ts'
import type { ModuleSection, ModuleSummary } from './module-summary.ts'
import { countFunctionNames, openSection, isWellFormed } from './name-section.ts'
import { printable } from './printable.ts'

/** Maximum entries per list. Modules of real toolchains have only a few. */
export const DETAIL_LIMITS = { tables: 20, producers: 50, targetFeatures: 64 } as const

const CUSTOM = 0

/** A longer text in a custom section is not the name of a tool or a feature. */
const LONGEST_TEXT = 1000

const DEBUG_SECTION = /^(?:name|sourceMappingURL|external_debug_info|\.debug_.*)$/s

/** Whether a section contains names or debug data, which the program itself does not need. */
const isDebugSection = ({ id, name }: ModuleSection): boolean => id === CUSTOM && DEBUG_SECTION.test(name)

const text = (reader: ByteReader): string => printable(reader.name('a text', LONGEST_TEXT))

type Producer = ModuleDetails['producers'][number]

/** Reads the section `producers` of the tool conventions. The list ends at the first invalid entry. */
const readProducers = (reader: ByteReader): Producer[] => {
  const producers: Producer[] = []
  isWellFormed(() => {
    const fields = reader.count(2, 'fields')
    for (let at = 0; at < fields; at += 1) {
      const field = text(reader)
      const values = reader.count(2, 'values')
      for (let value = 0; value < values; value += 1) {
        if (producers.length === DETAIL_LIMITS.producers) return
        producers.push({ field, name: text(reader), version: text(reader) })
      }
    }
  })
  return producers
}

/** Reads the section `target_features` of the tool conventions: a prefix (used, not used, required) and a name per feature. */
const readTargetFeatures = (reader: ByteReader): string[] => {
  const NOT_USED = 0x2d
  const features: string[] = []
  isWellFormed(() => {
    const count = reader.count(2, 'features')
    for (let at = 0; at < count && features.length < DETAIL_LIMITS.targetFeatures; at += 1) {
      const sign = reader.byte('the sign of a feature')
      const feature = text(reader)
      if (sign !== NOT_USED) features.push(feature)
    }
  })
  return features
}

/**
 * Metadata of a module. `module` must have been read from the same bytes. Engines do not validate custom sections, so
 * unreadable parts are omitted and this never throws. Time is linear in the size of the file.
 */
export const readModuleDetails = (bytes: Uint8Array, module: ModuleSummary): ModuleDetails => {
  const custom = (name: string): ModuleSection | undefined =>
    module.sections.find((section) => section.id === CUSTOM && section.name === name)
  const read = <T>(name: string, reading: (reader: ByteReader) => T[]): T[] => {
    const section = custom(name)
    return section === undefined ? [] : reading(openSection(bytes, section))
  }
  const names = custom('name')
  return {
    tables: module.tables
      .slice(0, DETAIL_LIMITS.tables)
      .map(({ elementType, min, max }) => ({ elementType, min, max })),
    start: module.start,
    producers: read('producers', readProducers),
    targetFeatures: read('target_features', readTargetFeatures),
    namedFunctions: names === undefined ? 0 : countFunctionNames(bytes, names),
    debugBytes: module.sections.filter(isDebugSection).reduce((sum, { size }) => sum + size, 0),
  }
}
