import type { Plugin, Rolldown } from 'vite'

/**
 * Lists the scripts and style sheets of all pages in a template, which the desk inserts after its first view
 * (src/renderer/app/page-scripts.tsx).
 */
export function prefetchPages(): Plugin {
  return {
    name: 'prefetch-pages',
    transformIndexHtml(_html, { chunk, bundle = {} }) {
      const chunkOf = (file: string): Rolldown.OutputChunk[] => {
        const found = bundle[file]
        return found?.type === 'chunk' ? [found] : []
      }
      const withImports = (roots: Iterable<Rolldown.OutputChunk>): Set<Rolldown.OutputChunk> => {
        const all = new Set(roots)
        // A set also visits what is added meanwhile.
        for (const { imports } of all) for (const found of imports.flatMap(chunkOf)) all.add(found)
        return all
      }
      const first = withImports(chunk === undefined ? [] : chunkOf(chunk.fileName))
      const later = withImports([...first].flatMap(({ dynamicImports }) => dynamicImports).flatMap(chunkOf))
      const added = [...later].filter((one) => !first.has(one))
      const styles = added.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
      const link = (as: string) => (file: string) => ({
        tag: 'link',
        attrs: { rel: 'prefetch', as, crossorigin: true, href: `/desk/${file}` },
      })
      return [
        {
          tag: 'template',
          attrs: { id: 'pages' },
          injectTo: 'head',
          children: [
            ...added.map(({ fileName }) => fileName).map(link('script')),
            ...styles.map(link('style')),
          ],
        },
      ]
    },
  }
}
