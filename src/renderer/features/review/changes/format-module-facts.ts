import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { formatMiB } from '../../../lib/format.ts'
import { texts } from '../review.texts.ts'

const { summary } = texts.module

const pageBytes = 65_536

const standardSections: ReadonlySet<string> = new Set([
  'type',
  'import',
  'function',
  'table',
  'memory',
  'tag',
  'global',
  'export',
  'start',
  'element',
  'data count',
  'code',
  'data',
])

/** `17 to 256 pages (1.1 to 16 MiB)`, `1 page (64 KiB), fixed` */
export function formatMemory({ memory }: Pick<ModuleFacts, 'memory'>): string {
  const { minPages, maxPages } = memory
  const min = formatMiB(minPages * pageBytes)
  if (maxPages === null) return summary.pages(minPages, min, false)
  if (minPages === maxPages) return summary.pages(minPages, min, true)
  const max = formatMiB(maxPages * pageBytes)
  const [amount, unit] = min.split(' ')
  const from = max.endsWith(` ${unit}`) ? amount : min
  return summary.pageRange(minPages, maxPages, from, max)
}

/** `No start function.` */
export function formatStart({ hasStart, details }: Pick<ModuleFacts, 'hasStart' | 'details'>): string {
  return hasStart ? summary.start(details?.start ?? null) : summary.noStart
}

interface ModuleDescription {
  /** `Built with rustc 1.91.0 from Rust.` */
  built: string
  tables: string
  names: string
  customSections: string
  targetFeatures: string
}

/** Descriptions of what a module declares besides its imports. */
export function formatModuleFacts(module: ModuleFacts): ModuleDescription {
  const { details, sections, functionCount } = module
  const custom = sections.map(({ name }) => name).filter((name) => !standardSections.has(name))
  const customSections = custom.length === 0 ? summary.none : custom.join(', ')
  if (details === null) {
    return {
      built: summary.builtUnknown,
      tables: summary.unknown,
      names: summary.unknown,
      customSections,
      targetFeatures: summary.unknown,
    }
  }
  const { tables, producers, targetFeatures, namedFunctions, debugBytes } = details
  const by = (field: string): string[] =>
    producers
      .filter((producer) => producer.field === field)
      .map(({ name, version }) => (version === '' ? name : `${name} ${version}`))
  const tools = [...by('processed-by'), ...by('sdk')]
  const languages = by('language')
  return {
    built: tools.length + languages.length === 0 ? summary.builtNotRecorded : summary.built(tools, languages),
    tables:
      tables.length === 0
        ? summary.none
        : tables.map(({ elementType, min, max }) => summary.table(elementType, min, max)).join('; '),
    names: summary.names(namedFunctions, functionCount, debugBytes),
    customSections,
    targetFeatures: targetFeatures.length === 0 ? summary.noneListed : targetFeatures.join(', '),
  }
}
