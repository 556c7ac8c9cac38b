import { appendFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Appends to the file that `SKILLDOCK_BUNDLED_PACKAGES` names what a bundle contains, which scripts/build.mjs collects
 * from all bundles. Each line is the folder of a bundled package (`node_modules/NAME`, as in package-lock.json), or the
 * name of a package that the bundle imports when it runs.
 */
export function recordPackages(): Plugin {
  let root = ''
  return {
    name: 'record-packages',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    generateBundle(_options, bundle) {
      const list = process.env['SKILLDOCK_BUNDLED_PACKAGES']
      if (list === undefined) return
      const lines = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk'
          ? [
              ...part.moduleIds.map(folderOf),
              ...[...part.imports, ...part.dynamicImports].filter((to) => !(to in bundle) && !isBuiltin(to)),
            ]
          : part.originalFileNames.map((name) => folderOf(resolve(root, name))),
      )
      // Style sheets are no longer part of a chunk.
      const styles = [...this.getModuleIds()].filter((id) => /\.css(?:\?|$)/.test(id)).map(folderOf)
      appendFileSync(list, [...lines, ...styles].map((line) => `${line}\n`).join(''))
    },
  }
}

/** Also where `node_modules` is a link to a folder elsewhere. */
const folderOf = (id: string): string =>
  /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)/.exec(id.replaceAll('\\', '/'))?.[1] ?? ''
