import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/** Tells whether one of these files imports a module, directly or not, each time that it is loaded. */
export function importedBy(
  files: readonly string[],
  isLeftOut: (id: string) => boolean = () => false,
): (...given: Parameters<Rolldown.CodeSplittingNameFunction>) => boolean {
  let imported: Set<string> | undefined
  return (id, graph) => {
    if (imported === undefined) {
      imported = new Set(files.map((file) => resolve(file)))
      // A set also visits what is added meanwhile.
      for (const from of imported) {
        for (const to of graph.getModuleInfo(from)?.importedIds ?? []) if (!isLeftOut(to)) imported.add(to)
      }
    }
    return imported.has(id)
  }
}
