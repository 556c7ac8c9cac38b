import type { ModuleFacts } from '../../../../shared/contracts/desk-review.ts'
import { formatCount, formatMiB, listWords, plural } from '../../../lib/format.ts'

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
export function memoryWords({ memory }: Pick<ModuleFacts, 'memory'>): string {
  const { minPages, maxPages } = memory
  const least = formatMiB(minPages * pageBytes)
  if (maxPages === null) return `from ${plural(minPages, 'page')} (${least}), without a limit of its own`
  if (minPages === maxPages) return `${plural(minPages, 'page')} (${least}), fixed`
  const most = formatMiB(maxPages * pageBytes)
  const [amount, unit] = least.split(' ')
  const from = most.endsWith(` ${unit}`) ? amount : least
  return `${formatCount(minPages)} to ${plural(maxPages, 'page')} (${from} to ${most})`
}

/** `No start function.` */
export function startWords({ hasStart, details }: Pick<ModuleFacts, 'hasStart' | 'details'>): string {
  if (!hasStart) return 'No start function.'
  const which = details?.start ?? null
  return `A start function${which === null ? '' : `, number ${which},`} runs before its entry.`
}

export interface ModuleWords {
  /** `Built by rustc 1.91.0, from Rust.` */
  built: string
  tables: string
  names: string
  customSections: string
  targetFeatures: string
}

const unknown = 'unknown: this release was submitted before they were read'

/** What a module says of itself beside its imports, in words. */
export function moduleWords(module: ModuleFacts): ModuleWords {
  const { details, sections, functionCount } = module
  const custom = sections.map(({ name }) => name).filter((name) => !standardSections.has(name))
  const customSections = custom.length === 0 ? 'none' : custom.join(', ')
  if (details === null) {
    return {
      built: 'What built it is unknown.',
      tables: unknown,
      names: unknown,
      customSections,
      targetFeatures: unknown,
    }
  }
  const { tables, producers, targetFeatures, namedFunctions, debugBytes } = details
  const by = (field: string): string[] =>
    producers
      .filter((producer) => producer.field === field)
      .map(({ name, version }) => (version === '' ? name : `${name} ${version}`))
  const tools = [...by('processed-by'), ...by('sdk')]
  const languages = by('language')
  const built = [
    tools.length === 0 ? null : `by ${listWords(tools)}`,
    languages.length === 0 ? null : `from ${listWords(languages)}`,
  ].filter((part) => part !== null)
  return {
    built: built.length === 0 ? 'It does not say what built it.' : `Built ${built.join(', ')}.`,
    tables: tables.length === 0 ? 'none' : tables.map(tableWords).join('; '),
    names: `${formatCount(namedFunctions)} of ${plural(functionCount, 'function')} ${namedFunctions === 1 ? 'has a name' : 'have names'}, ${plural(debugBytes, 'byte')} of names and debug data`,
    customSections,
    targetFeatures: targetFeatures.length === 0 ? 'none named' : targetFeatures.join(', '),
  }
}

function tableWords({
  elementType,
  min,
  max,
}: NonNullable<ModuleFacts['details']>['tables'][number]): string {
  if (max === null) return `${elementType}, from ${formatCount(min)} entries`
  if (max === min) return `${elementType}, ${plural(min, 'entry', 'entries')}`
  return `${elementType}, ${formatCount(min)} to ${plural(max, 'entry', 'entries')}`
}
