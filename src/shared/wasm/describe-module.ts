import type { ModuleFacts } from '../contracts/desk-review.ts'
import { readModuleDetails } from './custom-sections.ts'
import type { ModuleSection, ModuleSummary } from './module-summary.ts'
import { printable } from './printable.ts'
import { isSectionName } from './read-module.ts'

/** Maximum number of listed exports and sections. */
const LISTED = 200

const CUSTOM = 0

/** A custom section may be named like a standard one, such as `code`. Quotes distinguish it. */
const sectionName = ({ id, name }: ModuleSection): string =>
  id === CUSTOM && isSectionName(name) ? `"${name}"` : printable(name)

/**
 * The facts to store about a module that has passed `checkCommandModule`, a few kilobytes at most. `module` must have
 * been read from these bytes. Exports and sections are in file order, names have at most 80 characters.
 */
export const describeModule = (bytes: Uint8Array, module: ModuleSummary): ModuleFacts => {
  const index = module.exports.find(({ name, kind }) => name === 'memory' && kind === 'memory')?.index
  const memory = module.memories[index ?? 0]
  return {
    imports: [...new Set(module.imports.map(({ name }) => name))].toSorted(),
    exports: module.exports.slice(0, LISTED).map(({ name, kind }) => ({ name: printable(name), kind })),
    exportCount: module.exports.length,
    memory: { minPages: memory?.minPages ?? 0, maxPages: memory?.maxPages ?? null },
    functionCount: module.functionCount,
    hasStart: module.start !== null,
    sections: module.sections
      .slice(0, LISTED)
      .map((section) => ({ name: sectionName(section), size: section.size })),
    details: readModuleDetails(bytes, module),
  }
}
