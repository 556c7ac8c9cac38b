import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/** Tells whether one of these files imports a module, directly or not, each time that it is loaded. */
export function importedBy(
  files: readonly string[],
): (...given: Parameters<Rolldown.CodeSplittingNameFunction>) => boolean {
  let imported: Set<string> | undefined
  return (id, graph) => {
    if (imported === undefined) {
      const importsOf = (from: string): readonly string[] => graph.getModuleInfo(from)?.importedIds ?? []
      imported = new Set(files.flatMap((file) => importsOf(resolve(file))))
      // A set also visits what is added meanwhile.
      for (const from of imported) for (const to of importsOf(from)) imported.add(to)
    }
    return imported.has(id)
  }
}
